"""Times and encodings of comment logs: clocks, dates, counts since 1970, and what a column of times means."""

from __future__ import annotations

import pytest

from livesim.world.viewing.logs.reading import decode
from livesim.world.viewing.logs.times import any_time, clock, day_first, epoch, guess_form, iso, month_first


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("1:02:03.5", 3723.5),
        ("02:03", 123.0),
        ("-0:05", -5.0),
        ("[00:02:03,500]", 123.5),
        ("8:02:03 pm", 72123.0),
        ("12:00:00 AM", 0.0),
        ("1:75", None),
        ("1:99:00", None),
        ("price", None),
    ],
)
def test_clocks(text: str, read: float | None) -> None:
    assert clock(text) == read


def test_dates_and_counts_since_1970() -> None:
    assert iso("2025-01-01T20:00:05.123456789Z") == pytest.approx(1735761605.123456)
    assert iso("2025-01-01 20:00:05+08:00") == 1735761605 - 8 * 3600
    assert day_first("31/12/2024 23:59:58") == month_first("12/31/2024 11:59:58 PM") == 1735689598
    assert month_first("31/12/2024 23:59:58") is None
    for count in (1735761605, 1735761605_000, 1735761605_000_000, 1735761605_000_000_000):
        assert epoch(count) == any_time(str(count)) == 1735761605
    assert epoch(float("inf")) is None
    assert epoch(True) is None


@pytest.mark.parametrize(
    ("values", "header", "form"),
    [
        (["1.5", "2"], "t", ("number", 1.0)),
        (["1500", "2000"], "offset_ms", ("number", 1e3)),
        (["1500", "2000"], "timeMs", ("number", 1e3)),
        (["1500", "2000"], "items", ("number", 1.0)),
        (["3600000", "7200000"], "offset", ("number", 1e3)),
        (["1735761605123"], "ts", ("number", 1e3)),
        (["00:01", "00:02", "x"], "t", ("clock", 1.0)),
        (["01/02/2025 10:00", "13/02/2025 10:00"], "t", ("day first", 1.0)),
        (["01/02/2025 10:00", "01/13/2025 10:00"], "t", ("month first", 1.0)),
        (["2025年1月2日 10:00:00"], "t", ("Chinese date", 1.0)),
    ],
)
def test_the_form_of_a_column_of_times_is_guessed(values: list[str], header: str, form: tuple[str, float]) -> None:
    assert guess_form(values, header) == form


@pytest.mark.parametrize(
    ("text", "encoding", "guessed"),
    [
        ("多少钱 how much", "utf-8", "utf-8"),
        ("多少钱，这个有货吗", "gb18030", "gb18030"),
        ("Zoé, ça va? Mère", "cp1252", "cp1252"),
        ("多少钱", "utf-16", "utf-16"),
        ("多少钱", "utf-8-sig", "utf-8-sig"),
    ],
)
def test_encodings_are_guessed(text: str, encoding: str, guessed: str) -> None:
    assert decode(text.encode(encoding), None, "x") == (text, guessed)


def test_utf_8_with_a_torn_byte_stays_utf_8() -> None:
    text, encoding = decode("多少钱，这个有货吗".encode()[:-1], None, "x")
    assert encoding == "utf-8 with errors"
    assert text.startswith("多少钱，这个有货")
