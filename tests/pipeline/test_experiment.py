"""An experiment with stand-ins for engines: order, sources and changes of arms, resumption, tables, claims."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.errors import ConfigError, LiveSimError
from livesim.evaluation.ifeval.answers import Answer, answer_file
from livesim.evaluation.intervals import Interval
from livesim.evolution import heldout
from livesim.evolution.checking import Means
from livesim.evolution.heldout import HeldoutResult
from livesim.pipeline import child, experiment, results
from livesim.pipeline.arms import read_experiment
from livesim.training.process import Progress
from livesim.training.settings import TrainConfig
from livesim.training.stages import opd, rl, sft

ROOT = Path(__file__).parents[2]

TRAIN = """
name: anything
model: {base}
fixed: {{harnesses: 4, augment: none}}
sft: {{harnesses: 4}}
opd: {{steps: 1}}
rl: {{steps: 1}}
"""

CONFIG = """
name: tiny
train: train.yaml
set: [fixed.harnesses=8]
seeds: [5, 6]
against: [hat, fixed]
arms:
  fixed: {label: fixed, stage: fixed, seeds: 2}
  sft: {label: HSA-SFT, stage: sft, seeds: 2, evaluated: false}
  hat: {label: HAT, stage: rl, of: sft, seeds: 2}
  grpo: {label: GRPO, stage: rl, of: sft, set: [rl.estimator=grpo]}
evaluation: {episodes: {live_stream_qa: 2, harness_variant_qa: 6}}
ifeval: {arms: [hat, fixed], prompts: 4}
edits: {set: [episodes=2]}
"""

PLAYS = {"base": "silent", "fixed": "echo", "hat": "oracle", "grpo": "oracle"}
"""Which agent stands for the models of which arm."""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    base = tmp_path / "start"
    base.mkdir()
    (tmp_path / "train.yaml").write_text(TRAIN.format(base=base))
    path = tmp_path / "tiny.yaml"
    path.write_text(CONFIG)
    return path


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small evaluation of each stand-in."""
    root = tmp_path_factory.mktemp("played")
    for agent in sorted(set(PLAYS.values())):
        order = ["eval", "--model", agent, "--harness", "compact", "--out", str(root / agent)]
        done = CliRunner().invoke(app, [*order, "--episodes", "live_stream_qa=2,harness_variant_qa=6"])
        assert done.exit_code == 0, done.output
    return root


def means(points: float) -> Means:
    return Means(points, points, points, points, points, points, 2)


