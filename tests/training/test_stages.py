"""A stage that is done is not done again; one with other inputs is; only what is needed stays on the disk."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")

from livesim.errors import ConfigError, TrainingError  # noqa: E402
from livesim.harness import shelf  # noqa: E402
from livesim.model_folder import identity  # noqa: E402
from livesim.scenarios import library  # noqa: E402
from livesim.training import export  # noqa: E402
from livesim.training.lock import locked  # noqa: E402
from livesim.training.run import run_stages  # noqa: E402
from livesim.training.settings import (  # noqa: E402
    EngineConfig,
    OpdConfig,
    RlConfig,
    SftConfig,
    Stage,
    TrainConfig,
    WorldConfig,
)
from livesim.training.stage_settings import RUN_ONLY, lasting  # noqa: E402
from livesim.training.stages import common, opd, rl, sft  # noqa: E402


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    safetensors.save_file({"w": torch.zeros(3, dtype=torch.bfloat16)}, folder / "model.safetensors")
    (folder / "tokenizer_config.json").write_text('{"eos_token": "<|im_end|>"}')
    (folder / "config.json").write_text('{"eos_token_id": 2}')
    return folder


def save(checkpoints: Path, step: int, *, whole: bool = True, weights: bool = True) -> Path:
    """A checkpoint of RL as verl leaves it, or as kill -9 does."""
    folder = checkpoints / f"global_step_{step}"
    (folder / "actor" / "huggingface").mkdir(parents=True, exist_ok=True)
    if weights:
        safetensors.save_file({"w": torch.full((3,), 1.5)}, folder / "actor" / "huggingface" / "model.safetensors")
    if whole:
        torch.save({"yielded": step}, folder / "data.pt")
    return folder


class Engine:
    """Stands in for verl: writes a checkpoint."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.runs = 0
        self.fails = False
        self.metrics = ""
        monkeypatch.setattr(common, "run_engine", self)

    def __call__(self, command: list[str], *, folder: Path, **_: object) -> None:
        self.runs += 1
        if self.fails:
            raise TrainingError("killed")
        saved = save(folder / "checkpoints", 4)
        (saved / "actor" / "huggingface" / "tokenizer_config.json").write_text('{"eos_token": "<|im_start|>"}')
        (folder / "log.txt").write_text("log")
        if self.metrics:
            (folder / "metrics.jsonl").write_text(self.metrics)


ONE = EngineConfig()


