"""Numbers from records, worked out by hand."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import pytest

from livesim.evaluation.metrics import change_loss, paired, summarise
from livesim.evaluation.records import Record, Status

Make = Callable[..., Record]
WRONG = {"accuracy": 0.0, "effectiveness": 0.5}


def test_score_is_the_mean_of_accuracy_and_effectiveness_in_percent(record: Make) -> None:
    found = summarise("s", [record(0), record(1, heads=WRONG), record(2, heads={"effectiveness": 0.0}), record(3)])
    assert found.score.mean == pytest.approx((100 + 25 + 50 + 100) / 4)
    assert found.heads["effectiveness"].mean == pytest.approx(0.625)
    assert found.strict.mean == pytest.approx(0.5)


def test_strict_success_wants_all_four_heads_but_not_the_length_term(record: Make) -> None:
    assert record(heads={"length": -0.2}).strict
    assert not record(heads={"skill_selection": 0.99}).strict


def test_a_lost_episode_is_counted_and_never_scored(record: Make) -> None:
    lost = record(1, status=Status.INFRASTRUCTURE_ERROR, error="503", heads=WRONG)
    found = summarise("s", [record(0), lost])
    assert (found.episodes, found.infrastructure_errors) == (1, 1)
    assert found.score.mean == 100.0
    nothing = summarise("s", [lost])
    assert nothing.episodes == 0
    assert math.isnan(nothing.score.mean)


def test_pass_k_over_the_variants_of_a_task(record: Make) -> None:
    # Task 0: 3 of 3 variants; task 1: 1 of 3. pass^1 = (1 + 1/3) / 2, pass^2 = (1 + 0) / 2, pass^3 = 1/2.
    records = [
        record(task, id=f"{task}-{i}", dimension="hook", variant=f"hook#{i}", heads={} if good else WRONG)
        for task, row in enumerate([(1, 1, 1), (0, 1, 0)])
        for i, good in enumerate(row)
    ]
    found = summarise("harness_variant_qa", records)
    assert found.pass_k == {1: pytest.approx(2 / 3), 2: pytest.approx(0.5), 3: pytest.approx(0.5)}


def test_the_worst_variant_needs_three_episodes(record: Make) -> None:
    rows = [("a", 100.0)] * 3 + [("b", 0.0)] * 2 + [("c", 50.0)] * 3
    heads = {100.0: {}, 0.0: {"accuracy": 0.0, "effectiveness": 0.0}, 50.0: {"effectiveness": 0.0}}
    records = [record(i, dimension="hook", variant=v, heads=heads[score]) for i, (v, score) in enumerate(rows)]
    found = summarise("harness_variant_qa", records)
    assert found.worst_variant == "c"
    assert found.worst is not None
    assert found.worst.score.mean == 50.0


def test_dimensions_have_their_own_slices(record: Make) -> None:
    records = [
        record(0, id="a", dimension="hook", variant="hook#0"),
        record(0, id="b", dimension="all_five", variant="all_five#0", heads=WRONG),
    ]
    found = summarise("harness_variant_qa", records).dimensions
    assert {name: s.score.mean for name, s in found.items()} == {"hook": 100.0, "all_five": 25.0}


def test_paired_difference_uses_common_cases_and_says_who_is_ahead(record: Make) -> None:
    good = [record(i) for i in range(30)]
    bad = [record(i, heads=WRONG) for i in range(29)]
    gap = paired(good, bad, lambda r: r.score)
    assert (gap.pairs, gap.points.mean, gap.verdict) == (29, 75.0, 1)
    assert paired(bad, good, lambda r: r.score).verdict == -1
    assert paired(good, good, lambda r: r.score).verdict == 0
    assert paired(good, [], lambda r: r.score).pairs == 0


def test_change_loss_compares_a_task_with_itself(record: Make) -> None:
    original = [record(0), record(1, heads=WRONG)]
    changed = [
        record(0, id="0-a", dimension="hook", variant="hook#0", heads=WRONG),  # 25
        record(0, id="0-b", dimension="all_five", variant="all_five#0"),  # 100
        record(1, id="1-a", dimension="hook", variant="hook#0", heads=WRONG),
    ]
    gap = change_loss(original, changed, lambda r: r.score)
    assert gap.pairs == 3
    assert gap.points.mean == pytest.approx((-75 + 0 + 0) / 3)


def test_the_same_tasks_under_more_changes_are_no_new_tasks(record: Make) -> None:
    records = [
        record(task, id=f"{task}-{kind}", dimension=str(kind), variant=f"{kind}#{task // 4}", heads=heads)
        for task in range(24)
        for heads in [WRONG if task % 2 else {}]
        for kind in range(6)
    ]
    nobody = [dataclasses.replace(r, heads={**r.heads, **WRONG}) for r in records]
    once = summarise("live_stream_qa", [record(task, heads=WRONG if task % 2 else {}) for task in range(24)]).score
    found = summarise("harness_variant_qa", records).score
    gap = paired(records, nobody, lambda r: r.score).points
    assert tuple(found) == pytest.approx(tuple(once))
    assert gap.high - gap.low == pytest.approx(once.high - once.low)
