"""Pairs, seeds and claims of an experiment, by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from livesim.evaluation.ifeval.answers import Answer, Answered
from livesim.evaluation.intervals import Interval
from livesim.evaluation.records import FOUR_HEADS, Record
from livesim.evaluation.run import Evaluation
from livesim.evolution.checking import Means
from livesim.evolution.heldout import HeldoutResult
from livesim.pipeline import results
from livesim.pipeline.claims import claims
from livesim.pipeline.results import Found, difference, loss, mean

SCORE = results.MEASURES["score"]


def played(scores: Sequence[float], changed: Sequence[float] = ()) -> Evaluation:
    """One task a score under the original harness, and, where given, under one change."""

    def row(suite: str, task: int, score: float, kind: str, variant: str) -> Record:
        heads = {**dict.fromkeys(FOUR_HEADS, score / 100), "length": 0.0}
        return Record(str(task), suite, task, task, kind, variant, heads=heads)

    records = {
        "live_stream_qa": tuple(row("live_stream_qa", i, s, "original", "original") for i, s in enumerate(scores)),
        "harness_variant_qa": tuple(
            row("harness_variant_qa", i, s, "hook", f"hook#{i // 2}") for i, s in enumerate(changed)
        ),
    }
    return Evaluation("x", {}, {suite: rows for suite, rows in records.items() if rows})


def arm(
    name: str, evaluations: Mapping[int | None, Evaluation], edits: tuple[HeldoutResult, ...] = ()
) -> results.Tested:
    return results.Tested(name, name.upper(), evaluations, edits=edits)


def test_a_pair_is_a_case_and_the_seed_of_a_training() -> None:
    hat = arm("hat", {1: played([90, 80]), 2: played([70, 60]), 3: played([50, 40])})
    other = arm("sft", {2: played([30, 40]), 1: played([80, 90]), 9: played([0, 0])})
    found = difference(hat, other, "live_stream_qa", SCORE)
    # seed 1: 10, -10; seed 2: 40, 20; seed 3 and seed 9 have no partner
    assert (found.pairs, found.points.mean) == (4, 15)
    base = arm("base", {None: played([10, 20])})
    # the base goes with each seed: 80 60, 60 40, 40 20
    assert difference(hat, base, "live_stream_qa", SCORE).points.mean == 50
    assert difference(hat, base, "live_stream_qa", SCORE).pairs == 6
    assert difference(hat, arm("late", {9: played([0, 0])}), "live_stream_qa", SCORE).pairs == 0


def test_nobody_is_ahead_whose_seeds_disagree() -> None:
    tasks = 40
    steady = arm("hat", {seed: played([60 + task % 2 for task in range(tasks)]) for seed in (1, 2, 3)})
    lucky = arm("hat", {seed: played([worth] * tasks) for seed, worth in ((1, 90), (2, 50), (3, 50))})
    control = arm("fixed", {seed: played([50] * tasks) for seed in (1, 2, 3)})
    for ours, verdict in ((steady, 1), (lucky, 0)):
        found = difference(ours, control, "live_stream_qa", SCORE)
        assert found.points.mean > 10
        assert found.verdict == verdict
    one = arm("hat", {1: lucky.evaluations[1]})
    said = claims(Found((one, control), ("hat", "fixed")))
    assert "T1 score: HAT is ahead of FIXED by 40.0 [27.7, 45.3] points over 40 pairs" in said[1]
    assert said[1].endswith("one seed: the luck of its training is not in the interval")


def test_the_loss_is_within_a_model_and_a_task() -> None:
    hat = arm("hat", {1: played([80, 60, 90, 70], [80, 50, 70, 70]), 2: played([100, 100, 0, 0], [90, 90, 0, 10])})
    # seed 1: 0 -10 -20 0; seed 2: -10 -10 0 10
    assert loss(hat, SCORE).mean == pytest.approx(-5)
    assert mean([*results.cases(hat, "harness_variant_qa", SCORE).values()]).mean == pytest.approx(57.5)


def test_a_claim_is_met_or_missed_only_with_its_whole_interval() -> None:
    scores = {"yes": [96, 97] * 20, "open": [90, 99] * 20, "NO": [80, 90] * 20}
    for word, values in scores.items():
        found = Found((arm("hat", {1: played(values)}),), ("hat", "fixed"))
        (said,) = claims(found)
        assert said.startswith(f"T1 score of HAT at least 94: {word}, ")
    changed = {"yes": [70] * 4 + [60] * 4, "open": [95, 60, 95, 80] * 2, "NO": [95, 95, 90, 90] * 2}
    for word, values in changed.items():
        found = Found((arm("fixed", {1: played([95] * 8, values)}),), ("hat", "fixed"))
        assert claims(found)[-1].startswith(f"FIXED loses at least 15 points from T1 to T2: {word}, ")


@pytest.mark.parametrize(
    ("ours", "theirs", "word"),
    [
        (Interval(0.6, 0.5, 0.7), Interval(0.1, 0.08, 0.12), "yes"),  # 0.6 - 0.28 -+ 0.11
        (Interval(0.6, 0.5, 0.7), Interval(0.2, 0.1, 0.3), "open"),  # 0.6 - 0.56 -+ 0.30
        (Interval(0.2, 0.1, 0.3), Interval(0.2, 0.15, 0.25), "NO"),  # 0.2 - 0.56 -+ 0.17
        (Interval(0.2, 0.1, 0.3), Interval(-0.1, -0.2, 0.0), "yes"),
        (Interval(0.1, -0.1, 0.3), Interval(-0.1, -0.2, 0.0), "open"),
        (Interval(float("nan"), float("nan"), float("nan")), Interval(0.1, 0.0, 0.2), "open"),
    ],
)
def test_the_claim_on_edits_weighs_both_intervals(ours: Interval, theirs: Interval, word: str) -> None:
    def edited(reduction: Interval) -> tuple[HeldoutResult, ...]:
        points = Means(80, 80, 80, 80, 80, 80, 2)
        return (HeldoutResult("x", "hash", 1, points, points, points, points, reduction),)

    arms = (
        arm("hat", {1: played([1, 2])}, edits=edited(ours)),
        arm("fixed", {1: played([1, 2])}, edits=edited(theirs)),
    )
    assert f"of FIXED: {word}, " in claims(Found(arms, ("hat", "fixed")))[-1]


def test_a_perfect_score_of_few_cases_decides_nothing() -> None:
    said = claims(Found((arm("hat", {1: played([100] * 8)}),), ("hat", "fixed")))
    assert said == ("T1 score of HAT at least 94: open, 100.0 [67.6, 100.0]",)


def test_ifeval_within_its_interval_is_no_proof_that_nothing_was_lost() -> None:
    def answers(hits: Sequence[bool]) -> Answered:
        return Answered("x", {}, tuple(Answer(str(i), ("k",), (hit,), (hit,), "text") for i, hit in enumerate(hits)))

    base = results.Tested("base", "base", {None: played([0, 0])}, (answers([True] * 20 + [False] * 20),))
    for hits, word in (
        ([True] * 40, "yes"),
        ([True] * 18 + [False] * 20 + [True] * 2, "open"),
        ([True] * 20 + [False] * 20, "open"),  # the same answers: no difference among 40 is no proof of none
        ([False] * 40, "NO"),
    ):
        hat = results.Tested("hat", "HAT", {1: played([1, 2])}, (answers(hits),))
        assert any(
            line.startswith(f"IFEval prompt strict of HAT not below the base's: {word}, ")
            for line in claims(Found((base, hat), ("hat", "fixed")))
        )
