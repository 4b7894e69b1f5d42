"""The truth says what is so in this very second, and agrees with the arithmetic."""

from __future__ import annotations

from livesim.world.catalog import Catalog, Category, Product, SizeRow, Sku, generate
from livesim.world.facts import facts, minutes_left
from livesim.world.orders import Order, generate_orders
from livesim.world.promotions import Promotion, PromotionKind, generate_promotions, quote
from rewards.signals import FactKind

K = PromotionKind
SKUS = (
    Sku("2:red/M", (("colour", "red"), ("size", "M")), 3),
    Sku("2:red/L", (("colour", "red"), ("size", "L")), 0),
)
SHIRT = Product(
    2,
    "linen shirt",
    Category.CLOTHING,
    8900,
    (("material", "linen"), ("fit", "slim fit")),
    SKUS,
    24,
    3,
    True,
    7,
    False,
    0,
    (SizeRow("M", 165, 55), SizeRow("L", 172, 65)),
)
SHOP = Catalog((SHIRT,))
FLASH = Promotion("f2", K.FLASH, 2, off_fen=2000, starts_s=100.0, ends_s=400.0, quota=3)
PROMOTIONS = (
    Promotion("c2", K.ITEM_COUPON, 2, 6000, 1000),
    Promotion("t1", K.THRESHOLD, None, 30000, 5000),
    Promotion("m2", K.MEMBER, 2, percent=10),
    Promotion("g2", K.GIFT, 2, text="tote bag"),
    FLASH,
)


def truth(clock_s: float = 0.0, used: dict[str, int] | None = None, **more: object) -> dict[tuple[str, str], int | str]:
    found = facts(SHOP, SHOP.stock(), PROMOTIONS, clock_s, used or {}, **more)  # type: ignore[arg-type]
    assert len({(f.subject, f.name) for f in found}) == len(found), "a fact is stated twice"
    for fact in found:
        assert isinstance(fact.value, str) == (fact.kind in (FactKind.VALUE, FactKind.FLAG))
    return {(f.subject, f.name): f.value for f in found}


def test_every_fact_of_a_known_shop() -> None:
    order = Order("A1", 2, "2:red/M", "shipped", "Ann Lee", "10012345678", "1 Low Road")
    assert truth(orders=(order,), quantities=(4,), bodies=((170, 60), (190, 60))) == {
        ("host", "is_ai"): "yes",
        ("shop", "threshold:over"): 30000,
        ("shop", "threshold:off"): 5000,
        ("link:2", "title"): "linen shirt",
        ("link:2", "category"): "clothing",
        ("link:2", "attr:material"): "linen",
        ("link:2", "attr:fit"): "slim fit",
        ("link:2", "dispatch"): 24,
        ("link:2", "delivery"): 3,
        ("link:2", "free_shipping"): "yes",
        ("link:2", "returnable"): "yes",
        ("link:2", "return_days"): 7,
        ("link:2", "freight_insurance"): "no",
        ("link:2", "list_price"): 8900,
        ("link:2", "live_price"): 8900,
        ("link:2", "final_price"): 7900,
        ("link:2", "discount_percent"): 11,
        ("link:2", "coupon:c2:off"): 1000,
        ("link:2", "coupon:c2:over"): 6000,
        ("link:2", "gift"): "tote bag",
        ("link:2", "member_price"): 7110,
        ("link:2", "final_price:4"): 4 * 8900 - 1000 - 5000,
        ("link:2", "stock"): 3,
        ("link:2", "stock:red/M"): 3,
        ("link:2", "stock:red/L"): 0,
        ("link:2", "size:170/60"): "L",
        ("link:2", "size:190/60"): "none",
        ("order:A1", "status"): "shipped",
    }


def test_a_flash_sale_comes_and_goes() -> None:
    before, during, after = truth(99.0), truth(100.0), truth(400.0)
    assert ("link:2", "flash:price") not in before
    assert during["link:2", "flash:price"] == 6900
    assert during["link:2", "live_price"] == 6900
    assert during["link:2", "final_price"] == 5900
    assert during["link:2", "flash:ends"] == 5
    assert after == before


def test_a_used_up_quota_ends_a_flash_sale() -> None:
    assert truth(150.0, {"f2": 2})["link:2", "live_price"] == 6900
    assert truth(150.0, {"f2": 3})["link:2", "live_price"] == 8900


def test_minutes_left_are_rounded_up() -> None:
    assert [minutes_left(400.0, clock) for clock in (100.0, 340.0, 340.1, 399.9)] == [5, 1, 1, 1]
    assert minutes_left(401.0, 340.0) == 2


def test_no_coupon_fact_outlives_its_coupon() -> None:
    assert ("link:2", "member_price") in truth()
    gone = facts(SHOP, SHOP.stock(), (), 0.0, {})
    assert not [f for f in gone if f.name.startswith(("coupon", "flash", "gift", "member", "threshold", "discount"))]


def test_generated_truth_agrees_with_quotes() -> None:
    for seed in range(20):
        catalog = generate(seed)
        promotions = generate_promotions(seed, catalog, 1800.0)
        orders = generate_orders(seed, catalog)
        for clock in (0.0, 600.0, 1200.0):
            found = facts(catalog, catalog.stock(), promotions, clock, {}, orders=orders)
            table = {(f.subject, f.name): f.value for f in found}
            assert len(table) == len(found)
            for p in catalog.products:
                assert table[p.subject, "final_price"] == quote(p, 1, promotions, clock_s=clock).final_fen
                assert table[p.subject, "final_price:3"] == quote(p, 3, promotions, clock_s=clock).final_fen
                assert table[p.subject, "stock"] == sum(s.stock for s in p.skus)
