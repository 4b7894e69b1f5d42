"""Outages last, hit one tool in one way, come more often when the room is busy, and move nothing else."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from livesim.errors import ConfigError
from livesim.scenarios.library import load
from livesim.simulator import Simulator
from livesim.tools.faults import PRESETS, FaultConfig, FaultInjector, ScriptedFault
from livesim.tools.outages import OutageConfig, Outages
from rewards.signals import FaultKind

TEN_AN_HOUR = OutageConfig(per_hour=10.0)


def spells(outages: Outages, tool: str, horizon_s: int) -> list[tuple[int, int, FaultKind]]:
    """(first second, seconds, kind) of each outage, second by second."""
    found: list[tuple[int, int, FaultKind]] = []
    for second in range(horizon_s):
        kind = outages.at(tool, float(second))
        if kind is None:
            continue
        if found and found[-1][0] + found[-1][1] == second and found[-1][2] is kind:
            found[-1] = (found[-1][0], found[-1][1] + 1, kind)
        else:
            found.append((second, 1, kind))
    return found


def test_outages_last_as_long_as_they_should_and_come_at_their_rate() -> None:
    found = [spell for seed in range(30) for spell in spells(Outages(TEN_AN_HOUR, seed), "price_check", 3600)]
    assert 30 * 10 * 0.8 < len(found) < 30 * 10 * 1.2
    alone = sorted(length for _, length, _ in found)
    assert alone[len(alone) // 20] >= 19
    assert alone[len(alone) // 2] in range(33, 48)
    assert {kind for _, _, kind in found} == set(TEN_AN_HOUR.kinds)


def test_a_busy_room_has_four_times_as_many() -> None:
    calm = sum(len(spells(Outages(TEN_AN_HOUR, seed), "a", 1800)) for seed in range(40))
    busy = sum(len(spells(Outages(TEN_AN_HOUR, seed, [(0.0, 1800.0)]), "a", 1800)) for seed in range(40))
    assert 3.0 < busy / calm < 5.0


def test_it_does_not_matter_when_and_for_which_tools_one_looks() -> None:
    straight, jumping = Outages(TEN_AN_HOUR, 3), Outages(TEN_AN_HOUR, 3)
    expected = [straight.at("a", float(second)) for second in range(0, 3000, 7)]
    jumping.at("b", 2900.0)
    jumping.at("a", 2999.0)
    assert [jumping.at("a", float(second)) for second in range(0, 3000, 7)] == expected
    assert [straight.at("b", float(second)) for second in range(0, 3000, 7)] != expected


def test_only_the_named_tools_are_out() -> None:
    outages = Outages(OutageConfig(per_hour=60.0, tools=("price_check",)), 1)
    assert spells(outages, "stock_check", 1000) == []
    assert spells(outages, "price_check", 1000) != []


def test_an_outage_moves_no_drawn_fault_and_yields_to_the_script() -> None:
    light = PRESETS["light"]
    plain, out = FaultInjector(light, 5), FaultInjector(PRESETS["outages"], 5)
    calls = [(plain.draw("price_check", 4.0 * n), out.draw("price_check", 4.0 * n)) for n in range(300)]
    hit = [b.kind for a, b in calls if a.kind is not b.kind]
    assert len(hit) > 10
    assert all(a.kind is b.kind or b.kind in TEN_AN_HOUR.kinds for a, b in calls)
    script = (ScriptedFault(tool="price_check", kind=FaultKind.STALE),)
    always = FaultInjector(FaultConfig(outages=(OutageConfig(per_hour=3600.0),), script=script), 5)
    assert {always.draw("price_check", 50.0 + n).kind for n in range(20)} == {FaultKind.STALE}


def test_the_rush_of_a_flash_sale_is_busy() -> None:
    sale = load("flash_sale")
    simulator = Simulator(sale, 1, faults=FaultConfig(outages=(OutageConfig(per_hour=10.0),)))
    (outages,) = simulator._injector._outages
    assert outages._busy == ((95.0, 210.0),)


@pytest.mark.parametrize(
    "wrong", [{"per_hour": 0}, {"per_hour": 1, "lasts_s": (9, 3)}, {"per_hour": 1, "kinds": {"timeout": 0}}]
)
def test_a_wrong_config_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        OutageConfig.model_validate(wrong)


def test_a_tool_that_is_not_there_is_named() -> None:
    faults = FaultConfig(outages=(OutageConfig(per_hour=1.0, tools=("price_chek",)),))
    with pytest.raises(ConfigError, match="did you mean 'price_check'"):
        Simulator(load("tiny"), 1, faults=faults)
