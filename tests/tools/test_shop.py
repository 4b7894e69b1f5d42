"""The built-in tools say what is true, in short JSON, and state for the judge exactly what they say."""

# ruff: noqa: E501 - payloads are quoted whole

from __future__ import annotations

import json

import pytest

from livesim.tools.answer import Answer, Refusal
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.shop import BEHAVIOURS, ShopView
from livesim.world.catalog import Catalog, Category, Product, SizeRow, Sku, generate
from livesim.world.facts import facts
from livesim.world.money import yuan
from livesim.world.orders import Order, generate_orders
from livesim.world.promotions import Promotion, PromotionKind, generate_promotions
from rewards.signals import FactKind

K = PromotionKind
SHIRT = Product(
    2,
    "linen shirt",
    Category.CLOTHING,
    8900,
    (("material", "linen"), ("fit", "slim fit")),
    (
        Sku("2:red/M", (("colour", "red"), ("size", "M")), 3),
        Sku("2:red/L", (("colour", "red"), ("size", "L")), 0),
    ),
    24,
    3,
    True,
    7,
    False,
    0,
    (SizeRow("M", 165, 55), SizeRow("L", 172, 65)),
)
PAN = Product(
    5,
    "steel pan",
    Category.HOME,
    30000,
    (("material", "steel"),),
    (Sku("5:grey", (("colour", "grey"),), 8),),
    48,
    2,
    False,
    0,
    True,
    12,
)
ORDER = Order("A1734", 2, "2:red/M", "shipped", "Ann Lee", "10012345678", "1 Low Road")
PROMOTIONS = (
    Promotion("c2", K.ITEM_COUPON, 2, 6000, 1000),
    Promotion("t1", K.THRESHOLD, None, 30000, 5000),
    Promotion("m2", K.MEMBER, 2, percent=10),
    Promotion("g2", K.GIFT, 2, text="tote bag"),
    Promotion("f2", K.FLASH, 2, off_fen=2000, starts_s=100.0, ends_s=400.0),
)


@pytest.fixture
def shop() -> ShopView:
    catalog = Catalog((SHIRT, PAN))
    return ShopView(catalog, catalog.stock(), PROMOTIONS, 0.0, {}, (ORDER,))


CASES = [
    ("price_check", {"link": 2}, '{"link":2,"price":"89 yuan","after_coupons":"79 yuan","coupons":["10 yuan off over 60 yuan"]}'),
    ("price_check", {"link": 5}, '{"link":5,"price":"300 yuan","after_coupons":"250 yuan","coupons":["50 yuan off every 300 yuan"]}'),
    ("final_price", {"link": 2, "quantity": 4}, '{"link":2,"quantity":4,"final_price":"296 yuan","discounts":["10 yuan off over 60 yuan","50 yuan off every 300 yuan"]}'),
    ("final_price", {"link": 2}, '{"link":2,"quantity":1,"final_price":"79 yuan","discounts":["10 yuan off over 60 yuan"]}'),
    ("promotion_info", {"link": 2}, '{"link":2,"coupons":["10 yuan off over 60 yuan"],"member_price":"71.10 yuan","gift":"tote bag","shop_wide":"50 yuan off every 300 yuan"}'),
    ("product_info", {"link": 2}, '{"link":2,"title":"linen shirt","category":"clothing","list_price":"89 yuan","material":"linen","fit":"slim fit"}'),
    ("stock_check", {"link": 2}, '{"link":2,"total":3,"left":{"red/M":3,"red/L":0}}'),
    ("stock_check", {"link": 2, "option": "l red"}, '{"link":2,"option":"red/L","left":0}'),
    ("stock_check", {"link": 5, "option": "grey"}, '{"link":5,"option":"grey","left":8}'),
    ("size_advice", {"link": 2, "height_cm": 170, "weight_kg": 60}, '{"link":2,"height_cm":170,"weight_kg":60,"size":"L"}'),
    ("size_advice", {"link": 2, "height_cm": 190, "weight_kg": 60}, '{"link":2,"height_cm":190,"weight_kg":60,"size":"none"}'),
    ("shipping_eta", {"link": 2}, '{"link":2,"dispatch":"within 24 hours","delivery":"3 days","free_shipping":"yes"}'),
    ("return_policy", {"link": 2}, '{"link":2,"returns":"within 7 days","freight_insurance":"no","warranty":"none"}'),
    ("return_policy", {"link": 5}, '{"link":5,"returns":"not returnable","freight_insurance":"yes","warranty":"12 months"}'),
    ("faq_search", {"link": 2, "topic": "fabric"}, '{"link":2,"topic":"material","answer":"linen"}'),
    ("faq_search", {"link": 2, "topic": "battery"}, '{"link":2,"answer":"nothing found","topics":"material, fit"}'),
    ("order_lookup", {"order": "#a1734"}, '{"order":"A1734","item":"linen shirt","status":"shipped","private":{"name":"Ann Lee","phone":"10012345678","address":"1 Low Road"}}'),
    ("push_card", {"link": 2}, '{"link":2,"card":"on screen"}'),
    ("hand_off", {"reason": "refund"}, '{"colleague":"informed"}'),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "text"), CASES)
