"""verl's SFT trainer, killed and started again, sees every row of every epoch once, in the order of its seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

for module in ("verl", "torchdata"):
    pytest.importorskip(module)

import torch  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from tensordict import NonTensorData, TensorDict  # noqa: E402

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]

ROWS, BATCH, EPOCHS = 7, 2, 3
STEPS = EPOCHS * (ROWS // BATCH)


class Killed(BaseException):
    """The end of a process."""


class Worker:
    """Stands in for verl's engine and its client: notes the rows, moves no weights."""

    def __init__(self, killed_after: int) -> None:
        self.seen: list[tuple[int, ...]] = []
        self.left = killed_after

    def train_batch(self, data: Any) -> TensorDict:
        if self.left == 0:
            raise Killed
        self.left -= 1
        self.seen.append(tuple(int(row[0]) for row in data["input_ids"].unbind()))
        return TensorDict({"metrics": NonTensorData({})}, batch_size=[])

    def step_profile(self) -> None: ...

    def get_data_parallel_rank(self) -> int:
        return 0

    def get_data_parallel_size(self) -> int:
        return 1

    def get_data_parallel_group(self) -> None: ...

    def is_mp_src_rank_with_outputs(self) -> bool:
        return True

    def save_checkpoint(self, local_path: str, **_: object) -> None: ...

    def load_checkpoint(self, local_path: str) -> None: ...


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from verl.trainer import sft_trainer  # warns of engines that are not there

    for name in ("log_gpu_memory_usage", "aggressive_empty_cache"):
        monkeypatch.setattr(sft_trainer, name, lambda *_, **__: None)
    monkeypatch.setattr(sft_trainer, "Tracking", lambda **_: SimpleNamespace(log=lambda **_: None))
    torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    yield
    torch.distributed.destroy_process_group()


def run(folder: Path, *, seed: int = 1, killed_after: int = -1) -> list[tuple[int, ...]]:
    """Rows of every step of a run that is killed when it has done so many steps."""
    from livesim.training.sft_entry import SeededTrainer

    config = OmegaConf.create(
        {
            "data": {
                "train_batch_size": BATCH,
                "pad_mode": "no_padding",
                "num_workers": 0,
                "use_dynamic_bsz": True,
                "max_token_len_per_gpu": 100,
                "micro_batch_size_per_gpu": 1,
            },
            "model": {"use_remove_padding": True},
            "trainer": {
                "seed": seed,
                "default_local_dir": str(folder),
                "resume_mode": "auto",
                "total_epochs": EPOCHS,
                "total_training_steps": STEPS,
                "save_freq": 1,
                "test_freq": -1,
                "logger": [],
                "project_name": "x",
                "experiment_name": "x",
            },
        }
    )
    worker = Worker(killed_after)
    trainer = object.__new__(SeededTrainer)
    trainer.config, trainer.rank, trainer.device_name = config, 0, "cpu"
    trainer.engine = trainer.training_client = worker
    trainer.train_dataset = [
        {name: torch.tensor([row]) for name in ("input_ids", "loss_mask", "position_ids")} for row in range(ROWS)
    ]
    trainer.val_dataset = None
    trainer.model_config = SimpleNamespace(tokenizer=SimpleNamespace(pad_token_id=0))
    trainer.start_profile_step = trainer.end_profile_step = -1
    trainer._build_dataloader()
    trainer.total_training_steps, trainer.steps_per_epoch = STEPS, ROWS // BATCH
    trainer.save_freq, trainer.test_freq = 1, -1
    trainer._build_ckpt_handler()
    trainer.resume_global_step = trainer.ckpt_handler.load_checkpoint()
    try:
        trainer.fit()
    except Killed:
        assert killed_after >= 0
    return worker.seen


def test_a_killed_run_goes_on_with_the_rows_that_were_to_come_at_any_step(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    assert len(whole) == STEPS
    for epoch in range(EPOCHS):
        rows = [row for step in whole[3 * epoch : 3 * epoch + 3] for row in step]
        assert len({*rows}) == 6
    for step in range(1, STEPS):  # 3 and 6 are the last steps of an epoch
        folder = tmp_path / str(step)
        assert run(folder, killed_after=step) == whole[:step]
        assert run(folder) == whole[step:], step
        assert [p.name for p in folder.glob("global_step_*")] == [f"global_step_{STEPS}"]


def test_the_order_follows_the_seed(tmp_path: Path) -> None:
    assert run(tmp_path / "a") == run(tmp_path / "b")
    assert run(tmp_path / "a2", seed=2) != run(tmp_path / "b2", seed=3)
