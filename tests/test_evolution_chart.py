"""What an evolution leaves to read: chart, Markdown and JSON of a hand-made trail."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from livesim.evolution.chart import draw
from livesim.evolution.checking import Means
from livesim.evolution.report import markdown
from livesim.evolution.trail import Failing, Size, Step, Trail, Verdict, write_trail


def means(points: float) -> Means:
    return Means(points, points, points, points, points, points, 100)


def trail(rules: int) -> Trail:
    """A baseline, a step that was published, and one of too few cases for an interval."""
    failing = (Failing("no_reply", 1, "why", ("hi",)),)
    size = Size(rules, 900)
    return Trail(
        "novice",
        (
            Step(0, 0, "a", (), means(60), size, Verdict.BASELINE, "", failing=failing),
            Step(1, 0, "b", (), means(72), size, Verdict.PUBLISHED, "", (12.0, 6.0, 18.0)),
            Step(2, 1, "c", (), means(90), size, Verdict.ROLLED_BACK, "", (18.0, math.nan, math.nan)),
        ),
    )


@pytest.mark.parametrize("rules", [0, 20])
def test_the_chart_is_drawn_with_unknown_intervals_and_without_rules(tmp_path: Path, rules: int) -> None:
    pytest.importorskip("matplotlib")
    draw(trail(rules), tmp_path / "curve.svg")
    assert "</svg>" in (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["curve.svg"]


def test_the_best_step_is_one_that_was_kept() -> None:
    assert trail(20).best.number == 1


def test_an_unknown_end_of_an_interval_is_null_in_json(tmp_path: Path) -> None:
    write_trail(trail(20), tmp_path / "evolution.json")

    def refuse(word: str) -> float:
        raise ValueError(word)

    steps = json.loads((tmp_path / "evolution.json").read_text(encoding="utf-8"), parse_constant=refuse)["steps"]
    assert [step["gain"] for step in steps] == [[0, 0, 0], [12, 6, 18], [18, None, None]]


def test_the_report_says_what_chose_the_edits_and_counts_in_english() -> None:
    text = markdown(trail(20))
    assert "The edits were chosen by these very episodes" in text
    assert "- no_reply, 1 case: why." in text
    assert "nan" not in text
