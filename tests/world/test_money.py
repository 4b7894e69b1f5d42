"""Money is whole fen and reads as yuan."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from livesim.world.money import percent_of, yuan


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (8900, "89 yuan"),
        (8950, "89.50 yuan"),
        (8905, "89.05 yuan"),
        (1, "0.01 yuan"),
        (0, "0 yuan"),
        (-250, "-2.50 yuan"),
        (123456789, "1234567.89 yuan"),
    ],
)
def test_yuan_writes_fen_only_when_there_are_some(fen: int, text: str) -> None:
    assert yuan(fen) == text


@given(st.integers(0, 10**9), st.integers(0, 100))
def test_a_percentage_never_exceeds_what_was_promised(fen: int, percent: int) -> None:
    off = percent_of(fen, percent)
    assert isinstance(off, int)
    assert off * 100 <= fen * percent < (off + 1) * 100
