"""The total, its gates, the length term, judges and broken heads."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from rewards.judge import Judgement
from rewards.length import LengthConfig
from rewards.score import HEADS, Head, RewardConfig, ScoreError, Verdict, score
from rewards.signals import Breach, Limits, Signals

Make = Callable[..., Signals]


class Fixed:
    """A judge that always says the same."""

    def __init__(self, accuracy: float, effectiveness: float) -> None:
        self.judgement = Judgement(Verdict(accuracy), Verdict(effectiveness))

    def judge(self, signals: Signals) -> Judgement:
        return self.judgement


@pytest.fixture
def honest(signals: Make) -> Signals:
    return signals("Link 2 is 89 yuan after the coupon.", ["price 2"], ["price_check 2"], ["how much is link 2?"])


def test_heads_are_ordered_and_have_segments() -> None:
    assert list(HEADS) == ["accuracy", "effectiveness", "tool_rationality", "skill_selection"]
    assert [head.segment for head in HEADS.values()] == ["reply", "reply", "tool", "tool"]


def test_an_honest_answer_earns_one(honest: Signals) -> None:
    scores = score(honest)
    assert list(scores.heads) == [*HEADS, "length"]
    assert scores.heads == {**dict.fromkeys(HEADS, 1.0), "length": 0.0}
    assert scores.total == pytest.approx(1.0)
    assert scores.reasons == dict.fromkeys(HEADS, ())


@pytest.mark.parametrize(
    ("accuracy", "effectiveness", "total"),
    [(1.0, 1.0, 1.0), (1.0, 0.5, 0.65), (1.0, 0.0, 0.3), (0.0, 1.0, 0.3), (0.0, 0.0, 0.3)],
)
def test_gates(honest: Signals, accuracy: float, effectiveness: float, total: float) -> None:
    scores = score(honest, judge=Fixed(accuracy, effectiveness))
    assert scores.total == pytest.approx(total)
    assert scores.heads["effectiveness"] == effectiveness  # the head itself stays ungated
    assert scores.heads["accuracy"] == accuracy


@pytest.mark.parametrize(
    ("gates", "accuracy", "effectiveness", "total"),
    [
        ({"gate_effectiveness": False, "gate_accuracy": False}, 0.0, 1.0, 0.6),
        ({"gate_effectiveness": False, "gate_accuracy": False}, 1.0, 0.0, 0.7),
        ({"gate_effectiveness": True, "gate_accuracy": False}, 0.0, 1.0, 0.3),
        ({"gate_effectiveness": True, "gate_accuracy": False}, 1.0, 0.5, 0.85),
        ({"gate_effectiveness": False, "gate_accuracy": True}, 1.0, 0.0, 0.3),
    ],
)
def test_gates_can_be_opened(
    honest: Signals, gates: dict[str, bool], accuracy: float, effectiveness: float, total: float
) -> None:
    assert score(honest, RewardConfig(**gates), Fixed(accuracy, effectiveness)).total == pytest.approx(total)


def test_length_is_linear_from_the_free_budget_to_its_floor(honest: Signals) -> None:
    def length(tool: int, reply: int) -> tuple[float, float, float]:
        one = dataclasses.replace(honest, tool_thought_tokens=tool, reply_thought_tokens=reply)
        return score(one).length

    assert length(64, 64) == (0.0, 0.0, 0.0)
    assert length(64 + 128, 64) == pytest.approx((-0.5, 0.0, -0.25))
    assert length(64, 64 + 64) == pytest.approx((0.0, -0.25, -0.125))
    assert length(10_000, 10_000) == (-1.0, -1.0, -1.0)
    one = dataclasses.replace(honest, tool_thought_tokens=10_000, reply_thought_tokens=10_000)
    assert score(one).total == pytest.approx(0.9)
    assert score(one, RewardConfig(length=LengthConfig(weight=0.0))).total == pytest.approx(1.0)


def test_length_counts_only_for_accurate_replies(honest: Signals) -> None:
    long = dataclasses.replace(honest, reply="It's 79 yuan.", reply_thought_tokens=900)
    assert score(long).heads["length"] == 0.0


def test_budgets_come_from_the_harness(honest: Signals) -> None:
    roomy = dataclasses.replace(honest, reply_thought_tokens=300, limits=Limits(reply_thought_tokens=300))
    assert score(roomy).heads["length"] == 0.0


def test_silence_earns_nothing_in_every_head(signals: Make) -> None:
    for reply in (None, "", "   \n"):
        for needs, calls in ((["price 2"], ["price_check 2"]), (["greeting"], [])):
            scores = score(signals(reply, needs, calls))
            assert scores.total == 0.0
            assert set(scores.heads.values()) == {0.0}


def test_a_breach_makes_it_inaccurate(honest: Signals) -> None:
    scores = score(dataclasses.replace(honest, breaches=(Breach("absolute_terms", 4, "best"),)))
    assert scores.heads["accuracy"] == 0.0
    assert "absolute_terms" in scores.reasons["accuracy"][0]


@pytest.mark.parametrize("value", [math.nan, math.inf, 1.5, -0.1])
def test_a_broken_value_names_head_and_request(honest: Signals, value: float) -> None:
    with pytest.raises(ScoreError, match=r"r1.*'accuracy'"):
        score(honest, judge=Fixed(value, 1.0))


def test_a_missing_verdict_is_an_error(honest: Signals) -> None:
    heads = {**HEADS, "tool_rationality": Head(lambda s: None, "tool")}  # type: ignore[arg-type,return-value]
    with pytest.raises(ScoreError, match=r"r1.*tool_rationality"):
        score(honest, heads=heads)


def test_weights_and_heads_must_agree(honest: Signals) -> None:
    with pytest.raises(ScoreError, match="weights"):
        score(honest, heads={**HEADS, "mine": Head(lambda s: Verdict(1.0), "reply")})
    weights = {"accuracy": 0.2, "effectiveness": 0.2, "tool_rationality": 0.2, "skill_selection": 0.2, "mine": 0.2}
    heads = {**HEADS, "mine": Head(lambda s: Verdict(0.5, ("half",)), "reply")}
    scores = score(honest, RewardConfig(weights=weights), heads=heads)
    assert scores.total == pytest.approx(0.9)
    assert list(scores.heads) == [*HEADS, "mine", "length"]


@pytest.mark.parametrize("weights", [{"accuracy": 0.9}, {"accuracy": 1.5, "effectiveness": -0.5}])
def test_weights_must_sum_to_one(weights: dict[str, float]) -> None:
    with pytest.raises(ValidationError, match="sum to 1"):
        RewardConfig(weights=weights)


def test_scoring_repeats(honest: Signals) -> None:
    assert score(honest) == score(honest)


def test_scoring_is_fast(signals: Make) -> None:
    many = [
        signals(
            f"Thanks for asking! The linen shirt is {n} yuan after the coupon and leaves within 48 hours, friends.",
            ["price 2", "shipping 2"],
            ["price_check 2", "shipping_eta 2"],
            ["how much is link 2 and when does it ship?"],
        )
        for n in range(100, 300)
    ]
    best = min(_seconds(lambda: [score(one) for one in many]) for _ in range(3)) / len(many)
    assert best < 0.005, f"{best * 1000:.2f} ms a reply"


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
