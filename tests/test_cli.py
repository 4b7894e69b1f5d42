"""The command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app, main
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


def test_a_wrong_name_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["livesim", "play", "--agent", "oracel"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert "did you mean 'oracle'" in capsys.readouterr().err
