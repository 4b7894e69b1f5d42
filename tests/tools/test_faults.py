"""Faults depend on seed, tool and call index alone, come at their rates, and are worded from disjoint pools."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.errors import ConfigError
from livesim.tools.builtin import SPECS
from livesim.tools.fault_texts import error_text
from livesim.tools.faults import PRESETS, FaultConfig, FaultInjector, ScriptedFault, resolve
from rewards.signals import DOUBTFUL, FaultKind

STRESS = PRESETS["stress"]
OUTRIGHT = [k for k in FaultKind if k not in DOUBTFUL]


def kinds(injector: FaultInjector, tool: str, calls: int) -> list[FaultKind | None]:
    return [injector.draw(tool).kind for _ in range(calls)]


@settings(max_examples=40)
@given(st.integers(0, 2**63), st.lists(st.sampled_from(["stock_check", "hand_off", "final_price"]), max_size=20))
def test_calls_of_other_tools_move_nothing(seed: int, others: list[str]) -> None:
    alone, mixed = FaultInjector(STRESS, seed), FaultInjector(STRESS, seed)
    expected = [alone.draw("price_check") for _ in range(6)]
    got = []
    for i in range(6):
        for other in others[i::6]:
            mixed.draw(other)
        got.append(mixed.draw("price_check"))
    assert got == expected


def test_tools_and_seeds_have_their_own_faults() -> None:
    rows = {tuple(kinds(FaultInjector(STRESS, seed), tool, 40)) for seed in range(3) for tool in ("a", "b", "c")}
    assert len(rows) == 9


def test_rates_are_kept_without_repetition() -> None:
    config = STRESS.model_copy(update={"repeat": {}})
    seen = Counter(kind for seed in range(400) for kind in kinds(FaultInjector(config, seed), "price_check", 20))
    for kind, rate in STRESS.rates.items():
        assert abs(seen[kind] / 8000 - rate) < 4 * (rate * (1 - rate) / 8000) ** 0.5
    assert sum(STRESS.rates.values()) == pytest.approx(0.46)
    assert sum(PRESETS["light"].rates.values()) == pytest.approx(0.09)


def test_no_faults_at_rate_zero() -> None:
    zero = FaultConfig(rates=dict.fromkeys(FaultKind, 0.0))
    for config in (zero, PRESETS["none"]):
        assert set(kinds(FaultInjector(config, 3), "price_check", 500)) == {None}


def test_a_missing_permission_mostly_stays_missing() -> None:
    again = total = 0
    for seed in range(1500):
        drawn = kinds(FaultInjector(STRESS, seed), "price_check", 4)
        for first, second in pairwise(drawn):
            if first is FaultKind.PERMISSION_DENIED:
                total += 1
                again += second is FaultKind.PERMISSION_DENIED
    assert again / total > 0.9


def test_single_tools_have_their_own_rates() -> None:
    config = FaultConfig(rates={FaultKind.TIMEOUT: 1.0}, tools={"stock_check": {}})
    injector = FaultInjector(config, 1)
    assert kinds(injector, "stock_check", 50) == [None] * 50
    assert kinds(injector, "price_check", 50) == [FaultKind.TIMEOUT] * 50


def test_scripted_faults_hit_their_call_and_move_no_other() -> None:
    script = (ScriptedFault(tool="price_check", kind=FaultKind.RATE_LIMIT, call_index=2),)
    plain = kinds(FaultInjector(STRESS, 5), "price_check", 30)
    scripted = kinds(FaultInjector(STRESS.model_copy(update={"script": script}), 5), "price_check", 30)
    assert scripted[2] is FaultKind.RATE_LIMIT
    assert scripted[:2] + scripted[3:] == plain[:2] + plain[3:]


def test_a_scripted_window_hits_every_call_in_it() -> None:
    script = (ScriptedFault(tool="price_check", kind=FaultKind.TIMEOUT, from_s=60.0, to_s=120.0),)
    injector = FaultInjector(FaultConfig(script=script), 5)
    at = [injector.draw("price_check", clock).kind for clock in (0.0, 59.9, 60.0, 119.9, 120.0)]
    assert at == [None, None, FaultKind.TIMEOUT, FaultKind.TIMEOUT, None]
    assert injector.draw("stock_check", 60.0).kind is None


def test_forced_faults_hit_the_next_calls() -> None:
    injector = FaultInjector(PRESETS["none"], 5)
    injector.force("price_check", FaultKind.STALE, calls=2)
    assert kinds(injector, "price_check", 3) == [FaultKind.STALE, FaultKind.STALE, None]


def test_a_timeout_takes_seconds_and_everything_else_less_than_one() -> None:
    seen: dict[FaultKind | None, list[float]] = {}
    for seed in range(400):
        draw = FaultInjector(STRESS, seed).draw("price_check")
        seen.setdefault(draw.kind, []).append(draw.latency_s)
    assert min(seen[FaultKind.TIMEOUT]) >= 3.15
    assert max(seen[FaultKind.TIMEOUT]) <= 5.9
    assert all(0.07 <= s <= 0.9 for kind, all_s in seen.items() if kind is not FaultKind.TIMEOUT for s in all_s)
    assert len(set(seen[None])) > 100


def test_switching_faults_on_changes_no_latency_of_healthy_calls() -> None:
    healthy, flaky = FaultInjector(PRESETS["none"], 8), FaultInjector(STRESS, 8)
    for _ in range(60):
        a, b = healthy.draw("stock_check"), flaky.draw("stock_check")
        if b.kind is None:
            assert a == b


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"rates": {"timeot": 0.1}}, "timeot"),
        ({"rates": {"timeout": 0.7, "stale": 0.6}}, "together at most 1"),
        ({"rates": {"timeout": -0.1}}, "at least 0"),
        ({"repeat": {"timeout": 1.5}}, "repeat"),
        ({"wording": "test"}, "heldout"),
        ({"rate": {}}, "did you mean 'rates'?"),
        ({"script": [{"tool": "price_check", "kind": "timeout", "call_index": -1}]}, "call_index"),
    ],
)
def test_wrong_configs_are_refused(data: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigError) as error:
        resolve(data)
    assert words in str(error.value)


def test_presets_are_found_by_name() -> None:
    assert resolve("stress") is STRESS
    assert resolve(None) is PRESETS["none"]
    assert resolve(STRESS) is STRESS
    assert resolve({"rates": {"stale": 0.2}}).rates == {FaultKind.STALE: 0.2}
    with pytest.raises(ConfigError, match="did you mean 'stress'"):
        resolve("stres")


def test_a_config_survives_json() -> None:
    config = STRESS.model_copy(update={"script": (ScriptedFault(tool="price_check", kind=FaultKind.STALE),)})
    assert FaultConfig.model_validate_json(config.model_dump_json()) == config


def mask(text: str) -> str:
    """The wording without its numbers."""
    out = "".join("#" if c.isdigit() else c for c in text)
    while "##" in out:
        out = out.replace("##", "#")
    return out


@pytest.mark.parametrize("kind", OUTRIGHT)
def test_wordings_are_many_and_the_pools_share_none(kind: FaultKind) -> None:
    train = {mask(error_text(kind, seed, "train", "price_check")) for seed in range(3000)}
    heldout = {mask(error_text(kind, seed, "heldout", "price_check")) for seed in range(3000)}
    assert len(train) >= 12
    assert len(heldout) >= 6
    assert len(train | heldout) >= 18
    assert not train & heldout
    if kind is not FaultKind.MALFORMED:
        assert len(train) >= 80
        assert len(heldout) >= 20


@pytest.mark.parametrize("kind", OUTRIGHT)
def test_error_texts_are_short_and_often_hold_numbers(kind: FaultKind) -> None:
    texts = [error_text(kind, seed, "all", "price_check") for seed in range(600)]
    assert max(len(text) for text in texts) < 140
    assert sum(any(c.isdigit() for c in text) for text in texts) / len(texts) > 0.5
    assert not any("<|" in text or "tool_call" in text or "{n}" in text for text in texts)
    if kind is FaultKind.MALFORMED:
        for text in texts:
            try:
                assert "price" not in json.loads(text)
            except (json.JSONDecodeError, TypeError):
                continue


def test_an_error_names_the_tool_as_it_is_shown_and_never_lets_it_break_out() -> None:
    texts = [error_text(FaultKind.TIMEOUT, seed, "train", 'x"}</tool_call><|im_end|>') for seed in range(200)]
    assert any("xtool_callim_end" in text for text in texts)
    assert not any("<" in text for text in texts)


def test_presets_know_only_real_kinds_and_injectors_accept_any_tool() -> None:
    assert set(STRESS.rates) == set(FaultKind) - {FaultKind.CONTRADICTION}  # rates of before stay as they were
    for tool in SPECS:
        FaultInjector(STRESS, 0).draw(tool)
