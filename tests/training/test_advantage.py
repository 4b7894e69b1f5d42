"""Segment GDPO against hand-computed cases and an independent float64 reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from livesim.errors import TrainingError
from livesim.training.advantage import (
    EPSILON,
    HeadWeight,
    Mark,
    alone,
    checked,
    grpo,
    in_groups,
    per_token,
    saturated,
    segment_gdpo,
    whiten,
)

ROOT_HALF = math.sqrt(0.5)
TWO = [HeadWeight("a", "reply"), HeadWeight("b", "reply")]


def heads(**values: list[float]) -> dict[str, np.ndarray]:
    return {name: np.array(v, dtype=np.float64) for name, v in values.items()}


def test_sums_that_grpo_cannot_tell_apart_differ_under_gdpo() -> None:
    # Two binary rewards, two rollouts: sums (0, 1) and (0, 2) look the same to GRPO on the sum.
    one, both = heads(a=[0, 1], b=[0, 0]), heads(a=[0, 1], b=[0, 1])
    for case in (one, both):
        assert grpo(case["a"] + case["b"], ["g", "g"]).reply == pytest.approx([-ROOT_HALF, ROOT_HALF])
    assert segment_gdpo(one, ["g", "g"], TWO, whitened=False).reply == pytest.approx([-ROOT_HALF, ROOT_HALF])
    assert segment_gdpo(both, ["g", "g"], TWO, whitened=False).reply == pytest.approx([-2 * ROOT_HALF, 2 * ROOT_HALF])


@pytest.mark.parametrize("value", [0.9, 0.1, 1 / 3, 0.0])
@pytest.mark.parametrize("size", [2, 7, 12])
def test_a_saturated_group_is_zero_exactly(value: float, size: int) -> None:
    advantage, live, share = in_groups(np.full(size, value), ["g"] * size)
    assert (advantage == 0.0).all()
    assert (live == 0.0).all()
    assert share == 0.0


def test_saturated_groups_stay_zero_next_to_informative_ones() -> None:
    values = heads(a=[1, 1, 0, 1, 1, 0], b=[0.5] * 6)
    found = segment_gdpo(values, ["x", "x", "y", "y", "y", "y"], TWO)
    assert found.reply[:2].tolist() == [0.0, 0.0]
    assert found.reply[2:].sum() == pytest.approx(0.0)
    assert found.informative == {"a": 0.5, "b": 0.0}


def test_a_group_counts_as_saturated_when_it_differs_in_no_head() -> None:
    values = heads(a=[1, 1, 0, 1], b=[0, 1, 0.5, 0.5], c=[1, 1, 1, 1])
    a, b, c = (HeadWeight(name, "reply") for name in "abc")
    assert saturated(values, ["x", "x", "y", "y"], [a, b]) == 0.0
    assert saturated(values, ["x", "x", "y", "y"], [a, c]) == 0.5
    assert saturated(values, ["x", "x", "y", "y"], [c]) == 1.0
    needy = HeadWeight("b", "reply", needs=("a", 2.0))  # never reached: what b says is not counted
    assert saturated(values, ["x", "x", "y", "y"], [needy]) == 1.0


def test_whitening_is_over_responses_and_keeps_the_scale_when_few_groups_are_informative() -> None:
    few = heads(a=[0, 1, *([1] * 18)])
    groups = ["g", "g", *(f"s{i // 2}" for i in range(18))]
    found = segment_gdpo(few, groups, [HeadWeight("a", "reply")])
    expected = ROOT_HALF / (1.0 + EPSILON)  # two values of +-0.7071: std with Bessel's correction is 1
    assert found.reply[:2] == pytest.approx([-expected, expected])


def test_heads_reward_their_own_segment_only() -> None:
    weights = [HeadWeight("accuracy", "reply"), HeadWeight("tools", "tool")]
    found = segment_gdpo(heads(accuracy=[0, 1], tools=[1, 0]), ["g", "g"], weights, whitened=False)
    assert found.tool == pytest.approx([ROOT_HALF, -ROOT_HALF])
    assert found.reply == pytest.approx([-ROOT_HALF, ROOT_HALF])
    marks = [[m.code for m in (Mark.TOOL, Mark.OTHER, Mark.REPLY, Mark.BOTH)]] * 2
    first, second = per_token(found, marks)
    assert first == pytest.approx([ROOT_HALF, 0.0, -ROOT_HALF, 0.0])
    assert second == pytest.approx([-ROOT_HALF, 0.0, ROOT_HALF, 0.0])


def test_conditioning_counts_a_head_only_where_the_other_one_is_reached() -> None:
    values = heads(accuracy=[0, 1, 1], length=[1, 1, 0])
    weights = [HeadWeight("length", "reply", needs=("accuracy", 1.0))]
    found = segment_gdpo(values, ["g"] * 3, weights, whitened=False)
    # conditioned: (0, 1, 0): mean 1/3, std 0.57735
    assert found.reply == pytest.approx([-0.57735, 1.154701, -0.57735], abs=1e-5)


def test_a_conditioned_head_may_not_be_negative_or_being_left_out_would_be_a_gain() -> None:
    values = heads(accuracy=[0, 1], length=[0, -0.5])
    with pytest.raises(TrainingError, match="'length' needs 'accuracy', so it must not be below 0"):
        segment_gdpo(values, ["g"] * 2, [HeadWeight("length", "reply", needs=("accuracy", 1.0))])


def test_the_default_length_heads_put_a_wrong_reply_below_a_long_right_one_and_that_below_a_short_one() -> None:
    from livesim.training.settings import RlConfig

    weights = [
        HeadWeight(h.name, h.segment, h.weight, (h.needs_head, h.needs_value) if h.needs_head else None)
        for h in RlConfig().heads
        if h.name.startswith("length")
    ]
    # wrong, right but half over the budget, right and short
    values = heads(accuracy=[0, 1, 1], length_tool=[1, 0.5, 1], length_reply=[1, 0.5, 1])
    found = segment_gdpo(values, ["g"] * 3, weights)
    for segment in (found.tool, found.reply):
        assert segment[0] < segment[1] < segment[2]


@pytest.mark.parametrize(("groups", "members"), [(1, 2), (4, 4), (3, 8)])
def test_a_light_head_stays_light_when_the_others_are_saturated(groups: int, members: int) -> None:
    names = [f"g{i}" for i in range(groups) for _ in range(members)]
    values = heads(a=[1] * len(names), b=[i % 2 for i in range(len(names))])
    heavy, light = HeadWeight("a", "reply", 1.0), HeadWeight("b", "reply", 0.1)
    lone = segment_gdpo(values, names, [light]).reply
    assert lone.std(ddof=1) == pytest.approx(1.0, abs=2e-3)  # all there is: eq. 6 as it is
    beside = segment_gdpo(values, names, [heavy, light]).reply
    # (G - 1) / G is the mean square within a group; over n responses the deviation has n - 1 below it
    expected = 0.1 * math.sqrt(groups * (members - 1) / (len(names) - 1) / ((members - 1) / members))
    assert beside.std(ddof=1) == pytest.approx(expected, rel=1e-3)


def test_the_floor_of_whitening_never_acts_while_the_heaviest_head_tells_responses_apart() -> None:
    names = [f"g{i // 4}" for i in range(16)]
    values = in_groups(np.array([0, 0, 0, 1] * 4, dtype=np.float64), names)[0]
    live = np.ones(16)
    assert alone(1.0, live, names) == pytest.approx(math.sqrt(0.75))
    assert values.std(ddof=1) > alone(1.0, live, names)
    assert (whiten(values, live) == whiten(values, live, alone(1.0, live, names))).all()


def test_heads_that_cancel_leave_little_not_everything() -> None:
    values = heads(a=[0, 1], b=[1, 0])
    found = segment_gdpo(values, ["g", "g"], [HeadWeight("a", "reply"), HeadWeight("b", "reply", 0.9)])
    assert found.reply == pytest.approx([-0.1, 0.1], rel=1e-3)  # +-0.1 x 0.7071, over the floor of 0.7071


def test_a_weight_scales_the_advantage_not_the_reward() -> None:
    values = heads(a=[0, 1], b=[1, 0])
    found = segment_gdpo(
        values, ["g", "g"], [HeadWeight("a", "reply", 1.0), HeadWeight("b", "reply", 0.25)], whitened=False
    )
    assert found.reply == pytest.approx([-0.75 * ROOT_HALF, 0.75 * ROOT_HALF])


def test_a_head_without_weight_is_measured_and_changes_nothing() -> None:
    names = ["x", "x", "y", "y"]
    values = heads(a=[0, 1, 1, 1], b=[0, 0, 0, 1])
    alone_, both = (
        segment_gdpo(values, names, weights)
        for weights in ([HeadWeight("a", "reply")], [HeadWeight("a", "reply"), HeadWeight("b", "reply", 0.0)])
    )
    assert both.reply.tolist() == alone_.reply.tolist()  # group y is no informative one
    assert both.informative == {"a": 0.5, "b": 0.5}
    assert saturated(values, names, [HeadWeight("a", "reply"), HeadWeight("b", "reply", 0.0)]) == 0.5


def test_the_floor_keeps_tiny_differences_small() -> None:
    advantage, _, _ = in_groups(np.array([0.500, 0.501]), ["g", "g"], floor=0.05)
    assert advantage == pytest.approx([-0.01, 0.01])


def test_a_group_of_one_teaches_nothing() -> None:
    assert in_groups(np.array([0.7, 0.2]), ["x", "y"])[0].tolist() == [0.0, 0.0]


def test_one_response_left_is_no_crash() -> None:
    assert whiten(np.array([3.0, 0.0]), np.array([1.0, 0.0])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), "1.0"])
def test_a_missing_score_is_an_error_that_names_the_episode(value: object) -> None:
    with pytest.raises(TrainingError, match=r"episode seed 7: head 'accuracy' is"):
        checked([{"accuracy": 1.0}, {"accuracy": value}], ["accuracy"], ["seed 6", "seed 7"])


@given(
    st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=12, max_size=12), min_size=3, max_size=3),
    st.lists(st.floats(0.1, 2.0), min_size=3, max_size=3),
)
def test_equals_a_plain_float64_reference(rows: list[list[float]], weights: list[float]) -> None:
    groups = [f"g{i // 4}" for i in range(12)]
    found = segment_gdpo(
        heads(a=rows[0], b=rows[1], c=rows[2]),
        groups,
        [HeadWeight(n, "reply", w) for n, w in zip("abc", weights, strict=True)],
    )
    total, live = [0.0] * 12, [False] * 12
    for values, weight in zip(rows, weights, strict=True):
        for start in (0, 4, 8):
            part = values[start : start + 4]
            mean = math.fsum(part) / 4
            std = math.sqrt(math.fsum((v - mean) ** 2 for v in part) / 3)
            for i, v in enumerate(part):
                if std > 0:
                    total[start + i] += weight * (v - mean) / std
                    live[start + i] = True
    kept = [t for t, alive in zip(total, live, strict=True) if alive]
    if len(kept) < 2:
        assert (found.reply == 0.0).all()
        return
    mean = math.fsum(kept) / len(kept)
    std = math.sqrt(math.fsum((t - mean) ** 2 for t in kept) / (len(kept) - 1))
    std = max(std, max(weights) * math.sqrt(3 / 4))  # what the heaviest head alone would have in groups of four
    expected = [(t - mean) / (std + EPSILON) if alive else 0.0 for t, alive in zip(total, live, strict=True)]
    assert found.reply == pytest.approx(expected, abs=1e-9)