def stage(folder: Path, source: Path, steps: int = 4, engine: EngineConfig = ONE, **inputs: object) -> Path:
    def rows(path: Path) -> None:
        path.write_text("\n".join(["rows", *map(str, inputs.values())]))

    return common.run_stage(
        "sft",
        folder,
        inputs=inputs,
        source=source,
        engine=engine,
        rows=rows,
        overrides=lambda path: [f"a={path.name}"],
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


def test_the_folders_of_other_machines_stay_as_they_may_still_be_at_work_there(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    engine.fails = True
    with pytest.raises(TrainingError):
        stage(tmp_path / "sft", source, lr=1)
    for name in ("node_1", "scratch"):
        (tmp_path / "sft" / name).mkdir()
    engine.fails = False
    stage(tmp_path / "sft", source, lr=1)
    assert (tmp_path / "sft" / "node_1").is_dir()
    assert not (tmp_path / "sft" / "scratch").exists()


def test_a_killed_stage_keeps_its_checkpoints_and_goes_on(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    engine.fails = True
    with pytest.raises(TrainingError):
        stage(tmp_path / "sft", source, lr=1)
    save(tmp_path / "sft" / "checkpoints", 2)
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


def test_no_model_is_made_of_a_training_with_a_nan_loss_however_often_it_is_started(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    engine.metrics = '{"step": 3.0, "actor/pg_loss": NaN}\n{"step": 4.0, "actor/pg_loss": 0.5}\n'
    for _ in range(2):  # the second time there is nothing left to train
        with pytest.raises(TrainingError, match="a loss is NaN in step 3"):
            stage(tmp_path / "rl", source, lr=1)
    assert engine.runs == 1
    assert not (tmp_path / "rl" / "model").exists()
    engine.metrics = '{"step": 4.0, "actor/pg_loss": 0.5}\n'
    assert stage(tmp_path / "rl", source, lr=0.1).is_dir()


def test_more_time_or_memory_makes_no_other_stage_and_another_rate_does() -> None:
    config, engine = SftConfig(harnesses=4), EngineConfig()
    assert lasting(config) == lasting(config.model_copy(update={"limit_s": 9999, "save_every": 2}))
    assert lasting(engine) == lasting(engine.model_copy(update={"micro_tokens": 512, "sequences": 2}))
    assert lasting(config) != lasting(config.model_copy(update={"lr": 1e-6}))
    assert lasting(engine) != lasting(engine.model_copy(update={"attention": "sdpa"}))
    fields = {name for one in (SftConfig, OpdConfig, RlConfig, EngineConfig) for name in one.model_fields}
    assert fields >= RUN_ONLY  # a renamed one would leave out nothing


def test_a_model_is_known_by_the_stage_that_made_it(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Engine(monkeypatch)
    first = identity(stage(tmp_path / "sft", source, lr=1))
    second = identity(stage(tmp_path / "sft", source, lr=2))
    assert first != second
    copy = shutil.copytree(source, tmp_path / "copy")
    assert identity(copy) == identity(source)
    safetensors.save_file({"w": torch.ones(3, dtype=torch.bfloat16)}, copy / "model.safetensors")
    assert identity(copy) != identity(source)
    template = shutil.copytree(source, tmp_path / "template")
    (template / "chat_template.jinja").write_text("{{ messages }}")  # other tokens of the same texts
    assert identity(template) != identity(source)


def test_a_stage_goes_on_with_the_rows_it_had_and_other_inputs_make_others(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    engine.fails = True
    rows = tmp_path / "sft" / "rows.parquet"
    with pytest.raises(TrainingError):
        stage(tmp_path / "sft", source, lr=1)
    assert rows.read_text() == "rows\n1"
    rows.write_text("rows of an older version")
    with pytest.raises(TrainingError):
        stage(tmp_path / "sft", source, lr=1)
    assert rows.read_text() == "rows of an older version"
    with pytest.raises(TrainingError):
        stage(tmp_path / "sft", source, lr=2)
    assert rows.read_text() == "rows\n2"


def test_a_stage_that_was_killed_after_its_last_step_only_writes_its_model(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine(monkeypatch)
    with monkeypatch.context() as broken:
        broken.delattr(export, "export")
        with pytest.raises(AttributeError):
            stage(tmp_path / "sft", source, lr=1)
    assert (stage(tmp_path / "sft", source, lr=1) / "model.safetensors").exists()
    assert engine.runs == 1


def test_kill_9_at_any_moment_of_a_save_leaves_a_whole_checkpoint_to_go_on_from(tmp_path: Path) -> None:
    tracker = tmp_path / "latest_checkpointed_iteration.txt"

    def kept() -> tuple[int, str, list[str]]:
        return export.settle(tmp_path), tracker.read_text(), sorted(p.name for p in tmp_path.glob("global_step_*"))

    save(tmp_path, 10)
    assert kept() == (10, "10", ["global_step_10"])
    newer = save(tmp_path, 20, whole=False, weights=False)  # weights are being written
    assert kept() == (10, "10", ["global_step_10"])
    newer = save(tmp_path, 20, whole=False)
    (newer / "data.pt").write_bytes(b"PK\3\4 half of it")  # the state of the data loader is
    assert kept() == (10, "10", ["global_step_10"])
    save(tmp_path, 20)  # all is written, but the tracker names the one before
    assert tracker.read_text() == "10"
    assert kept() == (20, "20", ["global_step_20"])
    tracker.write_text("")  # verl has opened it
    assert kept() == (20, "20", ["global_step_20"])
    (save(tmp_path, 10) / "data.pt").unlink()  # the one before is half deleted
    assert kept() == (20, "20", ["global_step_20"])


def test_a_save_of_several_ranks_is_whole_when_the_last_of_them_is_done(tmp_path: Path) -> None:
    def saved(step: int, written: int, ranks: int = 2) -> None:
        folder = tmp_path / f"global_step_{step}"
        folder.mkdir()
        for rank in range(ranks):
            (folder / f"model_world_size_{ranks}_rank_{rank}.pt").write_bytes(b"shard")
        for rank in range(written):
            torch.save({"yielded": step}, folder / f"data_{rank}.pt")

    saved(10, written=2)
    saved(20, written=1)  # killed before the second rank wrote
    assert export.settle(tmp_path) == 10
    assert [p.name for p in tmp_path.glob("global_step_*")] == ["global_step_10"]
    saved(20, written=2)
    assert export.settle(tmp_path) == 20
    saved(30, written=1, ranks=0)  # the last one, of which only the model is kept
    assert export.settle(tmp_path) == 30


def test_a_first_save_that_was_cut_short_is_forgotten(tmp_path: Path) -> None:
    tracker = tmp_path / "latest_checkpointed_iteration.txt"
    save(tmp_path, 10, whole=False)
    tracker.write_text("")
    assert export.settle(tmp_path) == 0
    assert [*tmp_path.iterdir()] == []
    assert export.settle(tmp_path / "nothing") == 0


def test_an_edited_scenario_or_harness_is_another_world(tmp_path: Path) -> None:
    harness, scenario = tmp_path / "harness", tmp_path / "room.yaml"
    shutil.copytree(shelf.SHELF / "compact", harness)
    shutil.copy(library.FOLDER / "qa.yaml", scenario)
    world = WorldConfig(scenario=str(scenario), harness=str(harness))
    seen = [world.contents()]
    scenario.write_text(re.sub(r"(?m)^horizon_s: .*", "horizon_s: 77", scenario.read_text()))
    seen.append(world.contents())
    skill = next(harness.rglob("SKILL.md"))
    skill.write_text(skill.read_text() + "\nSay it twice.\n")
    seen.append(world.contents())
    assert seen == [*{json.dumps(one): one for one in seen}.values()]
    assert world.contents() == seen[-1]


def test_on_several_machines_the_first_prepares_and_exports_and_the_others_follow(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, both, seen = tmp_path / "sft", EngineConfig(nodes=2, device="cuda"), {}

    def engine(command: list[str], *, folder: Path, **_: object) -> None:
        seen[folder.name] = command[-1]

    monkeypatch.setattr(common, "run_engine", engine)
    monkeypatch.setenv("NODE_RANK", "1")
    monkeypatch.setattr(common.time, "sleep", lambda seconds: None)
    with pytest.raises(TrainingError, match="NODE_RANK=0 prepared nothing"):
        common._wait(lambda: False, 0.0)
    folder.mkdir()
    export.note(folder, {"key": "other", "done": False})
    (folder / "rows.parquet").write_text("of other inputs")
    waited = []

    def first_machine(seconds: float) -> None:
        waited.append(seconds)
        monkeypatch.setenv("NODE_RANK", "0")
        with pytest.raises(TrainingError, match="at step 0 of 4"):  # this engine makes nothing
            stage(folder, source, engine=both, lr=1)
        monkeypatch.setenv("NODE_RANK", "1")

    monkeypatch.setattr(common.time, "sleep", first_machine)
    assert stage(folder, source, engine=both, lr=1) == folder / "model"
    assert len(waited) == 1
    assert seen == {"sft": "a=rows.parquet", "node_1": "a=rows.parquet"}
    assert (folder / "rows.parquet").read_text() == "rows\n1"
    assert not (folder / "model").exists()


def test_the_others_run_only_what_torchrun_spreads_and_hold_no_lock(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []
    for module in (sft, opd, rl):
        name = module.__name__.rpartition(".")[2]
        monkeypatch.setattr(module, "run", lambda *_, name=name: ran.append(name) or source)
    train = TrainConfig(
        name="x",
        model=str(source),
        engine=EngineConfig(nodes=2, device="cuda"),
        sft=SftConfig(harnesses=4),
        rl=RlConfig(),
    )
    monkeypatch.setenv("NODE_RANK", "1")
    with locked(tmp_path):
        assert [*run_stages(train, tmp_path)] == [Stage.SFT]
    monkeypatch.setenv("NODE_RANK", "0")
    with locked(tmp_path), pytest.raises(ConfigError, match=f"process {os.getpid()} on "):
        run_stages(train, tmp_path)
    assert [*run_stages(train, tmp_path)] == [Stage.SFT, Stage.RL]
    assert ran == ["sft", "sft", "rl"]


def test_nodes_are_told_where_to_meet_and_who_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    train = TrainConfig(name="x", engine=EngineConfig(nodes=2, gpus=8, device="cuda"))
    for name in ("MASTER_ADDR", "MASTER_PORT", "NODE_RANK"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(TrainingError, match="NODE_RANK to 0"):
        sft.launcher(train)
    monkeypatch.setenv("MASTER_ADDR", "10.0.0.1")
    monkeypatch.setenv("NODE_RANK", "1")
    assert {"--nnodes=2", "--node-rank=1", "--master-addr=10.0.0.1", "--master-port=29500"} < {*sft.launcher(train)}


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


def test_what_a_lone_stage_starts_from_is_told(tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rl, "run", lambda *_: source)
    train = TrainConfig(name="x", model=str(source), sft=SftConfig(harnesses=4), rl=RlConfig())
    told: list[tuple[Stage, Path]] = []
    run_stages(train, tmp_path, [Stage.RL], begin=lambda stage, model: told.append((stage, model)))
    (tmp_path / "sft" / "model").mkdir(parents=True)
    run_stages(train, tmp_path, [Stage.RL], begin=lambda stage, model: told.append((stage, model)))
    assert told == [(Stage.RL, source.resolve()), (Stage.RL, tmp_path / "sft" / "model")]
