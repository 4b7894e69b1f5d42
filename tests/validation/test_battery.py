"""The whole battery at a tiny size: files, verdicts, exit code."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.errors import ConfigError
from livesim.evaluation.intervals import Interval
from livesim.validation import battery
from livesim.validation.budget import Budget, Tick
from livesim.validation.checks import Check, Curve, Part, Verdict

GOOD = Check("sales rise", Verdict.HOLDS, Interval(0.2, 0.1, 0.3), 0.0, math.inf, "domain 4", percent=True)
BAD = Check("share of trolls", Verdict.FAILS, Interval(0.2, 0.1, 0.3), 0.0, 0.05)
GAP = Check("hosts are moody", Verdict.NOT_MODELLED, note="replies carry no emotion")
CURVE = Curve("volume", (1.0, 2.0, 4.0), (Interval(0.1, 0.0, 0.2),) * 3, "comments", "orders", log=True)
NAMED = Curve("points", (0.0, 1.0), (Interval(1.0, math.nan, math.nan),) * 2, "policy", "points", words=("a", "b"))


def part(*checks: Check, name: str = "effects") -> Part:
    return Part(name, "by hand", checks, (CURVE, NAMED))


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> dict[str, Part]:
    """What the battery measures, instead of rooms."""
    found: dict[str, Part] = {"effects": part(GOOD, GAP), "noise": part(GOOD, name="noise")}

    def of(name: str) -> object:
        def measure(budget: Budget, tick: Tick) -> Part:
            tick(1.0)
            return found[name]

        return measure

    monkeypatch.setattr(battery, "PARTS", {name: of(name) for name in found})
    return found


def test_results_are_written_as_table_json_and_pictures(parts: dict[str, Part], tmp_path: Path) -> None:
    report = battery.run(tmp_path, quick=True, bar=False)
    assert report.failing == ()
    data = json.loads((tmp_path / "validate.json").read_text(encoding="utf-8"))
    check = data["parts"][0]["checks"][0]
    assert check["value"] == [0.2, 0.1, 0.3]
    assert check["high"] is None  # open
    assert data["failing"] == []
    table = (tmp_path / "table.txt").read_text(encoding="utf-8")
    assert "+20.0 % [+10.0, +30.0]  up" in table
    assert "3 checks: 2 holds, 0 FAILS, 1 not modelled, 0 no target" in table
    for name in parts:
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_all_that_holds_is_exit_code_0(parts: dict[str, Part], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["validate", "--quick", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "hosts are moody" in result.output


def test_what_fails_is_named_and_exit_code_1(parts: dict[str, Part], tmp_path: Path) -> None:
    parts["noise"] = part(GOOD, BAD, name="noise")
    result = CliRunner().invoke(app, ["validate", "--quick", "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert "FAILS noise: share of trolls" in result.output
    assert json.loads((tmp_path / "validate.json").read_text(encoding="utf-8"))["failing"] == ["noise: share of trolls"]
    only = CliRunner().invoke(app, ["validate", "--quick", "--part", "effects", "--out", str(tmp_path)])
    assert only.exit_code == 0


def test_a_part_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'effect'.*effects"):
        battery.run(tmp_path, parts=["effect"], bar=False)
