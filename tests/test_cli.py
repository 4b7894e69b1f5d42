"""The command line."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app, main
from livesim.errors import ConfigError
from livesim.evaluation import command
from livesim.evaluation.run import load
from livesim.evaluation.suites import suites
from livesim.rollout import Episode


def test_play_shows_an_episode(tmp_path: Path) -> None:
    out = tmp_path / "e.json"
    done = CliRunner().invoke(
        app, ["play", "--agent", "oracle", "--seed", "7", "--requests", "2", "--faults", "stress", "--json", str(out)]
    )
    assert done.exit_code == 0, done.output
    for word in ("request r1", "On air: link", "<tool_call>", "accuracy", "skill_selection", "total", "return"):
        assert word in done.output
    episode = Episode.from_json(out.read_text())
    assert episode.seed == 7
    assert len(episode.requests) == 2


def test_play_takes_another_harness_and_variant() -> None:
    done = CliRunner().invoke(
        app, ["play", "--harness", "compact", "--augment", "heldout", "--scenario", "quiet_room", "--requests", "1"]
    )
    assert done.exit_code == 0, done.output
    assert "compact" in done.output
    assert "augmented" in done.output


def test_play_finds_a_discipline_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_order.py").write_text("def last(queue):\n    return len(queue) - 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [entry for entry in sys.path if entry])
    done = CliRunner().invoke(app, ["play", "--serve", "own_order:last", "--scenario", "tiny", "--requests", "1"])
    assert done.exit_code == 0, done.output


def test_a_wrong_name_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["livesim", "play", "--agent", "oracel"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "did you mean 'oracle'" in capsys.readouterr().err


EVAL = ["livesim", "eval", "--harness", "compact"]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["--model", "runs/none"], "there is no such folder"),
        (["--model", "ftp://here/v1"], "begins with http:// or https://"),
        (["--model", "oracel"], "did you mean 'oracle'"),
        (["--model", "oracle", "--suite", "ifevl"], "did you mean 'ifeval'"),
        (["--model", "oracle", "--scenario", "nowhere"], "unknown scenario 'nowhere'"),
        (["--model", "oracle", "--against", "nothing"], "nothing holds no evaluation"),
        (["--model", "oracle", "--suite", "ifeval", "--against", "nothing"], "nothing holds no answers to IFEval"),
        (["--model", "oracle", "--out", "/dev/null/x"], "/dev/null/x"),
    ],
)
def test_a_wrong_order_of_an_evaluation_is_one_line_before_any_work(
    wrong: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [*EVAL, *wrong])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("error: ")
    assert told in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


def test_a_full_disk_is_told_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    order = ["--model", "oracle", "--suite", "live_stream_qa", "--episodes", "3", "--out", str(tmp_path)]
    monkeypatch.setattr("sys.argv", [*EVAL, *order])
    real, calls = os.fsync, []

    def full(file: int) -> None:
        calls.append(file)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "make room and run the same command again" in capsys.readouterr().err
    with pytest.raises(SystemExit) as done:
        main()
    assert done.value.code == 0
    assert len(load(tmp_path).records["live_stream_qa"]) == 3


def test_who_stops_an_evaluation_is_told_how_it_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*order: object, **rest: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "evaluate", interrupted)
    done = CliRunner().invoke(app, [*EVAL[1:], "--model", "oracle", "--out", str(tmp_path)])
    assert done.exit_code == 130
    assert "the same command goes on from there" in done.output


def test_the_help_of_eval_names_every_suite() -> None:
    shown = CliRunner().invoke(app, ["eval", "--help"], env={"COLUMNS": "200"}).output
    assert all(name in shown for name in (*suites(), "ifeval"))


def test_models_of_one_name_are_told_apart_and_other_tasks_are_no_pairs(tmp_path: Path) -> None:
    base, mine, none = (tmp_path / name for name in ("base", "mine", "none"))
    order = [*EVAL[1:], "--suite", "live_stream_qa", "--episodes", "8", "--label", "model"]
    CliRunner().invoke(app, [*order, "--model", "silent", "--out", str(base)])
    done = CliRunner().invoke(app, [*order, "--model", "oracle", "--out", str(mine), "--against", str(base)])
    assert f"live_stream_qa, score: model is ahead of model ({base}) by " in done.output
    for change, told in ((["--seed", "1"], "seed 0, here 1"), (["--scenario", "tiny"], "scenario qa, here tiny")):
        wrong = [*order, *change, "--model", "oracle", "--out", str(none), "--against", str(base)]
        refused = CliRunner().invoke(app, wrong).exception
        assert isinstance(refused, ConfigError)
        assert told in str(refused)
    assert not none.exists()


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (["evolve", "--seeds", "0,b"], "--seeds '0,b': write whole numbers"),
        (["edit-test", "--agent", "a=oracle", "--test-seeds", ""], "--test-seeds '': write whole numbers"),
    ],
)
def test_seeds_that_are_no_numbers_are_named(order: list[str], told: str, tmp_path: Path) -> None:
    refused = CliRunner().invoke(app, [*order, "--out", str(tmp_path)]).exception
    assert isinstance(refused, ConfigError)
    assert told in str(refused)


@pytest.mark.parametrize(
    "order",
    [
        ["play"],
        ["eval", "--model", "oracle", "--suite", "live_stream_qa"],
        ["harness", "augment", "compact"],
        ["scenario", "run", "this_one"],
    ],
    ids=lambda order: order[0],
)
def test_a_seed_below_zero_is_a_wrong_option(order: list[str]) -> None:
    done = CliRunner().invoke(app, [*order, "--seed", "-1"])
    assert done.exit_code == 2
    assert "--seed" in done.output
    assert isinstance(done.exception, SystemExit)


def test_random_turns_of_any_unicode_can_be_shown_kept_and_evaluated(tmp_path: Path) -> None:
    """The random agent writes lone surrogates, which no file and no terminal takes."""
    for seed in (3, 4, 5):
        out = tmp_path / f"{seed}.json"
        done = CliRunner().invoke(app, ["play", "--agent", "random", "--seed", str(seed), "--json", str(out)])
        assert done.exit_code == 0, done.output
        assert Episode.from_json(out.read_text(encoding="utf-8")).seed == seed
    order = ["eval", "--model", "random", "--suite", "live_stream_qa", "--episodes", "6", "--out", str(tmp_path / "e")]
    done = CliRunner().invoke(app, order)
    assert done.exit_code == 0, done.output
    assert len(load(tmp_path / "e").records["live_stream_qa"]) == 6
