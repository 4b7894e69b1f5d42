"""Phrasings: many, disjoint between the two sets, and never without the item they mean."""

from __future__ import annotations

import pytest

from livesim.types import Intent
from livesim.world.comments import Reference, inject, join, slip, word
from livesim.world.dice import Dice
from livesim.world.needs import ABOUT_ITEM
from livesim.world.viewers import ItemInfo, Want, Wording

ITEM = ItemInfo(3, "linen shirt", "clothing", ("red/M",), ("key_ingredient",), 190, 90, True)
SLOTS: dict[Intent, dict[str, int | str]] = {
    Intent.SIZE: {"height_cm": 165, "weight_kg": 55},
    Intent.ATTRIBUTE: {"topic": "key_ingredient"},
    Intent.STOCK: {"option": "red/M"},
    Intent.AFTER_SALES: {"order": "A1734"},
}


def lines(intent: Intent, wording: Wording, reference: Reference, count: int = 400, typo: bool = False) -> set[str]:
    about = intent in ABOUT_ITEM
    want = Want(intent, 3 if about else None, SLOTS.get(intent, {}))
    how = reference if about else Reference.NONE
    item = ITEM if about else None
    return {word(want, Dice(s), item=item, reference=how, wording=wording, typo=typo) for s in range(count)}


@pytest.mark.parametrize("intent", list(Intent))
def test_training_and_heldout_phrasings_share_no_line(intent: Intent) -> None:
    for reference in (Reference.LINK, Reference.NAME, Reference.ELLIPTIC):
        train = lines(intent, Wording.TRAIN, reference, 1500)
        heldout = lines(intent, Wording.HELDOUT, reference, 1500)
        assert not train & heldout
        assert len(train) >= 8
        assert len(heldout) >= 4


@pytest.mark.parametrize("intent", sorted(ABOUT_ITEM))
@pytest.mark.parametrize("wording", list(Wording))
def test_fact_intents_have_at_least_thirty_phrasings(intent: Intent, wording: Wording) -> None:
    named = {line.replace("the linen shirt", "linen shirt") for line in lines(intent, wording, Reference.NAME)}
    assert len(named) >= 30


@pytest.mark.parametrize("intent", sorted(ABOUT_ITEM))
@pytest.mark.parametrize("typo", [False, True])
def test_a_reference_is_never_lost_not_even_by_a_typo(intent: Intent, typo: bool) -> None:
    assert all("linen shirt" in line for line in lines(intent, Wording.TRAIN, Reference.NAME, typo=typo))
    for line in lines(intent, Wording.TRAIN, Reference.LINK, typo=typo):
        assert "3" in line or "three" in line


def test_link_numbers_come_in_several_spellings() -> None:
    found = " | ".join(lines(Intent.PRICE, Wording.TRAIN, Reference.LINK))
    for spelling in ("link 3", "Link 3", "item 3", "no. 3", "#3", "number 3", "link3", "item three"):
        assert spelling in found


def test_slots_are_in_the_line() -> None:
    assert all("165" in line and "55" in line for line in lines(Intent.SIZE, Wording.TRAIN, Reference.LINK))
    assert all("key ingredient" in line for line in lines(Intent.ATTRIBUTE, Wording.HELDOUT, Reference.NAME))
    assert all("red" in line and "M" in line for line in lines(Intent.STOCK, Wording.TRAIN, Reference.NAME))
    assert all("A1734" in line for line in lines(Intent.AFTER_SALES, Wording.TRAIN, Reference.NONE))


def test_details_have_phrasings_of_their_own() -> None:
    for slots, said in (({"topic": "warranty"}, "warranty"), ({"topic": "freight_insurance"}, "freight")):
        for seed in range(40):
            want = Want(Intent.RETURNS, 3, slots)
            assert said in word(want, Dice(seed), item=ITEM, reference=Reference.LINK)
    for seed in range(40):
        many = Want(Intent.PRICE, 3, {"quantity": 2})
        assert "2" in word(many, Dice(seed), item=ITEM, reference=Reference.NAME)


def test_a_slip_changes_one_long_word_and_no_placeholder() -> None:
    core = "what's the topic of {item}?"
    slips = {slip(core, Dice(seed)) for seed in range(50)}
    assert len(slips - {core}) > 3
    assert all("{item}" in text and abs(len(text) - len(core)) <= 1 for text in slips)
    assert slip("how is {item}?", Dice(1)) == "how is {item}?"


def test_two_wants_make_one_line_and_injections_keep_the_question() -> None:
    assert join("how much is link 2?", "when does it ship?") == "how much is link 2 and when does it ship?"
    assert all("how much" in inject("how much", Dice(seed)) for seed in range(30))
