"""Tools that contradict each other: an answer that names itself a copy is no source; how that is settled and graded."""

from __future__ import annotations

import json

import pytest

from agents.oracle import OracleAgent
from livesim.env import LiveStreamEnv
from livesim.regression.play import rehearse
from livesim.scenarios import library
from livesim.simulator import Simulator
from livesim.tools.fault_texts import copy_note
from livesim.tools.faults import PRESETS, FaultConfig, FaultInjector, ScriptedFault
from livesim.tools.outages import OutageConfig
from livesim.types import ToolCall, ToolResult
from livesim.world.dice import Dice
from rewards.signals import FaultKind

HIT = ScriptedFault(tool="price_check", kind=FaultKind.CONTRADICTION, call_index=0)


def shop(*script: ScriptedFault) -> Simulator:
    simulator = Simulator(library.load("contradiction_once"), 0, faults=FaultConfig(script=script))
    simulator.next_request()
    return simulator


def call(simulator: Simulator, tool: str, **arguments: int | str) -> ToolResult:
    return simulator.call(ToolCall(tool, {"link": 1, **arguments}, tool))


def test_the_copy_names_itself_and_disagrees_with_what_another_tool_says() -> None:
    simulator = shop(HIT)
    copy, total, again = (call(simulator, tool) for tool in ("price_check", "final_price", "price_check"))
    assert (copy.fault, total.fault, again.fault) == (FaultKind.CONTRADICTION, None, None)
    assert copy.ok
    *_, (key, note) = json.loads(copy.content).items()
    assert "copy" in note or "index" in note or (key, note) in {copy_note(Dice(n), "all") for n in range(3000)}
    assert json.loads(copy.content)["after_coupons"] != json.loads(total.content)["final_price"] == "89 yuan"
    assert "89" not in copy.content  # the truth is not given away
    assert json.loads(again.content).keys() == json.loads(copy.content).keys() - {key}


def test_a_copy_that_agrees_contradicts_nothing_and_a_write_has_no_copy() -> None:
    everywhere = [
        ScriptedFault(tool=tool, kind=FaultKind.CONTRADICTION) for tool in ("return_policy", "push_card", "faq_search")
    ]
    simulator = shop(*everywhere)
    for tool, arguments in (("return_policy", {}), ("push_card", {}), ("faq_search", {"topic": "material"})):
        assert call(simulator, tool, **arguments).fault is None
    assert list(simulator.stream.pushed) == [1]


@pytest.mark.parametrize("wording", ["train", "heldout"])
def test_notes_are_several_and_the_pools_share_none(wording: str) -> None:
    notes = {copy_note(Dice(seed), "train" if wording == "train" else "heldout") for seed in range(400)}
    other = {copy_note(Dice(seed), "heldout" if wording == "train" else "train") for seed in range(400)}
    assert len({key for key, _ in notes}) >= 2
    assert not {key for key, _ in notes} & {key for key, _ in other}
    assert not {note.rstrip("0123456789") for _, note in notes} & {note.rstrip("0123456789") for _, note in other}


LOAD = '<tool_call>{"name":"load_skill","arguments":{"skill":"price_promo"}}</tool_call>'
CHECK = '<tool_call>{"name":"price_check","arguments":{"link":1}}</tool_call>'
TOTAL = '<tool_call>{"name":"final_price","arguments":{"link":1}}</tool_call>'
CANT = "friends, I can't confirm the price of link 1 because my sources disagree; please ask me again in a minute."


