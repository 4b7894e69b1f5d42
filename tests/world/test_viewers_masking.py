"""Personal data in replayed comments is masked; prices, sizes and chatter are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livesim.world.viewing.masking import mask


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("call me 13800138000", "call me [phone]"),
        ("call 138-0013-8000 now", "call [phone] now"),
        ("\uff11\uff13\uff18\uff10\uff10\uff11\uff13\uff18\uff10\uff10\uff10", "[phone]"),
        ("1380013\u200b8000", "[phone]"),
        ("+44 20 7946 0958 please", "[phone] please"),
        ("my number is (555) 010-9999", "my number is [phone]"),
        ("010-12345678", "[phone]"),
        ("write to mia.lee+shop@example.com", "write to [email]"),
        ("mia (at) example.com", "[email]"),
        ("where is my order A1734?", "where is my order [order]?"),
        ("order no. 202501010001 is late", "order no. [order] is late"),
        ("订单号：2025010112345 没收到", "订单号：[order] 没收到"),
        ("AB123456 has not come", "[order] has not come"),
        ("I live at 12 Green Hill Road, apt 4", "I live at [address]"),
        ("ship to 221b Long Hill Street, please", "ship to [address], please"),
        ("my address is Little Village 5 near the pond", "my address is [address]"),
        ("发到浙江省杭州市西湖区文三路12号", "发到[address]"),
        ("add wechat: mia_8899", "add wechat: [contact]"),
        ("微信 abc_12345", "微信 [contact]"),
        ("id 110101199003078888", "id [id]"),
        ("card 4111 1111 1111 1111", "card [card]"),
        ("987654321012", "[number]"),
    ],
)
def test_personal_data_is_masked_by_kind(text: str, masked: str) -> None:
    got, found = mask(text)
    assert got == masked
    assert found.total() == 1


@pytest.mark.parametrize(
    "text",
    [
        "how much is link 2?",
        "170 cm 60 kg, which size?",
        "165 50 170 55",
        "1999 yuan is too much, 12.50 is fine",
        "66666666666666",
        "888",
        "2 of the red ones, and 10 minutes to go",
        "how much for 2 of the usb drive",
        "in my order please",
        "order now",
        "5 stars for the show",
        "is it 100% cotton? 2025 edition",
        "@mia look",
        "主播好 3号链接",
        "sold 1,200,000 pieces",
    ],
)
def test_what_is_nobodys_data_stays(text: str) -> None:
    assert mask(text) == (text, {})


@given(st.text(alphabet="0123456789 -+@.aAorderst微信号路", max_size=60))
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once, _ = mask(text)
    assert mask(once)[0] == once


@given(st.integers(13000000000, 19999999999), st.text(alphabet="abc ?!,", max_size=10))
def test_no_mobile_number_survives(number: int, around: str) -> None:
    got, _ = mask(f"{around} {number} {around}")
    assert str(number) not in got
