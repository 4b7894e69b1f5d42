"""The room view holds what is public and nothing else."""

from __future__ import annotations

import dataclasses
import json

from livesim.observation import hms, room_view
from livesim.scenarios.library import load
from livesim.scenarios.opening import open_stream
from livesim.world import events as ev
from livesim.world.promotions import Promotion, PromotionKind


def test_items_clock_and_dialogue_are_shown() -> None:
    now = open_stream(load("tiny"), 1)
    now.promotions = ()
    for event in (ev.ClockMoved(12.3456), ev.ViewerEntered(1.0, "mia"), *(ev.Spoken(2.0, t, 1.0) for t in "abc")):
        now.apply(event)
    view = room_view(now)
    assert [item.link for item in view.items] == list(now.catalog.links)
    assert (view.clock_s, view.viewers, view.dialogue, view.notices) == (12.346, 1, ("b", "c"), ())
    assert view.on_air == now.on_air


def test_a_flash_sale_is_a_public_notice_while_it_lasts() -> None:
    now = open_stream(load("tiny"), 1)
    now.promotions = (Promotion("f", PromotionKind.FLASH, link=3, percent=10, starts_s=10, ends_s=725, quota=1),)
    assert room_view(now).notices == ()
    now.apply(ev.ClockMoved(10.0))
    assert room_view(now).notices == ("flash sale on link 3 until 00:12:05",)
    now.apply(ev.PromotionExhausted(10.0, "f"))
    assert room_view(now).notices == ()
    assert hms(3_725.9) == "01:02:05"


def test_no_hidden_value_is_in_the_view() -> None:
    now = open_stream(load("quiet_room"), 5)
    shown = json.dumps(dataclasses.asdict(room_view(now)))
    for order in now.orders:
        assert not any(text in shown for text in order.private)
    for product in now.catalog.products:
        assert str(product.list_price_fen) not in shown
        assert all(sku.id not in shown for sku in product.skus)
