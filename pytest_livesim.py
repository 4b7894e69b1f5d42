"""pytest plugin: files named ``*.scenario.yaml`` are tests; each is played once and its expectations are checked.

It stands outside the package ``livesim`` so that a pytest run without such files imports nothing of it.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from pathlib import Path

import pytest

DEFAULT = "*.scenario.yaml"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option ``--livesim-agent`` and two ini values."""
    group = parser.getgroup("livesim")
    group.addoption("--livesim-agent", default=None, help="who plays the scenarios: oracle, react:URL, ...")
    parser.addini("livesim_agent", "who plays the scenarios", default="oracle")
    parser.addini("livesim_scenarios", "patterns of file names that are scenarios", type="args", default=[DEFAULT])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ScenarioFile | None:
    """A scenario file, when the name says so."""
    if file_path.suffix not in (".yaml", ".yml"):
        return None
    patterns: list[str] = parent.config.getini("livesim_scenarios")
    if not any(fnmatch.fnmatch(file_path.name, pattern) for pattern in patterns):
        return None
    found: ScenarioFile = ScenarioFile.from_parent(parent, path=file_path)
    return found


class ScenarioFailed(Exception):
    """An expectation was not met; the text is the verdict and the timeline."""


class ScenarioFile(pytest.File):
    """A file with one scenario."""

    def collect(self) -> Iterator[pytest.Item]:
        """Its one test."""
        yield ScenarioItem.from_parent(self, name=self.path.name.removesuffix(".yaml").removesuffix(".scenario"))


class ScenarioItem(pytest.Item):
    """One play of a scenario."""

    def runtest(self) -> None:
        """Play it. Raises ScenarioFailed with the verdict and the timeline when an expectation is not met."""
        from livesim import roster
        from livesim.errors import ScenarioError
        from livesim.regression.play import rehearse
        from livesim.scenarios import library

        name = self.config.getoption("--livesim-agent") or self.config.getini("livesim_agent")
        scenario = library.load(self.path)
        if scenario.expect is None:
            raise ScenarioError(f"{self.path}: a scenario without expect: is no test")
        done = rehearse(scenario, roster.agent(name))
        if not done.passed:
            verdict = [str(line) for line in done.lines if not line.passed]
            met = f"{len(done.lines) - len(verdict)} of {len(done.lines)} expectations are met by {name}"
            raise ScenarioFailed("\n".join([*verdict, met, "", *map(str, done.timeline)]))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        """The verdict, or one line for what livesim says on purpose; a traceback for anything else."""
        from livesim.errors import LiveSimError

        if isinstance(excinfo.value, ScenarioFailed | LiveSimError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it is."""
        return self.path, 0, f"scenario {self.name}"
