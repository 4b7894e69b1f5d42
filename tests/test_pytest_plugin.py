"""The pytest plugin: scenario files are collected by name, fail with their verdict, and cost nothing elsewhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import agents.roster  # noqa: F401  pytester forgets what a run imports: loaded here, it is loaded once
import livesim.regression.play  # noqa: F401
from livesim.scenarios import library

pytest_plugins = ("pytester",)

GOOD = library.file_of("this_one").read_text(encoding="utf-8")


def test_scenario_files_are_tests(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("good.scenario.yaml").write_text(GOOD)
    pytester.path.joinpath("bad.scenario.yaml").write_text(GOOD.replace("must_say: 129 yuan", "must_say: 128 yuan"))
    pytester.path.joinpath("other.yaml").write_text(GOOD)
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*bad.scenario.yaml::bad FAILED*",
            "*good.scenario.yaml::good PASSED*",
            "FAIL  must say '128 yuan' (said: *",
            "* of * expectations are met by oracle",
            "*viewer  mia: how much is this one?",
        ]
    )


def test_the_agent_comes_from_the_command_line_or_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("good.scenario.yaml").write_text(GOOD)
    pytester.runpytest("--livesim-agent", "silent").assert_outcomes(failed=1)
    pytester.makeini("[pytest]\nlivesim_agent = echo\n")
    pytester.runpytest().assert_outcomes(failed=1)
    pytester.runpytest("--livesim-agent", "oracle").assert_outcomes(passed=1)


def test_other_names_can_be_scenarios_too(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("mine.yml").write_text(GOOD)
    pytester.makeini("[pytest]\nlivesim_scenarios = *.yml\n")
    pytester.runpytest().assert_outcomes(passed=1)


def test_a_wrong_file_is_a_failure_in_one_line(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("a.scenario.yaml").write_text("name: a\nexpect: {must_cal: price_check}\n")
    pytester.path.joinpath("b.scenario.yaml").write_text("name: b\n")
    result = pytester.runpytest()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*did you mean 'must_call'*", "*a scenario without expect: is no test"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_run_without_scenarios_imports_nothing_of_livesim(tmp_path: Path) -> None:
    tmp_path.joinpath("test_x.py").write_text(
        "import sys\n\ndef test_x():\n"
        "    assert 'pytest_livesim' in sys.modules\n    assert 'livesim' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(tmp_path)], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
