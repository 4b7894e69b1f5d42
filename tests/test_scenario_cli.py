"""``livesim scenario``: what is listed, what the linter prints, and exit codes by verdict."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app, main
from livesim.rollout import Episode
from livesim.scenario_cli import chosen
from livesim.scenarios import library


def livesim(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["scenario", *words])
    return done.exit_code, done.output


def test_list_names_every_scenario_with_its_summary() -> None:
    code, text = livesim("list")
    assert code == 0
    for name in (*library.names(), *library.tests()):
        assert name in text
        assert library.load(name).summary in text


def test_run_prints_timeline_and_verdict_and_exits_by_it(tmp_path: Path) -> None:
    code, text = livesim("run", "timeout_once", "--json", str(tmp_path))
    assert code == 0
    for words in ("mia: how much is link 1?", "fault   timeout", "pass  must say '89 yuan'", "passed with oracle"):
        assert words in text
    assert Episode.from_json((tmp_path / "timeout_once.json").read_text()).scenario == "timeout_once"
    code, text = livesim("run", "timeout_once", "--agent", "silent")
    assert code == 1
    assert "FAIL  must say '89 yuan' (said: nothing)" in text


def test_files_of_one_name_keep_their_episodes_apart(tmp_path: Path) -> None:
    text = library.file_of("this_one").read_text()
    files = [tmp_path / folder / "one.scenario.yaml" for folder in ("first", "second")]
    for file in (*files, tmp_path / "alone.scenario.yaml"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    out = tmp_path / "out"
    code, _ = livesim("run", *map(str, files), str(tmp_path / "alone.scenario.yaml"), "--json", str(out))
    assert code == 0
    found = sorted(path.name for path in out.iterdir())
    assert len(found) == 3
    assert found[-1].endswith("second-one.scenario.json")
    assert {"alone.scenario.json"} < {*found}


def test_run_takes_families_folders_and_files_and_sums_up(tmp_path: Path) -> None:
    code, text = livesim("run", "ab_traps", "--quiet")
    assert (code, text.strip()) == (0, "6 of 6 passed")
    file = tmp_path / "mine.yaml"
    file.write_text(library.file_of("this_one").read_text())
    code, text = livesim("run", str(tmp_path), str(file), "--quiet", "--agent", "echo")
    assert code == 1
    assert "0 of 2 passed" in text


def test_a_folder_means_its_scenario_files_where_names_say_so(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "lines.yaml").write_text("- {at_s: 3}\n")
    mine = tmp_path / "mine.scenario.yaml"
    mine.write_text(library.file_of("this_one").read_text())
    assert chosen([str(tmp_path)]) == [str(mine)]
    mine.rename(tmp_path / "mine.yaml")
    assert len(chosen([str(tmp_path)])) == 2


def test_a_failed_run_says_how_many_expectations_are_met() -> None:
    _, text = livesim("run", "timeout_once", "--agent", "silent", "--quiet")
    assert "FAILED with silent, seed 0: 2 of 10 expectations are met" in text


def test_a_room_without_expectations_runs_and_passes() -> None:
    code, text = livesim("run", "tiny", "--seed", "3")
    assert code == 0
    assert "nothing is expected" in text


def test_lint_prints_problems_and_exits_by_them(tmp_path: Path) -> None:
    assert livesim("lint", "confusion")[0] == 0
    file = tmp_path / "bad.yaml"
    file.write_text(library.file_of("this_one").read_text().replace("129 yuan", "128 yuan"))
    assert livesim("lint", str(file))[0] == 0
    code, text = livesim("lint", str(file), "--oracle")
    assert code == 1
    assert "error: oracle: FAIL  must say '128 yuan'" in text
    file.write_text("name: x\nhorizn_s: 3\n")
    code, text = livesim("lint", str(file))
    assert code == 1
    assert "did you mean 'horizon_s'" in text


def test_what_cannot_be_run_is_one_line_and_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, hint in ((["timeout_onc"], "did you mean 'timeout_once'"), ([str(tmp_path)], "holds no .yaml file")):
        monkeypatch.setattr("sys.argv", ["livesim", "scenario", "run", *words])
        with pytest.raises(SystemExit) as stopped:
            main()
        assert stopped.value.code == 2
        assert hint in capsys.readouterr().err


def test_viewers_of_a_module_in_the_working_directory_play_and_fail_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine_for_a_test.py").write_text(
        "from livesim.types import Intent\n"
        "from livesim.world.viewers import ViewerComment\n"
        "class Once:\n"
        "    def reset(self, seed, room): self.said = False\n"
        "    def window(self, room, dt_s):\n"
        "        if self.said: raise KeyError('nothing more to say')\n"
        "        self.said = True\n"
        "        return [ViewerComment('ida', 'good evening', Intent.GREETING)]\n"
        "    def react(self, heard): return []\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", list(sys.path))
    for words in (["scenario", "run", "tiny"], ["play", "--scenario", "tiny"]):
        monkeypatch.setattr("sys.argv", ["livesim", *words, "--viewers", "mine_for_a_test:Once"])
        with pytest.raises(SystemExit) as stopped:
            main()
        assert stopped.value.code == 2
        assert "Once.window raised KeyError: 'nothing more to say'" in capsys.readouterr().err
    code, text = livesim("run", "timeout_once", "--viewers", "small_room")
    assert code in (0, 1)
    assert "mia: how much is link 1?" not in text