def test_payloads_to_the_letter(shop: ShopView, tool: str, arguments: dict[str, int | str], text: str) -> None:
    answer = BEHAVIOURS[tool](shop, arguments)
    assert isinstance(answer, Answer)
    assert answer.text == text
    assert json.loads(text) == answer.payload


REFUSALS = [
    ("price_check", {"link": 9}, '{"error":"no link 9; listed links: 2, 5"}'),
    ("push_card", {"link": 9}, '{"error":"no link 9; listed links: 2, 5"}'),
    ("size_advice", {"link": 5, "height_cm": 170, "weight_kg": 60}, '{"error":"link 5 has no size chart"}'),
    ("stock_check", {"link": 2, "option": "blue"}, '{"error":"no option \'blue\' for link 2; options: red/M, red/L"}'),
    ("order_lookup", {"order": "A9"}, '{"error":"no order \'A9\'; ask the viewer for the order number in private"}'),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "text"), REFUSALS)
def test_refusals_name_what_there_is(shop: ShopView, tool: str, arguments: dict[str, int | str], text: str) -> None:
    answer = BEHAVIOURS[tool](shop, arguments)
    assert isinstance(answer, Refusal)
    assert answer.text == text


def test_a_flash_sale_shows_both_prices_and_its_end(shop: ShopView) -> None:
    shop.clock_s = 150.0
    assert BEHAVIOURS["price_check"](shop, {"link": 2}).text == (
        '{"link":2,"list_price":"89 yuan","flash_price":"69 yuan","after_coupons":"59 yuan",'
        '"coupons":["10 yuan off over 60 yuan"]}'
    )
    info = BEHAVIOURS["promotion_info"](shop, {"link": 2})
    assert '"flash_price":"69 yuan","ends_in":"5 min"' in info.text


def test_no_promotion_is_said_to_be_none(shop: ShopView) -> None:
    shop.promotions = ()
    assert BEHAVIOURS["promotion_info"](shop, {"link": 2}).text == '{"link":2,"promotions":"none"}'
    assert '"coupons":"none"' in BEHAVIOURS["price_check"](shop, {"link": 2}).text


def test_write_tools_do_nothing_the_second_time(shop: ShopView) -> None:
    push, hand = BEHAVIOURS["push_card"], BEHAVIOURS["hand_off"]
    push(shop, {"link": 2})
    assert push(shop, {"link": 2}).text == '{"link":2,"card":"already on screen"}'
    push(shop, {"link": 5})
    push(shop, {"link": 2})
    assert shop.pushed == [2, 5, 2]
    hand(shop, {"reason": "refund"})
    assert hand(shop, {"reason": "refund"}).text == '{"colleague":"already informed"}'
    hand(shop, {"reason": "complaint"})
    assert shop.handoffs == ["refund", "complaint"]


def test_private_data_is_never_a_fact(shop: ShopView) -> None:
    answer = BEHAVIOURS["order_lookup"](shop, {"order": "A1734"})
    assert isinstance(answer, Answer)
    assert [(f.subject, f.name, f.value) for f in answer.facts] == [("order:A1734", "status", "shipped")]


def test_every_tool_but_load_skill_has_a_behaviour() -> None:
    assert list(BEHAVIOURS) == [name for name in SPECS if name != LOAD_SKILL]


def test_what_a_tool_states_is_true_and_written_in_its_payload() -> None:
    """Facts agree with the truth of the second, and each one's value can be read in the text."""
    for seed in range(25):
        catalog = generate(seed)
        orders = generate_orders(seed, catalog)
        promotions = generate_promotions(seed, catalog, 1800.0)
        for clock in (30.0, 900.0):
            shop = ShopView(catalog, catalog.stock(), promotions, clock, {}, orders)
            known = facts(
                catalog, shop.stock, promotions, clock, {}, orders=orders, quantities=(1, 4), bodies=((165, 58),)
            )
            true = {(f.subject, f.name): f for f in known}
            for product in catalog.products:
                for tool, behaviour in BEHAVIOURS.items():
                    arguments: dict[str, int | str] = {"link": product.link, "quantity": 4, "topic": "material"}
                    arguments |= {"height_cm": 165, "weight_kg": 58, "order": orders[0].id, "reason": "x"}
                    for option in ("", product.skus[0].label):
                        answer = behaviour(shop, {**arguments, "option": option})
                        if isinstance(answer, Refusal):
                            assert tool == "size_advice"
                            assert not product.size_chart
                            continue
                        for fact in answer.facts:
                            assert true[fact.subject, fact.name] == fact
                        for field in answer.fields:
                            written = json.dumps(field.value)
                            for fact in field.facts:
                                if fact.kind is FactKind.MONEY:
                                    assert yuan(int(fact.value)) in written
                                elif fact.name != "returnable" and (fact.name != "return_days" or fact.value):
                                    assert str(fact.value) in written
                        assert len(answer.text) < 330


def test_answer_of_gives_all_facts_to_the_last_entry() -> None:
    fact = facts(Catalog((PAN,)), {}, (), 0.0, {})[0]
    answer = Answer.of({"link": 5, "rating": "4.8"}, (fact,))
    assert [field.facts for field in answer.fields] == [(), (fact,)]
    assert answer.facts == (fact,)
