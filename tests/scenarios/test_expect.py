"""Expectations, goods and edits as data: strict, with the nearest name in the error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from livesim.errors import ScenarioError
from livesim.scenarios.edits import HarnessEdit
from livesim.scenarios.expect import CallPattern, Expect, Saying
from livesim.scenarios.goods import Good, Offer, catalog_of, offers_of, orders_of
from livesim.scenarios.library import load, names
from livesim.scenarios.opening import open_stream
from livesim.scenarios.script import Scenario
from livesim.simulator import Simulator
from livesim.world.promotions import PromotionKind

HASHES = {
    "flash_sale": "519ddaf13acb",
    "hostile": "cc2dbc712e49",
    "mid_room": "109391a93a45",
    "qa": "b467298e63d9",
    "qa_links": "43693a47620a",
    "quiet_room": "85876048ed55",
    "recovery": "75c3a0989b59",
    "tiny": "ea52ad8b3348",
}


def test_the_hash_of_a_room_does_not_change_with_what_later_versions_may_say() -> None:
    assert {name: load(name).hash for name in names()} == HASHES


def test_what_a_test_asks_is_no_part_of_the_hash_and_what_is_said_is() -> None:
    plain = load("tiny")
    line = {"at_s": 1, "viewer": "mia", "text": "hi", "intent": "greeting"}
    assert Scenario.model_validate(plain.model_dump() | {"expect": {"must_say": "hi"}}).hash == plain.hash
    assert Scenario.model_validate(plain.model_dump() | {"play": {"seed": 9}}).hash == plain.hash
    assert Scenario.model_validate(plain.model_dump() | {"says": [line]}).hash != plain.hash


def test_short_forms_of_calls_and_sayings() -> None:
    expect = Expect.model_validate(
        {
            "must_call": "price_check",
            "must_say": ["89 yuan", ["sold out", "run out"], {"fact": "link:2 final_price"}, 12],
            "outcome": "honest",
        }
    )
    assert expect.must_call == (CallPattern(tool="price_check"),)
    assert [s.phrases for s in expect.must_say] == [("89 yuan",), ("sold out", "run out"), (), ("12",)]
    assert (expect.must_say[2].subject, expect.must_say[2].name) == ("link:2", "final_price")
    assert expect.outcome == ("honest",)
    assert Expect().empty
    assert not expect.empty
    assert Saying.model_validate(["a", "b"]).describe() == "'a' or 'b'"
    assert CallPattern(tool="price_check", arguments={"link": 2}, ok=True).describe() == (
        "price_check(link=2) that went well"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("expect: {must_cal: price_check}", "did you mean 'must_call'"),
        ("expect: {must_call: price_chek}", "did you mean 'price_check'"),
        ("expect: {must_call: {tool: price_check, arguments: {lnk: 2}}}", "did you mean 'link'"),
        ("expect: {no_more_than: {price_chek: 1}}", "did you mean 'price_check'"),
        ("expect: {no_more_than: {price_check: -1}}", "at least 0"),
        ("expect: {heads: {acuracy: 1}}", "did you mean 'accuracy'"),
        ("expect: {heads: {accuracy: 2}}", "a floor lies in"),
        ("expect: {outcome: honset}", "did you mean 'honest'"),
        ("expect: {outcome: none}", "unknown outcome 'none'"),
        ("expect: {must_say: {fact: final_price}}", "link:2 final_price"),
        ("expect: {must_say: {fact: link:2 p, phrases: [x]}}", "not both"),
        ('expect: {must_say: " "}', "at least one word"),
        ("expect: {recover_within_s: 0}", "greater than 0"),
        ("expect: {requests: {0: {must_say: x}}}", "counted from 1"),
        ("expect: {requests: {1: {must_sya: x}}}", "did you mean 'must_say'"),
        ("beats: [{kind: sold_out, at_s: 3, optoin: red}]", "did you mean 'option'"),
        ("beats: [{kind: sold_out, after: {tool: price_chek}}]", "did you mean 'price_check'"),
        ("beats: [{kind: sold_out, after: {reply: 1, request: 2}}]", "exactly one of"),
        ("beats: [{kind: platform_change, at_s: 3, platform: taobo}]", "did you mean 'taobao'"),
        ("beats: [{kind: harness_edit, at_s: 3, edit: {}}]", "an edit changes something"),
        ("beats: [{kind: harness_edit, at_s: 3, edit: {rename_tool: {a: b}}}]", "did you mean 'rename_tools'"),
        ("beats: [{kind: harness_edit, at_s: 3, edit: {rename_parameters: {link: b}}}]", "tool.parameter"),
        ("beats: [{kind: flash_start, at_s: 3, percent: 9, lasts_s: 5, announced_s: 9}]", "lies before at_s"),
        ("catalog: {goods: [{title: pan, price: 9.999}]}", "part of a fen"),
        ("catalog: {goods: [{title: pan, price: cheap}]}", "no amount in yuan"),
        (
            "catalog: {goods: [{title: pan, price: 9}, {title: pan, price: 8}]}",
            r"item 1 \(pan\) and item 2 \(pan\) share the title pan",
        ),
        (
            "catalog: {goods: [{title: pan, price: 9, link: 2}, {title: pot, price: 8}]}",
            r"item 1 \(pan\) and item 2 \(pot\) share link 2, its place; give it a link of its own",
        ),
        ("catalog: {goods: [{title: pan, price: 9}], items: 3}", "1 goods are written out"),
        ("catalog: {goods: [{title: pan, price: 9, options: {red/M: 1, red: 2}}]}", "same parts"),
        ("catalog: {goods: [{title: pan, price: 9}], offers: [{kind: gift, item: 1}]}", "says what it is"),
        (
            "catalog: {goods: [{title: pan, price: 9, link: 7}], offers: [{kind: item_coupon, item: 7, save: 1}]}",
            "offers.0: there is no item 7 among 1: item is the place in the list; link 7 is item 1",
        ),
        (
            "catalog: {goods: [{title: pan, price: 9}], orders: [{id: A123, item: 2}]}",
            "orders.0: there is no item 2 among 1: item is the place in the list .got",
        ),
        ("catalog: {goods: [{title: a, price: 9}], offers: [{kind: threshold, save: 1}]}", "an amount to spend"),
        ("catalog: {goods: [{title: a, price: 9}], offers: [{kind: shop_coupon, save: -1}]}", "greater than or equal"),
        (
            "catalog: {goods: [{title: a, price: 9}], offers: [{kind: shop_coupon, save: 1, starts_s: 9, ends_s: 3}]}",
            "ends after it starts",
        ),
        ("catalog: {goods: [{title: pan, price: 9}], orders: [{id: A1, item: 1}]}", "pattern"),
        ("catalog: {goods: [{title: pan, price: 9}], orders: [{id: A123, status: lost}]}", "status is one of"),
        ("catalog: {goods: [{title: pan, price: 9}], on_air: 2}", "on_air: there is no item 2 among 1"),
        ("says: [{at_s: 3, viewer: mia, text: hm, intent: pirce, item: 1}]", "price"),
        ("says: [{at_s: 3, viewer: mia, text: hm, intent: price, item: 6}]", "says.0: there is no item 6 among 5"),
        ("expect: {must_call: {tool: price_check, link: 1}}", "is written arguments: {link: 1}"),
        ("expect: {requests: [{must_say: hi}]}", "write the number of a request"),
        ("faults: [{tool: price_check, kind: timeout}]", "single faults stand under script"),
        ("expect: {must_call: load_skill}", "answered by the harness itself: use must_load"),
        ("expect: {no_more_than: {load_skill: 1}}", "answered by the harness itself: use must_load"),
        ("beats: [{kind: sold_out, after: {tool: load_skill}}]", "answered by the harness itself"),
    ],
)
def test_a_wrong_field_is_named_with_its_nearest(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(f"name: x\n{text}\n")
    with pytest.raises(ScenarioError, match=words):
        load(file)


def test_goods_are_what_is_written() -> None:
    goods = (
        Good.model_validate({"title": "linen shirt", "price": "89.50", "options": {"red/M": 3, "red/L": 0}, "link": 7}),
        Good.model_validate({"title": "steel pan", "price": 129, "category": "home", "attributes": {"width": "28 cm"}}),
    )
    catalog = catalog_of(goods)
    assert catalog.links == (2, 7)
    pan, shirt = catalog.products
    assert (shirt.list_price_fen, [sku.label for sku in shirt.skus]) == (8950, ["red/M", "red/L"])
    assert shirt.skus[0].options == (("colour", "red"), ("size", "M"))
    assert pan.attributes == (("width", "28 cm"),)
    assert len(shirt.attributes) >= 4
    assert catalog.stock() == {"2:standard": 50, "7:red/M": 3, "7:red/L": 0}


def test_offers_and_orders_are_what_is_written() -> None:
    offers = [
        Offer.model_validate({"kind": "item_coupon", "item": 2, "spend": 90, "save": 10}),
        Offer.model_validate({"kind": "gift", "item": 1, "text": "tea cup"}),
        Offer.model_validate({"kind": "threshold", "spend": 300, "save": 50}),
    ]
    coupon, gift, shop = offers_of(offers, (3, 8))
    assert (coupon.id, coupon.link, coupon.over_fen, coupon.off_fen) == ("c1", 8, 9000, 1000)
    assert (gift.id, gift.link, gift.text, gift.kind) == ("o2", 3, "tea cup", PromotionKind.GIFT)
    assert (shop.link, shop.off_fen) == (None, 5000)
    scenario = load("where_is_my_order")
    stream = open_stream(scenario, 3)
    assert [order.id for order in stream.orders] == ["A1734", "B2210"]
    assert orders_of(scenario.catalog.orders, stream.catalog, stream.catalog.links) == stream.orders


def test_an_item_is_the_place_in_the_list_as_it_is_written_and_a_link_is_a_number() -> None:
    scenario = Scenario.model_validate(
        {
            "name": "x",
            "catalog": {
                "goods": [
                    {"title": "green tea", "price": 30, "category": "food", "link": 9},
                    {"title": "steel pan", "price": 129, "category": "home", "link": 4},
                    {"title": "wool hat", "price": 59},
                ],
                "offers": [{"kind": "gift", "item": 1, "text": "tea cup"}],
                "orders": [{"id": "A1734", "item": 2}],
                "on_air": 1,
            },
            "says": [
                {"at_s": 1, "viewer": "mia", "text": "how much is {link}, the {title}?", "intent": "price", "item": 2},
                {"at_s": 1, "viewer": "leo", "text": "and that?", "intent": "price", "link": 3},
            ],
            "beats": [
                {"kind": "sold_out", "at_s": 2, "item": 3},
                {"kind": "flash_start", "at_s": 90, "announced_s": 3, "item": 1, "percent": 9, "lasts_s": 5},
            ],
        }
    )
    room = Simulator(scenario, 0)
    assert room.stream.catalog.links == (3, 4, 9)
    assert (room.stream.on_air, room.stream.promotions[0].link, room.stream.orders[0].link) == (9, 9, 4)
    pending = room.next_request()
    assert pending is not None
    assert [comment.text for comment in pending.request.comments] == ["how much is 4, the steel pan?", "and that?"]
    assert [need.subject for need in pending.needs] == ["link:4", "link:3"]
    assert room.stream.stock == {"3:standard": 0, "4:standard": 50, "9:standard": 50}
    assert room.stream.notices == ["flash sale on link 9 from 00:00:03"]


def test_a_written_room_is_the_same_under_every_seed() -> None:
    scenario = load("timeout_once")
    assert open_stream(scenario, 1) == open_stream(scenario, 2)


def test_an_edit_says_what_it_does() -> None:
    edit = HarnessEdit.model_validate(
        {
            "rename_tools": {"price_check": "quote"},
            "reply_words": 12,
            "reword": [{"where": "block:rules", "new": "- x"}],
        }
    )
    assert edit.describe() == "price_check is shown as quote; block:rules is reworded; reply_words is 12"
    bad: dict[str, Any] = {"reword": [{"where": "rules", "new": "x"}]}
    with pytest.raises(ValidationError):
        HarnessEdit.model_validate(bad)
