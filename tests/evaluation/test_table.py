"""Tables and verdicts from fixed records."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path

from livesim.evaluation.charts import Bar, Line, bars, lines
from livesim.evaluation.intervals import Interval
from livesim.evaluation.records import CallLine, Record, RecordFile, Status
from livesim.evaluation.report import Curves, Report, bubbles, replay_case, write
from livesim.evaluation.run import Evaluation
from livesim.evaluation.suites import CHANGES
from livesim.evaluation.table import (
    CHANGED_SUITE,
    dimension_table,
    latency_table,
    number,
    render,
    score_table,
    variant_table,
    verdicts,
)

Make = Callable[..., Record]
WRONG = {"accuracy": 0.0, "effectiveness": 0.5, "skill_selection": 0.0}


def arm(label: str, record: Make, lost: frozenset[str] = frozenset(), tasks: int = 12) -> Evaluation:
    """Perfect on the original harness; wrong wherever the change is in ``lost``."""
    changed = tuple(
        record(
            task,
            id=f"{task:04d}-{kind}",
            suite="harness_variant_qa",
            dimension=kind,
            variant=f"{kind}#{task // 4}",
            heads=WRONG if kind in lost else {},
            messages=(
                {"role": "system", "content": "prompt"},
                {"role": "user", "content": "mia: <b>how much</b>"},
                {"role": "assistant", "content": "load"},
                {"role": "tool", "content": "skill"},
                {"role": "assistant", "content": "call"},
                {"role": "tool", "content": "timed out"},
                {"role": "assistant", "content": "it is 89 yuan"},
            ),
            calls=(CallLine("price_check", {"link": 2}, False, fault="timeout"),),
            changes=("tool price_check is now called q7",),
        )
        for task in range(tasks)
        for kind in CHANGES
    )
    original = tuple(record(task) for task in range(tasks))
    return Evaluation(label, {"model": "abc"}, {"live_stream_qa": original, "harness_variant_qa": changed})


def test_numbers_are_written_with_their_interval() -> None:
    nan = float("nan")
    assert number(Interval(83.14, 78.0, 88.25)) == "83.1 [78.0, 88.2]"
    assert number(Interval(83.14, nan, nan)) == "83.1"
    assert number(Interval(nan, nan, nan)) == "-"


def test_scores_and_losses_of_two_arms(record: Make) -> None:
    found = score_table([arm("fixed", record, frozenset(CHANGES)), arm("HAT", record, frozenset({"all_five"}))])
    assert found.columns[0] == "model"
    fixed, hat = found.rows
    assert fixed[0] == "fixed"
    # nothing varies among 12 tasks: up to 24.25 % of others might all the same (Wilson of 0 in 12)
    assert fixed[1] == "100.0 [75.8, 100.0]"
    assert fixed[3] == "25.0 [18.9, 43.2]"
    assert fixed[5] == "-75.0 [-81.1, -32.6]"
    assert hat[3].startswith("87.5 [")  # (5 x 100 + 25) / 6
    assert fixed[6] == "-100.0 [-100.0, -51.5]"
    assert hat[5] == "-12.5 [-33.7, 14.8]"  # every task loses the same


def test_dimensions_are_shown_apart(record: Make) -> None:
    found = dimension_table([arm("HAT", record, frozenset({"hook"}))])
    row = dict(zip(found.columns, found.rows[0], strict=True))
    assert row["hook"].startswith("0 [")
    assert row["all_five"].startswith("100 [")


def test_each_variant_counts_once_with_what_was_refused_on_the_way(record: Make) -> None:
    draws = {"proved": 1, "draft refused, drawn again: two skills _": 2, "given up, left as it was: hook": 1}
    one, two = ({"dimension": "hook", "variant": name, "draws": draws} for name in ("hook#0", "hook#1"))
    records = (record(**one), record(**one), record(**two), record())
    (row,) = variant_table([Evaluation("m", {}, {CHANGED_SUITE: records})]).rows
    assert row == ("m", "2", "2", "2", "4", "4 x two skills _")
    assert variant_table([Evaluation("m", {}, {"live_stream_qa": records})]).rows == ()


def test_the_verdict_follows_the_intervals_and_not_the_names(record: Make) -> None:
    fixed, hat = arm("fixed", record, frozenset(CHANGES)), arm("HAT", record)
    ahead = verdicts([fixed, hat], "HAT", "fixed")
    assert "live_stream_qa, score: no difference beyond the interval" in ahead[0]
    assert any(line.startswith("harness_variant_qa, score: HAT is ahead of fixed by 75.0") for line in ahead)
    assert any(
        line.startswith("the change of harness, score: HAT 0.0") and "HAT loses less: 75.0" in line for line in ahead
    )
    behind = verdicts([hat, fixed], "fixed", "HAT")
    assert any("fixed loses MORE: -75.0" in line for line in behind)
    assert any("fixed is BEHIND HAT: -75.0" in line for line in behind)
    same = verdicts([hat, Evaluation("twin", {}, hat.records)], "HAT", "twin")
    assert all("ahead" not in line and "BEHIND" not in line for line in same)
    assert verdicts([hat], "HAT", "fixed") == ()


def test_a_table_from_fixed_lines_on_disk(record: Make, tmp_path: Path) -> None:
    whole = arm("HAT", record)
    for suite, records in whole.records.items():
        RecordFile(tmp_path / f"{suite}.jsonl").append(records)
    back = {suite: tuple(RecordFile(tmp_path / f"{suite}.jsonl").read()) for suite in whole.records}
    assert back == whole.records
    assert render([Evaluation("HAT", {}, back)]) == render([Evaluation("HAT", {}, whole.records)])


def test_text_and_markdown_hold_every_cell(record: Make) -> None:
    found = score_table([arm("HAT", record)])
    for shown in (found.text(), found.markdown()):
        assert all(cell in shown for cell in (*found.columns, *found.rows[0]))


def test_a_label_with_a_bar_stays_one_cell_of_markdown(record: Make) -> None:
    first, *_ = score_table([arm("a|b", record)]).markdown().split("\n")[4:]
    assert first.startswith("| a\\|b | 100.0")


def test_one_task_decides_nothing_and_says_so(record: Make) -> None:
    better, worse = (
        Evaluation(name, {}, {"live_stream_qa": (record(0, heads=heads),)}) for name, heads in (("a", {}), ("b", WRONG))
    )
    (score, full) = verdicts([better, worse], "a", "b")
    assert score == (
        "live_stream_qa, score: too few tasks or variants for an interval between a and b: 75.0 points over 1 pair"
    )
    assert "100.0 points over 1 pair" in full


def test_what_was_not_measured_is_a_dash(record: Make) -> None:
    lost = Evaluation("m", {}, {"live_stream_qa": (record(0, status=Status.INFRASTRUCTURE_ERROR),)})
    assert latency_table([lost]).rows == (("m", "live_stream_qa", "-", "-", "-", "-"),)
    assert "nan" not in render([lost])


def test_the_replay_is_the_first_case_that_ends_differently(record: Make) -> None:
    fixed, hat = arm("fixed", record, frozenset({"tool_definition"})), arm("HAT", record)
    pair, rule = replay_case(hat.records["harness_variant_qa"], fixed.records["harness_variant_qa"])
    assert pair is not None
    assert pair[0].id == "0000-tool_definition"
    assert "has all heads full and the other has not" in rule
    pair, rule = replay_case(hat.records["harness_variant_qa"], hat.records["harness_variant_qa"])
    assert pair is not None
    assert "never differ" in rule
    assert replay_case([], []) == (None, "")


def test_bubbles_mark_faults_and_what_a_turn_was(record: Make) -> None:
    shown = bubbles(arm("HAT", record).records["harness_variant_qa"][0])
    assert [(b.role, b.mark, b.marks) for b in shown] == [
        ("system", "", ()),
        ("user", "", ()),
        ("assistant", "loads a skill", ()),
        ("tool", "result", ()),
        ("assistant", "calls a tool", ()),
        ("tool", "result", ("timeout",)),
        ("assistant", "spoken", ()),
    ]


def test_a_chart_names_steps_where_they_are() -> None:
    def named(*steps: float) -> list[tuple[str, str]]:
        drawn = lines([Line("sft", steps, tuple(1.0 for _ in steps))])
        return re.findall(r'x="([\d.]+)" y="208" text-anchor="\w+">step (\d+)<', drawn)

    assert named(7.0) == [("52.0", "7")]  # one step is no two
    assert named(1.0, 2.0) == [("52.0", "1"), ("908.0", "2")]
    assert named(1.0, 2.0, 3.0, 4.0) == [("52.0", "1"), ("337.3", "2"), ("908.0", "4")]  # 2 stands at a third


def test_a_chart_of_lines_holds_zero_and_escapes_names() -> None:
    drawn = lines([Line("<b>", (1.0, 2.0, 3.0), (-3.0, math.nan, -2.0))])
    assert ">0</text>" in drawn
    assert "<b>" not in drawn
    assert drawn.count("<circle") == 2
    assert "nothing was recorded" in lines([Line("x", (1.0,), (math.nan,))])


def test_each_of_eight_models_has_its_colour() -> None:
    drawn = bars([("T1", [Bar(f"m{n}", Interval(50.0, 40.0, 60.0)) for n in range(8)])])
    assert len(set(re.findall(r'fill="(#\w+)"', drawn))) == 8


def test_the_report_is_one_file_that_escapes_what_models_write_and_loads_nothing(record: Make, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write(
        Report(
            title="run <x>",
            evaluations=(arm("fixed", record, frozenset(CHANGES)), arm("HAT", record)),
            against=("HAT", "fixed"),
            curves=(Curves("loss", "per step", (Line("sft", (1.0, 2.0), (2.0, 1.0)),)),),
            facts=(("date", "2026-01-01"),),
            config="seed: 1",
        ),
        path,
    )
    page = path.read_text(encoding="utf-8")
    assert "run &lt;x&gt;" in page
    assert "&lt;b&gt;how much&lt;/b&gt;" in page
    assert "<b>how much" not in page
    assert "HAT is ahead of fixed by 75.0" in page
    assert "timeout" in page
    for outside in ("http://", "https://", "<script", "src="):
        assert outside not in page
