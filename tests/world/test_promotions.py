"""Quotes are exact, explain themselves and create no money."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from livesim.world.catalog import Category, Product, Sku, generate
from livesim.world.promotions import STACKING, Promotion, PromotionKind, generate_promotions, quote

K = PromotionKind


def item(price_fen: int, link: int = 2) -> Product:
    sku = Sku(f"{link}:red", (("colour", "red"),), 9)
    return Product(link, "steel pan", Category.HOME, price_fen, (), (sku,), 24, 3, True, 7, True, 12)


COUPON = Promotion("c2", K.ITEM_COUPON, 2, 6000, 1000)
SHOP = Promotion("s1", K.SHOP_COUPON, None, 20000, 1500)
EVERY = Promotion("t1", K.THRESHOLD, None, 30000, 5000)
MEMBER = Promotion("m2", K.MEMBER, 2, percent=5)
FLASH = Promotion("f2", K.FLASH, 2, off_fen=2000, starts_s=100.0, ends_s=200.0, quota=3)
GIFT = Promotion("g2", K.GIFT, 2, text="tote bag")
ALL = (COUPON, SHOP, EVERY, MEMBER, FLASH, GIFT)


def final(
    price_fen: int, quantity: int, promotions: tuple[Promotion, ...], clock_s: float = 0.0, **more: object
) -> int:
    return quote(item(price_fen), quantity, promotions, clock_s=clock_s, **more).final_fen  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("price", "quantity", "promotions", "clock", "member", "expected"),
    [
        (8900, 1, (), 0, False, 8900),
        (8900, 1, (COUPON,), 0, False, 7900),
        (5900, 1, (COUPON,), 0, False, 5900),  # below 60 yuan
        (5900, 2, (COUPON,), 0, False, 10800),  # one coupon per purchase
        (6000, 1, (COUPON,), 0, False, 5000),  # exactly 60 yuan counts
        (30000, 1, (EVERY,), 0, False, 25000),
        (29999, 1, (EVERY,), 0, False, 29999),
        (30000, 3, (EVERY,), 0, False, 75000),  # three times 50 off
        (30500, 1, (COUPON, EVERY), 0, False, 29500),  # the coupon takes it below 300
        (31000, 1, (COUPON, EVERY), 0, False, 25000),
        (31000, 1, (COUPON, SHOP, EVERY), 0, False, 28500),  # 310 - 10 - 15 = 285 < 300
        (9999, 1, (MEMBER,), 0, True, 9500),  # 5 % of 99.99 is 4.9995, rounded down to 4.99
        (9999, 1, (MEMBER,), 0, False, 9999),
        (8900, 1, (FLASH,), 99.9, False, 8900),
        (8900, 1, (FLASH,), 100, False, 6900),
        (8900, 1, (FLASH,), 199.9, False, 6900),
        (8900, 1, (FLASH,), 200, False, 8900),
        (8900, 5, (FLASH,), 150, False, 5 * 8900 - 3 * 2000),  # quota of three pieces
        (8900, 1, (FLASH, COUPON), 150, False, 5900),
        (8900, 1, (GIFT,), 0, False, 8900),
        (20000, 2, ALL, 150, True, 27075),  # 400-40=360 -10=350 -15=335 -50=285, 5 % is 14.25
    ],
)
def test_worked_cases(
    price: int, quantity: int, promotions: tuple[Promotion, ...], clock: float, member: bool, expected: int
) -> None:
    assert final(price, quantity, promotions, clock, member=member) == expected


def test_a_quote_lists_its_steps() -> None:
    price = quote(item(20000), 2, ALL, clock_s=150.0, member=True)
    assert (price.list_fen, price.live_fen, price.final_fen) == (40000, 36000, 27075)
    assert [(s.promotion, s.off_fen, s.after_fen) for s in price.steps] == [
        ("f2", 4000, 36000),
        ("c2", 1000, 35000),
        ("s1", 1500, 33500),
        ("t1", 5000, 28500),
        ("m2", 1425, 27075),
    ]


def test_an_exhausted_promotion_takes_nothing_off() -> None:
    limited = Promotion("c2", K.ITEM_COUPON, 2, 0, 1000, quota=5)
    assert final(8900, 1, (limited,), used={"c2": 4}) == 7900
    assert final(8900, 1, (limited,), used={"c2": 5}) == 8900
    assert final(8900, 3, (FLASH,), 150.0, used={"f2": 2}) == 3 * 8900 - 2000


def test_of_two_coupons_the_better_is_used_and_of_equals_the_smaller_id() -> None:
    small, large = Promotion("a", K.ITEM_COUPON, 2, 0, 500), Promotion("b", K.ITEM_COUPON, 2, 0, 900)
    twin = Promotion("aa", K.ITEM_COUPON, 2, 0, 900)
    assert final(8900, 1, (small, large)) == 8000
    for order in itertools.permutations((small, large, twin)):
        assert quote(item(8900), 1, order, clock_s=0.0).steps[0].promotion == "aa"


def test_promotions_of_other_items_are_passed_over() -> None:
    assert final(8900, 1, (Promotion("c3", K.ITEM_COUPON, 3, 0, 1000),)) == 8900


def test_the_stacking_order_is_a_parameter() -> None:
    promotions = (Promotion("c2", K.ITEM_COUPON, 2, 0, 1000), MEMBER)
    first = quote(item(10000), 1, promotions, clock_s=0.0, member=True)
    turned = quote(item(10000), 1, promotions, clock_s=0.0, member=True, order=(K.MEMBER, K.ITEM_COUPON))
    assert (first.final_fen, turned.final_fen) == (8550, 8500)  # 90 * 0.95; 95 - 10
    assert quote(item(10000), 1, promotions, clock_s=0.0, member=True, order=()).final_fen == 10000


def test_at_least_one_fen_is_paid() -> None:
    huge = Promotion("c2", K.ITEM_COUPON, 2, 0, 99900)
    price = quote(item(8900), 1, (huge,), clock_s=0.0)
    assert price.final_fen == 1
    assert price.steps[0].off_fen == 8899


def test_a_flash_cut_above_the_price_takes_only_its_own_pieces() -> None:
    wild = Promotion("f2", K.FLASH, 2, off_fen=99900, quota=1)
    assert final(8900, 3, (wild,)) == 2 * 8900


@pytest.mark.parametrize("quantity", [0, -1])
def test_no_pieces_no_quote(quantity: int) -> None:
    with pytest.raises(ValueError, match="quantity must be at least 1"):
        quote(item(100), quantity, (), clock_s=0.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": K.ITEM_COUPON, "off_fen": -1},
        {"kind": K.MEMBER, "percent": 100},
        {"kind": K.THRESHOLD, "over_fen": 0, "off_fen": 0},
        {"kind": K.THRESHOLD, "over_fen": 100, "off_fen": 101},
    ],
)
def test_impossible_promotions_cannot_be_made(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="promotion x"):
        Promotion("x", **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("promotion", "text"),
    [
        (COUPON, "10 yuan off over 60 yuan"),
        (Promotion("c", K.ITEM_COUPON, 2, 0, 550), "5.50 yuan off"),
        (EVERY, "50 yuan off every 300 yuan"),
        (MEMBER, "5% off for members"),
        (FLASH, "20 yuan off"),
        (GIFT, "free tote bag"),
    ],
)
def test_a_promotion_describes_itself(promotion: Promotion, text: str) -> None:
    assert promotion.describe() == text


amounts = st.integers(0, 50000)


@st.composite
def promotion_sets(draw: st.DrawFn) -> tuple[Promotion, ...]:
    made = []
    for index in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(list(K)))
        over = draw(st.integers(1, 50000))
        off = draw(st.integers(0, over if kind is K.THRESHOLD else 50000))
        percent = draw(st.integers(0, 99)) if kind in (K.MEMBER, K.FLASH) else 0
        made.append(
            Promotion(
                f"p{index}",
                kind,
                draw(st.sampled_from((None, 2, 3))),
                over,
                0 if kind is K.GIFT else off,
                percent,
                float(draw(st.integers(0, 100))),
                draw(st.sampled_from((None, 50.0, 150.0))),
                draw(st.sampled_from((None, 0, 1, 4))),
                "bag",
            )
        )
    return tuple(made)


orders = st.permutations(list(STACKING)).map(tuple)


@settings(max_examples=300)
@given(st.integers(1, 100000), st.integers(1, 20), promotion_sets(), st.integers(0, 200), st.booleans(), orders)
def test_no_money_is_created(
    price: int,
    quantity: int,
    promotions: tuple[Promotion, ...],
    clock: int,
    member: bool,
    order: tuple[PromotionKind, ...],
) -> None:
    result = quote(item(price), quantity, promotions, clock_s=float(clock), member=member, order=order)
    assert result.list_fen == price * quantity
    assert 1 <= result.final_fen <= result.live_fen <= result.list_fen
    assert result.list_fen - sum(step.off_fen for step in result.steps) == result.final_fen
    assert all(step.off_fen > 0 for step in result.steps)
    running = [result.list_fen, *(step.after_fen for step in result.steps)]
    assert all(before - step.off_fen == step.after_fen for before, step in zip(running, result.steps, strict=False))
    assert len({step.kind for step in result.steps}) == len(result.steps)
    assert quote(item(price), quantity, promotions[::-1], clock_s=float(clock), member=member, order=order) == result


@settings(max_examples=200)
@given(st.integers(1, 100000), st.integers(1, 10), promotion_sets(), st.integers(0, 200))
def test_being_a_member_never_costs_more_in_the_default_order(
    price: int, quantity: int, promotions: tuple[Promotion, ...], clock: int
) -> None:
    plain = quote(item(price), quantity, promotions, clock_s=float(clock))
    member = quote(item(price), quantity, promotions, clock_s=float(clock), member=True)
    assert member.final_fen <= plain.final_fen


@settings(max_examples=200)
@given(st.integers(1, 50000), st.integers(1, 30), amounts, amounts, amounts, amounts)
def test_more_pieces_cost_more_when_coupons_take_off_at_most_a_piece(
    price: int, quantity: int, over_a: int, off_a: int, over_b: int, off_b: int
) -> None:
    # Without this bound it is false, here as in a real shop: 10 yuan a piece, 20 off over 60: five pieces 50, six 40.
    assume(off_a + off_b < price)
    promotions = (
        Promotion("a", K.ITEM_COUPON, 2, over_a, off_a),
        Promotion("b", K.SHOP_COUPON, None, over_b, off_b),
    )
    assert final(price, quantity + 1, promotions) > final(price, quantity, promotions)


@settings(max_examples=200)
@given(st.integers(2, 50000), st.integers(1, 30), st.integers(1, 50000), st.integers(0, 50000))
def test_more_pieces_never_cost_less_under_a_threshold_of_at_most_half(
    price: int, quantity: int, over: int, off: int
) -> None:
    assume(2 * off <= price and 2 * off <= over)
    promotions = (Promotion("t", K.THRESHOLD, None, over, off),)
    assert final(price, quantity + 1, promotions) >= final(price, quantity, promotions)


def test_the_known_exception_to_monotone_totals_is_real() -> None:
    promotions = (Promotion("c", K.ITEM_COUPON, 2, 6000, 2000),)
    assert (final(1000, 5, promotions), final(1000, 6, promotions)) == (5000, 4000)


@settings(max_examples=200)
@given(st.integers(1, 50000), st.integers(1, 10), st.integers(0, 20000), st.integers(0, 20000))
def test_order_is_irrelevant_among_unconditional_amounts(price: int, quantity: int, a: int, b: int) -> None:
    promotions = (Promotion("a", K.ITEM_COUPON, 2, 0, a), Promotion("b", K.SHOP_COUPON, None, 0, b))
    totals = {
        quote(item(price), quantity, promotions, clock_s=0.0, order=order).final_fen
        for order in ((K.ITEM_COUPON, K.SHOP_COUPON), (K.SHOP_COUPON, K.ITEM_COUPON))
    }
    assert len(totals) == 1


@settings(max_examples=60)
@given(st.integers(0, 2**40), st.integers(60, 7200))
def test_generated_promotions_fit_their_catalogue(seed: int, horizon: int) -> None:
    catalog = generate(seed)
    promotions = generate_promotions(seed, catalog, float(horizon))
    assert promotions == generate_promotions(seed, catalog, float(horizon))
    assert len({p.id for p in promotions}) == len(promotions)
    for p in promotions:
        assert p.link is None or catalog.by_link(p.link) is not None
        assert p.off_fen % 100 == 0
        assert p.over_fen % 100 == 0
        assert 0 <= p.starts_s < horizon
        assert p.ends_s is None or p.starts_s < p.ends_s <= horizon
        if p.kind is K.ITEM_COUPON:
            assert 0 < p.off_fen <= p.over_fen
    for product in catalog.products:
        assert quote(product, 1, promotions, clock_s=horizon / 2).final_fen >= product.list_price_fen // 5


def test_generated_promotions_are_of_every_kind() -> None:
    kinds = {p.kind for seed in range(30) for p in generate_promotions(seed, generate(seed), 1800.0)}
    assert kinds == set(K)
