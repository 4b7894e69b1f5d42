"""verl's entry point for RL and distillation, run as a module: our platform is checked, our trainer mode is known."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import hydra
import ray
import verl  # noqa: F401  (loads the platform)
from verl.trainer.main_ppo import TaskRunnerV1, run_ppo
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import validate_config
from verl.utils.device import auto_set_device, get_device_name

from livesim.errors import TrainingError


class LiveTaskRunner(TaskRunnerV1.__ray_metadata__.modified_class):  # type: ignore[misc]
    """verl's task runner that imports the module of our trainer first."""

    def run(self, config: Any) -> None:
        """Train."""
        import livesim.training.reverse_kl
        import livesim.training.trainer  # noqa: F401

        super().run(config)


class InThisProcess:
    """What verl takes for an actor of ``LiveTaskRunner``.

    One process fewer imports verl, vLLM and PyTorch: eight seconds of each start on two cores.
    """

    @classmethod
    def remote(cls) -> InThisProcess:
        """The "actor"."""
        return cls()

    @property
    def run(self) -> SimpleNamespace:
        """Its method, with a ``remote`` that trains before it returns."""
        return SimpleNamespace(remote=self._train)

    def _train(self, config: Any) -> ray.ObjectRef[None]:
        LiveTaskRunner().run(config)
        return ray.put(None)


def check_platform() -> None:
    """A plugin that fails to load is only logged at debug level by verl: make sure that ours is there.

    Raises:
        TrainingError: ``VERL_PLATFORM=cpu`` is set and verl works on another platform.
    """
    wanted = os.environ.get("VERL_PLATFORM")
    if wanted and get_device_name() != wanted:
        raise TrainingError(f"VERL_PLATFORM is {wanted!r}, but verl works on {get_device_name()!r}")


def check_config(config: Any) -> None:
    """Verl's own validation of a composed config."""
    import livesim.training.reverse_kl  # noqa: F401  (one of the losses it may name)

    auto_set_device(config)
    validate_config(config=config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config))


@hydra.main(config_path="pkg://verl.trainer.config", config_name="ppo_trainer", version_base=None)  # type: ignore[untyped-decorator]
def main(config: Any) -> None:
    """Compose, check, train."""
    check_platform()
    check_config(config)
    run_ppo(config, task_runner_class=InThisProcess if config.trainer.nnodes == 1 else ray.remote(LiveTaskRunner))


if __name__ == "__main__":
    main()
