"""The toolbox never raises, is exact without faults, honest about lost fields, and never doubles a write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.config import StrictModel
from livesim.errors import ConfigError, LiveSimError
from livesim.tools.answer import Answer
from livesim.tools.arguments import Arguments
from livesim.tools.faults import PRESETS, FaultConfig, FaultInjector, ScriptedFault
from livesim.tools.shop import BEHAVIOURS, ShopView
from livesim.tools.spec import ToolSpec
from livesim.tools.toolbox import Toolbox
from livesim.types import JsonValue, ToolCall, ToolResult
from livesim.world.catalog import generate
from livesim.world.facts import facts
from livesim.world.orders import generate_orders
from livesim.world.promotions import generate_promotions
from rewards.signals import DOUBTFUL, CallError, Fact, FactKind, FaultKind

BOX = Toolbox()


def shop_of(seed: int, clock_s: float = 600.0) -> ShopView:
    catalog = generate(seed)
    promotions = generate_promotions(seed, catalog, 1800.0)
    return ShopView(catalog, catalog.stock(), promotions, clock_s, {}, generate_orders(seed, catalog))


def always(kind: FaultKind, seed: int = 1, **more: object) -> FaultInjector:
    return FaultInjector(FaultConfig(rates={kind: 1.0}, **more), seed)  # type: ignore[arg-type]


def arguments_for(tool: str, shop: ShopView) -> dict[str, JsonValue]:
    given: dict[str, JsonValue] = {"link": shop.catalog.links[0], "topic": "care", "height_cm": 165, "weight_kg": 58}
    given |= {"order": shop.orders[0].id, "reason": "refund", "quantity": 2, "option": ""}
    return {name: given[name] for name in BOX.specs[tool].arguments.model_fields}


def call(tool: str, shop: ShopView, injector: FaultInjector) -> ToolResult:
    return BOX.call(ToolCall(tool, arguments_for(tool, shop), tool), shop, injector)


@settings(max_examples=60)
@given(st.integers(0, 2**40), st.sampled_from(list(BEHAVIOURS)))
def test_without_faults_a_result_is_the_behaviour_word_for_word(seed: int, tool: str) -> None:
    zero = FaultInjector(FaultConfig(rates=dict.fromkeys(FaultKind, 0.0)), seed)
    result = call(tool, shop_of(seed), zero)
    shop = shop_of(seed)
    answer = BEHAVIOURS[tool](shop, arguments_for(tool, shop))  # type: ignore[arg-type]
    assert result.content == answer.text
    assert result.ok == isinstance(answer, Answer)
    assert result.facts == getattr(answer, "facts", ())
    assert (result.error, result.fault) == (None, None)
    assert result.mutates == (tool in ("push_card", "hand_off"))
    assert 0.15 <= result.latency_s <= 0.9
    assert result == call(tool, shop_of(seed), FaultInjector(PRESETS["none"], seed))


def test_an_unlisted_link_is_answered_with_the_listed_ones() -> None:
    shop = shop_of(3)
    result = BOX.call(ToolCall("price_check", {"link": 999}, "p"), shop, FaultInjector(PRESETS["none"], 0))
    assert not result.ok
    assert (result.error, result.fault, result.facts) == (None, None, ())
    assert (
        json.loads(result.content)["error"] == f"no link 999; listed links: {', '.join(map(str, shop.catalog.links))}"
    )


def test_bad_calls_never_reach_a_tool_and_do_not_count() -> None:
    shop = shop_of(3)
    script = (ScriptedFault(tool="price_check", kind=FaultKind.TIMEOUT, call_index=0),)
    injector = FaultInjector(FaultConfig(script=script), 0)
    bad = BOX.call(ToolCall("price_check", {"lnk": 2}, "p"), shop, injector)
    assert (bad.ok, bad.error, bad.latency_s) == (False, CallError.BAD_ARGUMENTS, 0.05)
    assert "did you mean 'link'?" in bad.content
    unknown = BOX.call(ToolCall("price_chek", {"link": 2}, "p"), shop, injector)
    assert (unknown.ok, unknown.error) == (False, CallError.UNKNOWN_TOOL)
    assert "did you mean 'price_check'?" in unknown.content
    assert BOX.call(ToolCall("load_skill", {"skill": "x"}, "p"), shop, injector).error is CallError.UNKNOWN_TOOL
    assert call("price_check", shop, injector).fault is FaultKind.TIMEOUT


@pytest.mark.parametrize("kind", [k for k in FaultKind if k not in DOUBTFUL], ids=lambda k: str(k))
def test_an_outright_fault_states_nothing(kind: FaultKind) -> None:
    for tool in BEHAVIOURS:
        result = call(tool, shop_of(4), always(kind))
        assert (result.ok, result.fault, result.facts, result.error) == (False, kind, (), None)
        assert result.content


@settings(max_examples=80)
@given(st.integers(0, 2**40), st.sampled_from([t for t in BEHAVIOURS if t not in ("push_card", "hand_off")]))
def test_a_partial_answer_loses_facts_with_their_fields_and_states_only_the_rest(seed: int, tool: str) -> None:
    whole = call(tool, shop_of(seed), FaultInjector(PRESETS["none"], seed))
    part = call(tool, shop_of(seed), always(FaultKind.PARTIAL, seed))
    if not whole.facts:  # a refusal, or an answer that states nothing: nothing can be lost
        assert (part.fault, part.content) == (None, whole.content)
        return
    assert (part.ok, part.fault) == (True, FaultKind.PARTIAL)
    assert set(part.facts) < set(whole.facts)
    before, after = json.loads(whole.content), json.loads(part.content)
    kept = {key for key in before if after.get(key) == before[key]}
    assert set(before) - kept
    assert all(
        after[key] in (None, "n/a", "unknown", "...", "-", "tbd", "???") for key in set(after) & set(before) - kept
    )


def test_a_stale_answer_looks_whole_and_states_what_was() -> None:
    changed = 0
    for seed in range(14):
        for tool in ("price_check", "final_price", "stock_check", "shipping_eta", "order_lookup", "product_info"):
            fresh = call(tool, shop_of(seed), FaultInjector(PRESETS["none"], seed))
            stale = call(tool, shop_of(seed), always(FaultKind.STALE, seed))
            if stale.fault is None:
                assert stale.content == fresh.content
                assert tool == "order_lookup"  # a first state has none before it
                continue
            changed += 1
            assert (stale.ok, stale.fault) == (True, FaultKind.STALE)
            assert json.loads(stale.content).keys() >= {"link"} or tool == "order_lookup"
            assert stale.facts != fresh.facts
    assert changed > 70


def test_what_does_not_change_in_a_shop_cannot_be_stale() -> None:
    for tool in ("faq_search", "return_policy", "push_card", "hand_off"):
        result = call(tool, shop_of(6), always(FaultKind.STALE))
        assert (result.ok, result.fault) == (True, None)


def test_some_fact_of_a_stale_price_is_false() -> None:
    shop = shop_of(5)
    true = {(f.subject, f.name): f.value for f in facts(shop.catalog, shop.stock, shop.promotions, 600.0, {})}
    stale = call("price_check", shop, always(FaultKind.STALE))
    assert any(true.get((f.subject, f.name)) != f.value for f in stale.facts)


@pytest.mark.parametrize("tool", ["push_card", "hand_off"])
def test_a_write_whose_answer_was_lost_is_not_done_twice(tool: str) -> None:
    outcomes = set()
    for seed in range(40):
        shop = shop_of(7)
        script = (ScriptedFault(tool=tool, kind=FaultKind.TIMEOUT, call_index=0),)
        injector = FaultInjector(FaultConfig(script=script), seed)
        lost = call(tool, shop, injector)
        assert (lost.ok, lost.fault, lost.mutates) == (False, FaultKind.TIMEOUT, True)
        done = len(shop.pushed) + len(shop.handoffs)
        outcomes.add(done)
        again = call(tool, shop, injector)
        assert again.ok
        assert ("already" in again.content) == bool(done)
        assert len(shop.pushed) + len(shop.handoffs) == 1
    assert outcomes == {0, 1}, "sometimes it took effect, sometimes not"


@pytest.mark.parametrize("kind", [FaultKind.RATE_LIMIT, FaultKind.UNAVAILABLE, FaultKind.PERMISSION_DENIED])
def test_a_refused_write_does_nothing(kind: FaultKind) -> None:
    shop = shop_of(7)
    call("push_card", shop, always(kind))
    assert shop.pushed == []


def test_results_are_the_same_in_every_replay() -> None:
    def play() -> list[ToolResult]:
        shop, injector = shop_of(11), FaultInjector(PRESETS["stress"], 11)
        return [call(tool, shop, injector) for _ in range(8) for tool in BEHAVIOURS]

    assert play() == play()


def test_wording_pools_reach_the_result() -> None:
    texts = {
        wording: {
            call("price_check", shop_of(1), always(FaultKind.TIMEOUT, s, wording=wording)).content for s in range(60)
        }
        for wording in ("train", "heldout")
    }
    assert not texts["train"] & texts["heldout"]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=8), inner, max_size=2),
    max_leaves=4,
)
SHOP = shop_of(13)


@settings(max_examples=300)
@given(
    st.sampled_from(list(BEHAVIOURS)) | st.text(max_size=30),
    st.dictionaries(
        st.sampled_from(["link", "option", "topic", "order", "quantity", "height_cm", "weight_kg", "reason"])
        | st.text(max_size=10),
        anything | st.sampled_from(SHOP.catalog.links),
        max_size=4,
    ),
    st.text(max_size=30),
    st.integers(0, 2**32),
)
def test_nothing_a_model_writes_raises(tool: str, arguments: dict[str, JsonValue], shown: str, seed: int) -> None:
    result = BOX.call(ToolCall(tool, arguments, shown), SHOP, FaultInjector(PRESETS["stress"], seed))
    assert result.content
    assert result.content.encode()  # no lone surrogates
    assert not (result.ok and result.error)
    assert 0 < result.latency_s < 6


def test_a_tool_of_ones_own_takes_ten_lines() -> None:
    class RatingArguments(StrictModel):
        link: int

    def rating(shop: ShopView, arguments: Arguments) -> Answer:
        fact = Fact(f"link:{arguments['link']}", "rating", FactKind.VALUE, "4.8")
        return Answer.of({"link": arguments["link"], "rating": "4.8"}, [fact])

    box = Toolbox()
    box.register(ToolSpec("rating", "stars that buyers gave", RatingArguments), rating)

    result = box.call(ToolCall("rating", {"link": 2}, "rating"), SHOP, FaultInjector(PRESETS["none"], 0))
    assert (result.ok, result.content) == (True, '{"link":2,"rating":"4.8"}')
    assert [f.value for f in result.facts] == ["4.8"]
    assert box.call(ToolCall("rating", {}, "rating"), SHOP, FaultInjector(PRESETS["none"], 0)).error
    assert box.call(ToolCall("rating", {"link": 2}, "rating"), SHOP, always(FaultKind.PARTIAL)).facts == ()
    assert "rating" not in BOX.specs
    with pytest.raises(ConfigError, match="registered already"):
        box.register(ToolSpec("rating", "", RatingArguments), rating)


def test_a_fault_config_for_unknown_tools_is_refused() -> None:
    with pytest.raises(ConfigError, match="did you mean 'price_check'"):
        BOX.check(FaultConfig(tools={"price_chek": {}}))
    with pytest.raises(ConfigError, match="unknown tool in faults"):
        BOX.check(FaultConfig(script=(ScriptedFault(tool="x", kind=FaultKind.STALE),)))
    BOX.check(PRESETS["stress"])


def test_a_bug_in_a_tool_of_ones_own_is_named() -> None:
    class NoArguments(StrictModel):
        pass

    def broken(shop: ShopView, arguments: Arguments) -> Answer:
        return Answer.of({"half": 1 // 0})

    box = Toolbox()
    box.register(ToolSpec("broken", "", NoArguments), broken)
    with pytest.raises(LiveSimError, match="tool 'broken' raised ZeroDivisionError"):
        box.call(ToolCall("broken", {}, "broken"), SHOP, FaultInjector(PRESETS["none"], 0))