def option(command: Sequence[str], name: str) -> str:
    return command[list(command).index(name) + 1]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch, played: Path) -> list[str]:
    """Replaces stages, evaluations and edit tests; what was done is in the list."""
    done: list[str] = []

    def stage(train: TrainConfig, config: Any, model: Path, *rest: Any) -> Path:
        folder, watch = rest[-2:]
        source = model.parent.name if model.name == "model" else model.name
        estimator = f" {config.estimator}" if hasattr(config, "estimator") else ""
        done.append(f"{folder.name} from {source}, seed {train.seed}{estimator}")
        watch(Progress(1, 2, 1.0, 1.0, {}))
        (folder / "model").mkdir(parents=True, exist_ok=True)
        rows = [{"step": float(i), "train/loss": 1.0 / i, "heads/total/mean": 0.1 * i} for i in (1, 2)]
        (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return folder / "model"

    for module in (sft, opd, rl):
        monkeypatch.setattr(module, "run", stage)

    def call(command: Sequence[str], file: Path, *, watch: Callable[[], None], **rest: Any) -> None:
        out = Path(option(command, "--out"))
        done.append(out.name)
        arm = out.name.partition("_")[2].rpartition("-")[0] or "base"
        if command[3] == "edit-test":
            label, share = option(command, "--agent").partition("=")[0], {"hat": 0.6, "fixed": 0.2}[arm]
            gone = Interval(share, share - 0.1, share + 0.1)
            result = HeldoutResult(label, "hash", 2, means(80), means(90), means(80), means(90), gone)
            (out / "heldout.json").write_text(heldout.to_json([result]))
        elif option(command, "--suite") == "ifeval":
            hits = {"base": [True, False, False, False], "hat": [True, True, True, False], "fixed": [False] * 4}[arm]
            (out / "meta.json").write_text(json.dumps({"label": option(command, "--label")}))
            answer_file(out).append(Answer(str(i), ("k",), (hit,), (hit,), "text") for i, hit in enumerate(hits))
        else:
            shutil.copytree(played / PLAYS[arm], out, dirs_exist_ok=True)
            meta = json.loads((out / "meta.json").read_text())
            (out / "meta.json").write_text(json.dumps({**meta, "label": option(command, "--label")}))
        watch()

    monkeypatch.setattr(child, "run", call)
    return done


WHOLE = [
    "eval_base",
    "ifeval_base",
    "fixed-5 from start, seed 5",
    "eval_fixed-5",
    "ifeval_fixed-5",
    "edits_fixed-5",
    "sft-5 from start, seed 5",
    "hat-5 from sft-5, seed 5 gdpo",
    "eval_hat-5",
    "ifeval_hat-5",
    "edits_hat-5",
    "grpo-5 from sft-5, seed 5 grpo",
    "eval_grpo-5",
    "fixed-6 from start, seed 6",
    "eval_fixed-6",
    "sft-6 from start, seed 6",
    "hat-6 from sft-6, seed 6 gdpo",
    "eval_hat-6",
]


def test_everything_in_order_nothing_twice_and_the_tables(config: Path, tmp_path: Path, log: list[str]) -> None:
    text, report = experiment.run(config, tmp_path / "runs")
    assert log == WHOLE
    for line in (
        # two tasks, four prompts: none of them decides anything
        "T1 score of HAT at least 94: open, 100.0 [34.2, 100.0]",
        "IFEval prompt strict of HAT not below the base's: open, 50.0 [-41.9, 100.0], p = 0.5",
        "T1 score: no difference beyond the interval between HAT and fixed: 100.0 [-31.5, 100.0] points over 4 pairs",
        "as of fixed: open, 60.0 [50.0, 70.0] % against 20.0 [10.0, 30.0] %",
    ):
        assert line in text
    assert "100.0, 100.0 (sd 0.0)" in text
    assert "T4 against base" in text
    page = report.read_text(encoding="utf-8")
    for shown in (
        "All seeds",
        "One training of each arm",
        "held-out harness edits",
        "RL reward of HAT",
        "no difference beyond the interval between HAT and fixed",
    ):
        assert shown in page
    log.clear()
    again, _ = experiment.run(config, tmp_path / "runs")
    assert (log, again) == ([], text)


@pytest.mark.parametrize("fails", ["hat-5", "edits_fixed-5", "eval_fixed-6"])
def test_a_stopped_experiment_goes_on_with_the_step_that_failed(
    config: Path, tmp_path: Path, log: list[str], monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    stage, call = rl.run, child.run

    def dies(real: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **rest: Any) -> Any:
            if any(getattr(a, "name", "") == fails for a in args) or any(fails in str(a) for a in args[0]):
                raise LiveSimError("killed")
            return real(*args, **rest)

        return run

    monkeypatch.setattr(rl, "run", dies(stage))
    monkeypatch.setattr(child, "run", dies(call))
    with pytest.raises(LiveSimError, match="killed"):
        experiment.run(config, tmp_path / "runs")
    before = [entry.split(" ")[0] for entry in log]
    folder = tmp_path / "runs" / "tiny"
    shown = (folder / "table.txt").read_text(encoding="utf-8")
    examined = max(i for i, name in enumerate(before, start=2) if name.startswith(("eval", "ifeval", "edits")))
    assert shown.startswith(f"so far: {examined} of {len(WHOLE) + 1} steps\n")
    assert "so far" in (folder / "report.html").read_text(encoding="utf-8")
    assert ("HAT" in shown) == ("eval_hat-5" in before)
    monkeypatch.setattr(rl, "run", stage)
    monkeypatch.setattr(child, "run", call)
    log.clear()
    experiment.run(config, tmp_path / "runs")
    after = [entry.split(" ")[0] for entry in log]
    assert after[0] == fails
    assert "so far" not in (folder / "table.txt").read_text(encoding="utf-8")
    assert [*before, *after] == [entry.split(" ")[0] for entry in WHOLE]


def test_a_changed_arm_is_made_anew_and_nothing_else(config: Path, tmp_path: Path, log: list[str]) -> None:
    experiment.run(config, tmp_path / "runs")
    log.clear()
    experiment.run(config, tmp_path / "runs", ("arms.grpo.set=[rl.estimator=grpo, rl.lr=0.001]",))
    assert [entry.split(" ")[0] for entry in log] == ["grpo-5", "eval_grpo-5"]


def test_the_list_of_steps_says_what_is_done_and_how_long_the_rest_takes(
    config: Path, tmp_path: Path, log: list[str]
) -> None:
    order = ["run", "--config", str(config), "--runs", str(tmp_path / "runs"), "--dry-run"]
    shown = CliRunner().invoke(app, order).output
    assert log == []
    assert not (tmp_path / "runs").exists()
    lines = shown.splitlines()
    assert len(lines) == len(WHOLE) + 2  # the base model, and the sum
    assert "needs base, sft-5" in next(line for line in lines if " hat-5 " in line)
    assert shown.count("to do") == len(WHOLE) + 2
    experiment.run(config, tmp_path / "runs")
    assert "0.0 h of them to do" in CliRunner().invoke(app, order).output


def test_wrong_files_are_named(config: Path) -> None:
    for change, told in (
        ("arms.hat.of=stf", "nearest|sft"),
        ("arms.hat.seeds=3", "wants 3 seeds, what it starts from has 2"),
        ("arms.late={label: x, stage: rl, of: nobody}", "nobody"),
        ("arms.late={label: HAT, stage: fixed}", "must differ in their labels"),
        ("arms.late={label: base, stage: fixed}", "must differ in their labels"),
        ("against=[hat, hat]", "its own control"),
        ("edits.test_seeds=[100]", "test seeds must not be dev seeds"),
        ("edits.test_seeds=[]", "there must be test seeds"),
        ("edits.dev_seeds=[3, 3]", "must differ"),
        ("edits.set=[suites=live_steam_qa]", "live_stream_qa"),
        ("evaluation.episodes={}", "at least 1"),
        ("arms.base={label: x, stage: fixed}", "none may be called 'base'"),
        ("against=[hat, opd]", "opd"),
        ("against=[hat, sft]", "must be evaluated"),
        ("seeds=[5, 5]", "must differ"),
        ("edits.set=[episode=2]", "episodes"),
        ("ifeval.prompts=542", "prompts"),
    ):
        with pytest.raises(ConfigError, match=told):
            read_experiment(config, (change,))
    with pytest.raises(ConfigError, match="estimator"):
        experiment.listed(config, changes=("arms.grpo.set=[rl.estimater=grpo]",))


def test_means_over_seeds_keep_the_cases_as_the_unit(config: Path, tmp_path: Path, log: list[str]) -> None:
    experiment.run(config, tmp_path / "runs")
    folder = tmp_path / "runs" / "tiny"
    found = results.collect(read_experiment(config), folder, [path.stem for path in (folder / "steps").iterdir()])
    score = results.MEASURES["score"]
    hat, base = found.arm("hat"), found.arm("base")
    assert hat is not None
    assert base is not None
    assert (list(hat.evaluations), list(base.evaluations)) == ([5, 6], [None])
    assert len(results.cases(hat, "harness_variant_qa", score)) == 6
    assert results.difference(hat, base, "live_stream_qa", score).points.mean == pytest.approx(100.0)
    assert results.difference(hat, base, "live_stream_qa", score).pairs == 4
    assert results.loss(hat, score).mean == pytest.approx(0.0)
    assert math.isnan(results.mean([]).mean)


def test_the_shipped_experiment_is_whole() -> None:
    path = ROOT / "configs" / "reproduce.yaml"
    shipped = read_experiment(path)
    models = experiment.models_of(shipped, path, Path("runs"))
    trains = {name: model.train for name, model in models.named.items()}
    assert trains["fixed-11"].fixed is not None
    assert trains["fixed-11"].sft is not None
    assert trains["fixed-11"].fixed.steps == trains["fixed-11"].sft.steps
    rls = {name: trains[f"{name}-11"].rl for name in ("hat", "grpo", "no_hsa", "fixed_rl")}
    told = {name: (rl.estimator, rl.original_share, len(rl.heads)) for name, rl in rls.items() if rl is not None}
    assert told == {
        "hat": ("gdpo", 0.25, 6),
        "grpo": ("grpo", 0.25, 6),
        "no_hsa": ("gdpo", 1.0, 6),
        "fixed_rl": ("gdpo", 1.0, 6),
    }
    assert {models.named[f"{name}-11"].source for name in ("hat", "grpo", "no_hsa")} == {"opd-11"}
    assert models.named["fixed_rl-11"].source == "fixed-11"
    assert all(arm.seeds >= 3 for arm in shipped.arms.values())
    assert shipped.edits is not None
    assert shipped.ifeval is not None
    assert shipped.ifeval.prompts == 541


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_experiments_give_both_kinds_of_sft_the_same_budget(path: Path) -> None:
    shipped = read_experiment(path)
    models = experiment.models_of(shipped, path, Path("runs"))
    for seed in shipped.seeds:
        fixed = models.named[f"fixed-{seed}"].train.fixed
        varied = models.named[f"sft-{seed}"].train.sft
        assert fixed is not None
        assert varied is not None
        for field in ("harnesses", "batch", "epochs", "mistakes", "lr"):
            assert getattr(fixed, field) == getattr(varied, field), field
        assert (fixed.augment, varied.augment == "none") == ("none", False)
