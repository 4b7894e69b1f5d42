"""verl's SFT entry point, run as a module: our platform is checked first."""

from __future__ import annotations

from typing import Any

import hydra
import verl  # noqa: F401  (loads the platform)
from verl.trainer.sft_trainer import run_sft
from verl.utils.device import auto_set_device

from livesim.training.entry import check_platform


@hydra.main(config_path="pkg://verl.trainer.config", config_name="sft_trainer_engine", version_base=None)  # type: ignore[untyped-decorator]
def main(config: Any) -> None:
    """Compose, check, train."""
    check_platform()
    auto_set_device(config)
    run_sft(config)


if __name__ == "__main__":
    main()
