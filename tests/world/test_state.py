"""The stream changes only by events: replay, stock and money."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.world import events as ev
from livesim.world.catalog import Catalog, Category, Product, Sku
from livesim.world.promotions import Promotion, PromotionKind
from livesim.world.purchases import order_events, pay_events
from livesim.world.state import Stream, replay
from livesim.world.viewers import MoveKind, ViewerMove


def product(link: int, pieces: int = 3) -> Product:
    return Product(
        link=link,
        title=f"thing {link}",
        category=Category.HOME,
        list_price_fen=10_000,
        attributes=(("material", "oak"),),
        skus=(Sku(f"{link}:red", (("colour", "red"),), pieces), Sku(f"{link}:blue", (("colour", "blue"),), 1)),
        dispatch_hours=24,
        delivery_days=3,
        free_shipping=True,
        return_days=7,
        freight_insurance=False,
        warranty_months=0,
    )


def fresh() -> Stream:
    catalog = Catalog((product(2), product(5)))
    flash = Promotion("f", PromotionKind.FLASH, link=2, percent=20, quota=2)
    coupon = Promotion("c", PromotionKind.ITEM_COUPON, link=2, off_fen=500)
    return Stream(catalog, catalog.stock(), (flash, coupon), on_air=2)


def buy(stream: Stream, viewer: str, link: int, option: str = "", quantity: int = 1) -> list[ev.Event]:
    move = ViewerMove(viewer, MoveKind.ORDER, link, option, quantity)
    events = order_events(move, stream, stream.clock_s)
    for event in events:
        stream.apply(event)
    return events


def test_an_order_lowers_the_stock_and_costs_what_the_promotions_say() -> None:
    stream = fresh()
    (order,) = buy(stream, "mia", 2, "red")
    assert isinstance(order, ev.OrderPlaced)
    assert (order.list_fen, order.paid_fen, order.promotions) == (10_000, 7_500, ("f", "c"))
    assert stream.stock == {"2:red": 2, "2:blue": 1, "5:red": 3, "5:blue": 1}
    assert stream.paid_fen == 0
    for event in pay_events(ViewerMove("mia", MoveKind.PAY), stream, 0.0):
        stream.apply(event)
    assert stream.paid_fen == 7_500


def test_what_is_paid_is_the_order_of_that_item() -> None:
    stream = fresh()
    buy(stream, "mia", 2, "red")
    buy(stream, "mia", 9)  # not there, so there is no order to pay
    assert pay_events(ViewerMove("mia", MoveKind.PAY, 9), stream, 0.0) == []
    assert len(pay_events(ViewerMove("mia", MoveKind.PAY, 2), stream, 0.0)) == 1


def test_the_last_piece_of_a_quota_exhausts_the_flash_sale() -> None:
    stream = fresh()
    assert [type(e) for e in buy(stream, "mia", 2)] == [ev.OrderPlaced]
    assert [type(e) for e in buy(stream, "leo", 2)] == [ev.OrderPlaced, ev.PromotionExhausted]
    (third,) = buy(stream, "ana", 2)
    assert isinstance(third, ev.OrderPlaced)
    assert third.paid_fen == 9_500  # the coupon alone


def test_nobody_can_buy_what_is_not_there() -> None:
    stream = fresh()
    assert buy(stream, "mia", 9) == []
    assert buy(stream, "mia", 5, "green") == []
    assert buy(stream, "mia", 5, "blue", quantity=2) == []
    before = copy.deepcopy(stream)
    with pytest.raises(ValueError, match="in stock 1"):
        stream.apply(ev.OrderPlaced(0.0, "B9", "mia", 5, "5:blue", 2, 100, 100))
    with pytest.raises(ValueError, match="price 200 fen"):
        stream.apply(ev.OrderPlaced(0.0, "B9", "mia", 5, "5:blue", 1, 100, 200))
    assert stream == before


def test_the_clock_never_goes_back() -> None:
    stream = fresh()
    stream.apply(ev.ClockMoved(5.0))
    with pytest.raises(ValueError, match="cannot go back"):
        stream.apply(ev.ClockMoved(4.0))


def test_delisting_the_item_on_air_shows_the_next_one_and_ends_its_promotions() -> None:
    stream = fresh()
    stream.apply(ev.ItemDelisted(1.0, 2))
    assert stream.on_air == 5
    assert stream.catalog.by_link(2) is None
    assert stream.promotions == ()
    stream.apply(ev.ItemDelisted(1.0, 5))
    assert stream.on_air == 0


def test_price_stock_and_promotion_events_change_just_that() -> None:
    stream = fresh()
    stream.apply(ev.PriceCorrected(0.0, 5, 4_200))
    stream.apply(ev.StockSet(0.0, "5:red", 0))
    stream.apply(ev.PromotionEnded(0.0, "f"))
    stream.apply(ev.ItemSwitched(0.0, 5))
    corrected = stream.catalog.by_link(5)
    assert corrected is not None
    assert corrected.list_price_fen == 4_200
    assert stream.stock["5:red"] == 0
    assert [p.id for p in stream.promotions] == ["c"]
    assert stream.on_air == 5
    with pytest.raises(ValueError, match="not listed"):
        stream.apply(ev.ItemSwitched(0.0, 7))


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["order", "pay", "sold_out", "restock", "delist", "clock", "price"]),
        st.sampled_from([2, 5, 9]),
        st.sampled_from(["", "red", "blue"]),
        st.integers(1, 3),
        st.sampled_from(["mia", "leo"]),
    ),
    max_size=40,
)


@settings(max_examples=150)
@given(ACTS)
def test_stock_is_never_negative_money_is_conserved_and_replay_gives_the_same_state(acts: list[tuple]) -> None:  # type: ignore[type-arg]
    stream, log = fresh(), []
    for kind, link, option, number, viewer in acts:
        at_s = stream.clock_s
        events: list[ev.Event] = []
        if kind == "order":
            events = order_events(ViewerMove(viewer, MoveKind.ORDER, link, option, number), stream, at_s)
        elif kind == "pay":
            events = pay_events(ViewerMove(viewer, MoveKind.PAY), stream, at_s)
        elif kind in ("sold_out", "restock") and f"{link}:red" in stream.stock:
            events = [ev.StockSet(at_s, f"{link}:red", 0 if kind == "sold_out" else number)]
        elif kind == "delist":
            events = [ev.ItemDelisted(at_s, link)]
        elif kind == "clock":
            events = [ev.ClockMoved(at_s + number)]
        elif kind == "price":
            events = [ev.PriceCorrected(at_s, link, number * 1000)]
        for event in events:
            stream.apply(event)
            log.append(event)
        assert all(pieces >= 0 for pieces in stream.stock.values())
    orders = {event.order: event.paid_fen for event in log if isinstance(event, ev.OrderPlaced)}
    paid = {event.order for event in log if isinstance(event, ev.OrderPaid)}
    assert stream.paid_fen == sum(orders[order] for order in paid)
    assert replay(fresh(), log) == stream
