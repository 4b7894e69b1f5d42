"""What viewers ask about: the shares of the configuration hold, whatever is on air."""

from __future__ import annotations

from collections import Counter

import pytest

from livesim.types import Intent
from livesim.world.behaviour import Behaviour, Persona
from livesim.world.needs import ABOUT_ITEM
from livesim.world.viewers import SHARES, ItemInfo, RoomInfo, RoomMoment, ViewerComment, ViewerConfig
from livesim.world.viewing.intents import named
from livesim.world.wants import Tongue

ITEMS = (
    ItemInfo(2, "linen shirt", "clothing", ("red/M", "red/L"), ("material", "fit"), 186, 90),
    ItemInfo(3, "steel pan", "home", ("red", "blue"), ("material", "width"), warranty=True),
    ItemInfo(5, "wool hat", "clothing", ("grey",), ("material",), 190, 95),
    ItemInfo(7, "green tea", "food", ("single",), ("origin",)),
)
SEEDS = range(4000)


def asked(behaviour: Behaviour | None, on_air: int) -> list[ViewerComment]:
    """Questions about an item of viewers of one kind, whose shares are those of the configuration."""
    config = ViewerConfig(behaviour=behaviour, concentration=0.0, multi_share=0.0)
    room, moment = RoomInfo(ITEMS, on_air, 600.0), RoomMoment(0.0, on_air, tuple(item.link for item in ITEMS))
    tongue = Tongue(config, 0, room)
    lines = [tongue.say("mia", 0.0, seed, seed + 10**6, moment, burst=False) for seed in SEEDS]
    return [line for line in lines if line.intent in ABOUT_ITEM]


@pytest.mark.parametrize("on_air", [2, 3])
def test_a_quarter_of_a_living_room_asks_about_another_item_and_a_third_names_none(on_air: int) -> None:
    lines = asked(Behaviour(personas={Persona.NEW: 1.0}), on_air)
    links = {item.link: item for item in ITEMS}
    assert sum(line.link != on_air for line in lines) / len(lines) == pytest.approx(0.25, abs=0.02)
    assert sum(not named(line.text, links)[0] for line in lines) / len(lines) == pytest.approx(0.35, abs=0.03)
    counts = Counter(line.intent for line in lines)
    about = sum(SHARES[intent] for intent in ABOUT_ITEM)
    assert counts[Intent.SIZE] / len(lines) == pytest.approx(SHARES[Intent.SIZE] / about, abs=0.03)
    assert {line.link for line in lines if line.intent is Intent.SIZE} == {2, 5}


def test_size_questions_come_on_top_in_a_compressed_room_with_an_item_without_sizes_on_air() -> None:
    lines = asked(None, 3)
    assert sum(line.link != 3 for line in lines) / len(lines) == pytest.approx(0.25 * 0.82 + 0.18, abs=0.03)
