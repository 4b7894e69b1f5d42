"""Stored requests are judged again as they were, by the rules or a model; agreement is counted by hand here."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from agents.oracle import OracleAgent
from livesim.env import LiveStreamEnv
from livesim.errors import CompletionError, ConfigError
from livesim.evaluation import regrade as module
from livesim.evaluation.agreement import agreement
from livesim.evaluation.records import Record, Status, to_line
from livesim.evaluation.regrade import regrade, render, run, same_judge
from livesim.evaluation.stored import read_stored
from livesim.rollout import Episode, play
from rewards.judge import Judgement
from rewards.signals import Signals
from rewards.stored import plain
from rewards.verdict import Verdict


class Strict:
    """Finds every reply inaccurate and half effective."""

    def judge(self, signals: Signals) -> Judgement:
        return Judgement(Verdict(0.0, ("no",)), Verdict(0.5, ("half",)))


class Broken:
    """Never answers."""

    def judge(self, signals: Signals) -> Judgement:
        raise CompletionError("down")


@pytest.fixture(scope="module")
def episode() -> Episode:
    env = LiveStreamEnv(scenario="qa", harness="default", requests=3)
    return play(OracleAgent(), env, seed=3)


def record(episode: Episode, at: int, **more: object) -> Record:
    request = episode.requests[at]
    return Record(
        id=f"qa/{at}", suite="qa", task=at, seed=3, dimension="original", variant="original",
        heads=dict(request.heads), reasons={"accuracy": ("a stored reason",)}, reward=request.total,
        signals=plain(request.signals),  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, episode: Episode) -> Path:
    """An evaluation's records (one of them lost to the provider, the last line half written) and an episode."""
    lines = [to_line(record(episode, at)) for at in range(3)]
    lines.append(to_line(Record("qa/9", "qa", 9, 9, "original", "original", Status.INFRASTRUCTURE_ERROR)))
    (tmp_path / "records.jsonl").write_text("\n".join([*lines, lines[0][:80]]), encoding="utf-8")
    (tmp_path / "played.jsonl").write_text(episode.to_json() + "\n", encoding="utf-8")
    (tmp_path / "meta.json").write_text("{}", encoding="utf-8")
    return tmp_path


def test_agreement_by_hand() -> None:
    # 10 pairs, 7 equal; chance: (6*5 + 4*5) / 100 = 0.5; kappa = (0.7 - 0.5) / 0.5
    pairs = [(1, 1)] * 4 + [(1, 0)] * 2 + [(0, 1)] * 1 + [(0, 0)] * 3
    found = agreement((float(a), float(b)) for a, b in pairs)
    assert (found.pairs, found.agree) == (10, 7)
    assert found.percent == pytest.approx(70.0)
    assert found.kappa == pytest.approx(0.4)
    assert found.confusion == {(0.0, 0.0): 3, (0.0, 1.0): 1, (1.0, 0.0): 2, (1.0, 1.0): 4}


@pytest.mark.parametrize(("pairs", "kappa"), [([(1.0, 1.0)] * 5, math.nan), ([], math.nan), ([(1, 0), (0, 1)], -1.0)])
def test_kappa_where_chance_explains_all_or_nothing(pairs: list[tuple[float, float]], kappa: float) -> None:
    assert agreement(pairs).kappa == pytest.approx(kappa, nan_ok=True)


def test_the_rules_agree_with_themselves_on_what_is_stored(folder: Path) -> None:
    stored = read_stored([folder])
    assert sorted(one.id for one in stored) == sorted(
        ["qa/0", "qa/1", "qa/2", *(f"oracle/3/{r.signals.request_id}" for r in Episode.from_json(
            (folder / "played.jsonl").read_text(encoding="utf-8")).requests)]
    )  # fmt: skip
    result = regrade(stored, module.roster.judge("rules"), "rules")
    assert not result.changes
    for head in ("accuracy", "effectiveness", "tool_rationality", "skill_selection"):
        assert result.agreement(head).percent == 100.0
    assert [new.total for _, new in result.rows] == [old.total for old, _ in result.rows]


def test_values_are_the_same_to_six_decimals() -> None:
    assert agreement([(0.1 + 0.2, 0.3), (0.5, 0.5000001), (0.5, 0.50001)]).agree == 2


def test_what_changed_is_told_with_both_reasons(folder: Path) -> None:
    result = regrade(read_stored([folder / "records.jsonl"]), Strict(), "strict")
    assert len(result.changes) == 6
    assert result.agreement("accuracy").confusion == {(1.0, 0.0): 3}
    assert result.agreement("tool_rationality").percent == 100.0
    text = render(result, show=1)
    assert "3 requests regraded by strict" in text
    assert "1>0: 3" in text
    assert "before: a stored reason" in text
    assert "after:  no" in text
    assert "and 5 more" in text


def test_the_same_judge_twice_is_warned_of(folder: Path) -> None:
    assert "are the same (rules)" in run([folder], "rules")
    assert "warning" not in run([folder], "rules", trained_with="llm:http://127.0.0.1:9/v1")
    assert same_judge("llm:http://H/v1/ ", "llm:http://h/v1")
    assert not same_judge("llm:http://h/v1#a", "llm:http://h/v1#b")


def test_a_model_judges_stored_requests(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    def judge(name: str, votes: int, cache: Path | None) -> Strict:
        asked.append((name, votes))
        return Strict()

    monkeypatch.setattr(module.roster, "judge", judge)
    out = tmp_path / "out" / "regraded.jsonl"
    text = run([folder / "records.jsonl"], "llm:http://127.0.0.1:9/v1", votes=5, out=out)
    assert asked == [("llm:http://127.0.0.1:9/v1", 5)]
    assert "warning" not in text
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["qa/0", "qa/1", "qa/2"]
    assert lines[0]["before"]["accuracy"] == 1.0
    assert lines[0]["after"]["accuracy"] == 0.0
    assert lines[0]["why_after"] == {"accuracy": ["no"], "effectiveness": ["half"]}


def test_a_judge_that_is_down_scores_nothing(folder: Path) -> None:
    stored = read_stored([folder])
    with pytest.raises(CompletionError, match="left 1 of 1 requests unanswered"):
        regrade(stored, Broken(), "broken")
    result = regrade(stored, Broken(), "broken", most_lost=1.0)
    assert not result.rows
    assert len(result.lost) == len(stored)
    assert "lost: qa/" in render(result)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["nonsense", "{}"], "line 1 is no record and no episode"),
        (['{"status":"ok","id":"a","heads":{},"reasons":{},"reward":0,"signals":null}', ""], "it holds no signals"),
        ([""], "no stored request in"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, lines: Sequence[str], problem: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ConfigError, match=problem):
        read_stored([file])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no file or folder"):
        read_stored([tmp_path / "none"])


def test_the_command_prints_the_report(folder: Path) -> None:
    from typer.testing import CliRunner

    from livesim.cli import app

    done = CliRunner().invoke(app, ["regrade", str(folder), "--judge", "rules", "--show", "0"])
    assert done.exit_code == 0
    assert "6 requests regraded by rules" in done.output
    assert "0 values changed" in done.output
