"""What serves a want: facts that exist, calls that state them, words that fit."""

from __future__ import annotations

import pytest

from livesim.scenarios.library import load
from livesim.scenarios.opening import open_stream
from livesim.tools.builtin import SPECS
from livesim.types import Intent
from livesim.world import events as ev
from livesim.world.facts import facts
from livesim.world.needs import ABOUT_ITEM, need_for, needs_for
from livesim.world.promotions import Promotion, PromotionKind
from livesim.world.state import Stream
from livesim.world.viewers import Want
from rewards.signals import Answer, FactRef, PlannedCall


@pytest.fixture
def now() -> Stream:
    return open_stream(load("tiny"), 3)


def bare(now: Stream) -> Stream:
    now.promotions = ()
    return now


def test_price_is_answered_by_the_final_price_and_two_tools(now: Stream) -> None:
    link = now.catalog.links[0]
    need = need_for(Want(Intent.PRICE, link), now)
    assert need.subject == f"link:{link}"
    assert need.facts == ((FactRef(f"link:{link}", "final_price"),),)
    assert need.plans == ((PlannedCall("price_check", {"link": link}),), (PlannedCall("final_price", {"link": link}),))


def test_several_pieces_need_their_own_total(now: Stream) -> None:
    link = now.catalog.links[0]
    need = need_for(Want(Intent.PRICE, link, {"quantity": 3}), now)
    assert need.facts == ((FactRef(f"link:{link}", "final_price:3"),),)
    assert need.plans == ((PlannedCall("final_price", {"link": link, "quantity": 3}),),)


def test_promotion_takes_whatever_offer_holds_now(now: Stream) -> None:
    link = now.catalog.links[0]
    stream = bare(now)
    stream.promotions = (
        Promotion("c1", PromotionKind.ITEM_COUPON, link=link, off_fen=500),
        Promotion("later", PromotionKind.ITEM_COUPON, link=link, off_fen=500, starts_s=99.0),
        Promotion("g", PromotionKind.GIFT, link=link, text="tote bag"),
        Promotion("t", PromotionKind.THRESHOLD, over_fen=30_000, off_fen=5_000),
        Promotion("other", PromotionKind.FLASH, link=now.catalog.links[1], percent=10),
    )
    found = {(ref.subject, ref.name) for (ref,) in need_for(Want(Intent.PROMOTION, link), stream).facts}
    here = f"link:{link}"
    assert found == {
        (here, "coupon:c1:off"),
        (here, "gift"),
        ("shop", "threshold:off"),
        (here, "final_price"),
        (here, "discount_percent"),
    }


def test_without_any_offer_saying_so_serves(now: Stream) -> None:
    need = need_for(Want(Intent.PROMOTION, now.catalog.links[0]), bare(now))
    assert "no coupon" in need.words
    assert need.facts[0][0].name == "final_price"


def test_a_question_about_a_delisted_item_is_declined(now: Stream) -> None:
    link = now.catalog.links[0]
    now.apply(ev.ItemDelisted(0.0, link))
    need = need_for(Want(Intent.PRICE, link), now)
    assert need.answer is Answer.DECLINE
    assert "no longer" in need.words


def test_social_decline_and_handoff_needs(now: Stream) -> None:
    assert need_for(Want(Intent.GREETING), now).plans == ((),)
    assert "welcome" in need_for(Want(Intent.GREETING), now).words
    assert need_for(Want(Intent.CHITCHAT), now).words == ()
    assert "an ai" in need_for(Want(Intent.CHITCHAT, None, {"ai": "yes"}), now).words
    assert need_for(Want(Intent.TROLL), now).answer is Answer.DECLINE
    care = need_for(Want(Intent.AFTER_SALES, None, {"order": "A1"}), now)
    assert care.answer is Answer.HANDOFF
    assert [[call.tool for call in plan] for plan in care.plans] == [["hand_off"], ["order_lookup", "hand_off"]]


def test_equal_needs_are_counted_once(now: Stream) -> None:
    link = now.catalog.links[0]
    assert len(needs_for([Want(Intent.PRICE, link), Want(Intent.PRICE, link), Want(Intent.GREETING)], now)) == 2


def test_every_need_has_facts_that_are_true_now_and_calls_that_the_tools_accept() -> None:
    for seed in range(12):
        now = open_stream(load("mid_room"), seed)
        known = {
            (f.subject, f.name)
            for f in facts(now.catalog, now.stock, now.promotions, 0.0, now.used, bodies=[(165, 55)])
        }
        for product in now.catalog.products:
            slots: dict[Intent, dict[str, int | str]] = {
                Intent.STOCK: {"option": product.skus[0].label},
                Intent.ATTRIBUTE: {"topic": product.attributes[0][0]},
                Intent.SIZE: {"height_cm": 165, "weight_kg": 55},
                Intent.RETURNS: {"topic": "warranty"},
            }
            for intent in sorted(ABOUT_ITEM):
                if intent is Intent.SIZE and not product.size_chart:
                    continue
                need = need_for(Want(intent, product.link, slots.get(intent, {})), now)
                if need.answer is Answer.FACT:
                    assert any(all((r.subject, r.name) in known for r in refs) for refs in need.facts), need
                assert need.plans
                for plan in need.plans:
                    for call in plan:
                        fields = SPECS[call.tool].arguments.model_fields
                        assert set(call.arguments) <= set(fields)
                        assert {n for n, f in fields.items() if f.is_required()} <= set(call.arguments)
