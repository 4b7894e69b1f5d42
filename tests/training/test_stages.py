"""A stage that is done is not done again; one with other inputs is; only what is needed stays on the disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

from livesim.errors import ConfigError, TrainingError  # noqa: E402
from livesim.training import export  # noqa: E402
from livesim.training.run import run_stages  # noqa: E402
from livesim.training.settings import EngineConfig, RlConfig, SftConfig, Stage, TrainConfig  # noqa: E402
from livesim.training.stage_settings import lasting  # noqa: E402
from livesim.training.stages import common  # noqa: E402


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    safetensors.save_file({"w": torch.zeros(3, dtype=torch.bfloat16)}, folder / "model.safetensors")
    (folder / "tokenizer_config.json").write_text('{"eos_token": "<|im_end|>"}')
    (folder / "config.json").write_text('{"eos_token_id": 2}')
    return folder


class Engine:
    """Stands in for verl: writes a checkpoint."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs = 0
        self.fails = False
        monkeypatch.setattr(common, "run_engine", self)

    def __call__(self, command: list[str], *, folder: Path, **_: object) -> None:
        self.runs += 1
        if self.fails:
            raise TrainingError("killed")
        out = folder / "checkpoints" / "global_step_4" / "actor" / "huggingface"
        out.mkdir(parents=True)
        safetensors.save_file({"w": torch.full((3,), 1.5)}, out / "model.safetensors")
        (out / "tokenizer_config.json").write_text('{"eos_token": "<|im_start|>"}')
        (folder / "checkpoints" / "latest_checkpointed_iteration.txt").write_text("4")
        (folder / "rows.parquet").write_text("rows")
        (folder / "log.txt").write_text("log")


def stage(folder: Path, source: Path, steps: int = 4, **inputs: object) -> Path:
    return common.run_stage(
        "sft",
        folder,
        inputs=inputs,
        source=source,
        engine=EngineConfig(),
        prepare=lambda: ["a=1"],
        command=["module"],
        steps=steps,
        limit_s=10,
        watch=lambda progress: None,
    )


def test_the_model_folder_has_new_weights_in_bf16_and_the_sources_tokenizer(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Engine(monkeypatch)
    model = stage(tmp_path / "sft", source, lr=1)
    weights = safetensors.load_file(model / "model.safetensors")
    assert weights["w"].dtype == torch.bfloat16
    assert weights["w"].tolist() == [1.5, 1.5, 1.5]
    assert json.loads((model / "tokenizer_config.json").read_text())["eos_token"] == "<|im_end|>"
    assert {p.name for p in (tmp_path / "sft").iterdir()} == {
        "model",
        "log.txt",
        "stage.json",
        "overrides.txt",
        "rows.parquet",
    }


def test_a_finished_stage_is_skipped_until_its_inputs_change(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    assert stage(tmp_path / "sft", source, lr=1) == stage(tmp_path / "sft", source, lr=1)
    assert engine.runs == 1
    stage(tmp_path / "sft", source, lr=2)
    assert engine.runs == 2


def test_a_killed_stage_keeps_its_checkpoints_and_goes_on(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    engine.fails = True
    with pytest.raises(TrainingError):
        stage(tmp_path / "sft", source, lr=1)
    kept = tmp_path / "sft" / "checkpoints" / "global_step_2"
    kept.mkdir(parents=True)
    (kept.parent / "latest_checkpointed_iteration.txt").write_text("2")
    (tmp_path / "sft" / "metrics.jsonl").write_text('{"step": 1.0}\n{"step": 2.0}\n{"step": 3.0}\n{"st')
    engine.fails = False
    stage(tmp_path / "sft", source, lr=1)
    assert engine.runs == 2
    assert (tmp_path / "sft" / "metrics.jsonl").read_text() == '{"step": 1.0}\n{"step": 2.0}\n'


def test_an_engine_that_ends_too_soon_has_made_no_model(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Engine(monkeypatch)
    with pytest.raises(TrainingError, match="at step 4 of 8"):
        stage(tmp_path / "sft", source, steps=8, lr=1)
    assert not (tmp_path / "sft" / "model").exists()
    assert (tmp_path / "sft" / "checkpoints").exists()


def test_more_time_or_memory_makes_no_other_stage_and_another_rate_does() -> None:
    config, engine = SftConfig(harnesses=4), EngineConfig()
    assert lasting(config) == lasting(config.model_copy(update={"limit_s": 9999, "save_every": 2}))
    assert lasting(engine) == lasting(engine.model_copy(update={"micro_tokens": 512, "sequences": 2}))
    assert lasting(config) != lasting(config.model_copy(update={"lr": 1e-6}))
    assert lasting(engine) != lasting(engine.model_copy(update={"attention": "sdpa"}))


def test_a_model_is_known_by_the_stage_that_made_it(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Engine(monkeypatch)
    first = common.identity(stage(tmp_path / "sft", source, lr=1))
    second = common.identity(stage(tmp_path / "sft", source, lr=2))
    assert first != second
    assert "model.safetensors" in common.identity(source)


def test_the_newest_checkpoint_with_weights_is_exported(tmp_path: Path) -> None:
    for step, has in ((2, True), (10, True), (12, False)):
        folder = tmp_path / f"global_step_{step}" / "huggingface"
        folder.mkdir(parents=True)
        if has:
            safetensors.save_file({"w": torch.zeros(1)}, folder / "model.safetensors")
    assert export.newest(tmp_path) == tmp_path / "global_step_10" / "huggingface"
    assert export.newest(tmp_path / "nothing") is None


def test_other_tensors_than_the_sources_are_an_error(tmp_path: Path, source: Path) -> None:
    folder = tmp_path / "c" / "global_step_1" / "huggingface"
    folder.mkdir(parents=True)
    safetensors.save_file({"v": torch.zeros(1)}, folder / "model.safetensors")
    with pytest.raises(TrainingError, match="different tensors"):
        export.export(tmp_path / "c", source, tmp_path / "out")


def test_a_stage_that_is_not_configured_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="stage sft is not configured; configured: rl"):
        run_stages(TrainConfig(name="x", rl=RlConfig()), tmp_path, [Stage.SFT])