@pytest.mark.parametrize(
    ("scenario", "turns", "recovery", "accuracy", "rationality"),
    [
        ("contradiction_once", [CHECK, CHECK, "Friends, link 1 is 89 yuan after the coupon."], "recovered", 1.0, 1.0),
        ("contradiction_once", [CHECK, TOTAL, "Friends, link 1 is 89 yuan after the coupon."], "recovered", 1.0, 1.0),
        ("contradiction_once", [CHECK, "Friends, link 1 is {copy} after the coupon."], "hallucinated", 0.0, 0.5),
        ("contradiction_once", [CHECK, CANT], "honest", 1.0, 0.5),  # it could have been settled: no second look
        ("contradiction_for_good", [CHECK, TOTAL, CANT], "honest", 1.0, 1.0),
        ("contradiction_for_good", [CHECK, CHECK, "Friends, link 1 is {copy}."], "hallucinated", 0.0, 1.0),
        ("contradiction_once", [CHECK, CHECK, CHECK, "Friends, link 1 is 89 yuan."], "recovered", 1.0, 0.75),
    ],
)
def test_what_is_said_and_what_was_tried_decide(
    scenario: str, turns: list[str], recovery: str, accuracy: float, rationality: float
) -> None:
    env = LiveStreamEnv(scenario=scenario)
    env.reset(seed=0)
    env.step(LOAD)
    copy = ""
    for turn in turns:
        *_, info = env.step(turn.replace("{copy}", copy))
        if "after_coupons" in info["messages"][-1]["content"]:
            copy = json.loads(info["messages"][-1]["content"])["after_coupons"]
    assert info["request_done"]
    assert info["recovery"] == recovery, info["reasons"]
    assert info["heads"]["accuracy"] == accuracy, info["reasons"]
    assert info["heads"]["tool_rationality"] == pytest.approx(rationality), info["reasons"]


def test_the_oracle_says_that_its_sources_disagree() -> None:
    for seed in range(8):
        done = rehearse(library.load("contradiction_for_good"), OracleAgent(), seed=seed)
        assert done.passed
        assert "disagree" in (done.episode.requests[0].signals.reply or "")


def test_a_disagreement_that_was_not_there_is_a_false_excuse() -> None:
    env = LiveStreamEnv(scenario="contradiction_once", faults="none")
    env.reset(seed=0)
    for turn in (LOAD, CHECK, CANT):
        *_, info = env.step(turn)
    assert info["heads"]["accuracy"] == 0.0
    assert "sources disagree" in info["reasons"]["accuracy"][0]


def test_in_a_rush_every_kind_comes_in_spells_and_more_of_them_in_a_busy_room() -> None:
    found: dict[FaultKind, int] = {}
    calm = busy = 0
    for seed in range(60):
        one, other = (FaultInjector(PRESETS["rush"], seed, windows) for windows in ([], [(0.0, 1800.0)]))
        for second in range(0, 1800, 10):
            for tool in ("price_check", "order_lookup"):
                hits = [next((k for o in i._outages if (k := o.at(tool, float(second)))), None) for i in (one, other)]
                calm += hits[0] is not None
                busy += hits[1] is not None
                for kind in hits:
                    if kind is not None:
                        found[kind] = found.get(kind, 0) + 1
    assert set(found) == set(FaultKind)
    assert 2.0 < busy / calm < 5.0


def test_outages_of_one_config_move_none_of_another() -> None:
    down = OutageConfig(per_hour=30.0, kinds={FaultKind.TIMEOUT: 1.0})
    apart = OutageConfig(per_hour=30.0, kinds={FaultKind.CONTRADICTION: 1.0}, tools=("price_check",))
    alone, both = FaultInjector(FaultConfig(outages=(down,)), 4), FaultInjector(FaultConfig(outages=(down, apart)), 4)
    kinds = [(alone.draw("price_check", 5.0 * n).kind, both.draw("price_check", 5.0 * n).kind) for n in range(300)]
    assert all(second is first for first, second in kinds if first is not None)
    assert {second for first, second in kinds if first is None} == {None, FaultKind.CONTRADICTION}
    other = [(alone.draw("stock_check", 5.0 * n).kind, both.draw("stock_check", 5.0 * n).kind) for n in range(300)]
    assert all(first is second for first, second in other)


def test_a_single_mapping_is_enough_in_a_file() -> None:
    one = FaultConfig.model_validate({"outages": {"per_hour": 3}})
    assert one == FaultConfig.model_validate({"outages": [{"per_hour": 3}]})
    assert FaultConfig.model_validate_json(one.model_dump_json()) == one
    assert FaultConfig.model_validate({"outages": None}).outages == ()
