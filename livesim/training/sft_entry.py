"""verl's SFT entry point, run as a module: our platform is checked first, and its trainer keeps what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hydra
import verl  # noqa: F401  (loads the platform)
from verl.trainer.sft_trainer import SFTTrainer
from verl.utils.checkpoint import CheckpointHandler
from verl.utils.device import auto_set_device
from verl.utils.distributed import destroy_global_process_group, initialize_global_process_group

from livesim.training.entry import check_platform
from livesim.training.export import settle


class OneCheckpoint(CheckpointHandler):  # type: ignore[misc]
    """Keeps one whole checkpoint, and goes on with the next epoch when the last step of one was saved."""

    def save_checkpoint(self, step: int) -> None:
        """Save, then delete the one before."""
        super().save_checkpoint(step)
        if self.rank == 0:
            settle(Path(self.default_local_dir))

    def load_checkpoint(self) -> int:
        """The step that was loaded."""
        step = int(super().load_checkpoint())
        if step % len(self.train_dataloader) == 0:
            # The saved iterator is at its end but does not know it yet: it would give the next epoch no rows at all.
            self.train_dataloader.next_iter_state = None
        return step


class SeededTrainer(SFTTrainer):  # type: ignore[misc]
    """verl's SFT trainer with an order of rows that follows ``trainer.seed`` (verl reads it nowhere)."""

    def _build_dataloader(self) -> None:
        super()._build_dataloader()
        self.train_sampler.seed = self.config.trainer.seed

    def _build_ckpt_handler(self) -> None:
        self.ckpt_handler = OneCheckpoint(
            engine=self.engine,
            train_dataloader=self.train_dataloader,
            default_local_dir=self.config.trainer.default_local_dir,
            resume_mode=self.config.trainer.resume_mode,
        )


@hydra.main(config_path="pkg://verl.trainer.config", config_name="sft_trainer_engine", version_base=None)  # type: ignore[untyped-decorator]
def main(config: Any) -> None:
    """Compose, check, train."""
    check_platform()
    auto_set_device(config)
    initialize_global_process_group()
    SeededTrainer(config).fit()
    destroy_global_process_group()


if __name__ == "__main__":
    main()
