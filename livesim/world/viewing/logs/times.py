"""Reads times as logs write them: seconds, clock readings, dates, counts since 1970 in any unit."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

DAY_S = 86_400.0

_CLOCK = re.compile(
    r"\s*[\[(]?\s*(?P<sign>-)?(?:(?P<h>\d{1,3}):)?(?P<m>\d{1,3}):(?P<s>\d{2})(?:[.,](?P<f>\d{1,9}))?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?\s*[\])]?\s*"
)
_DATE_FIRST = re.compile(
    r"\s*[\[(]?(?P<a>\d{1,4})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<c>\d{1,4})[T ,]+(?P<clock>[^\])]+)[\])]?\s*"
)
_CHINESE = re.compile(r"\s*(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日\s*(?P<clock>.+)")


def seconds(value: object) -> float | None:
    """A finite number, also when it is written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and abs(number) < 1e20 else None


def epoch(value: object) -> float | None:
    """Seconds of a count since 1970 (or since anything), whose unit shows in its size: s, ms, µs or ns."""
    number = seconds(value)
    if number is None:
        return None
    for floor, unit in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
        if abs(number) >= floor:
            return number / unit
    return number


def clock(value: object) -> float | None:
    """Seconds of ``1:02:03.5``, ``02:03``, ``-0:05``, ``[00:02:03,500]`` or ``8:02:03 pm``."""
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is None or int(found["s"]) > 59 or (found["h"] is not None and int(found["m"]) > 59):
        return None
    hours = int(found["h"] or 0)
    if found["half"]:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if found["half"][0] in "Pp" else 0)
    total = 3600.0 * hours + 60 * int(found["m"]) + int(found["s"]) + float(f"0.{found['f'] or 0}")
    return -total if found["sign"] else total


def iso(value: object) -> float | None:
    """Seconds since 1970 of an ISO 8601 date and time; without a zone it counts as UTC."""
    if not isinstance(value, str) or not re.match(r"\s*\d{4}-\d\d-\d\d", value):
        return None
    # fractions of more than six digits are legal in ISO 8601 and common in logs, but not for Python
    text = re.sub(r"(\.\d{6})\d+", r"\1", value.strip()).replace(" UTC", "+00:00")
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _dated(year: int, month: int, day: int, rest: str) -> float | None:
    of_day = clock(rest) if rest.count(":") > 1 else clock(_with_seconds(rest))
    try:
        return None if of_day is None else datetime(year, month, day, tzinfo=UTC).timestamp() + of_day
    except (ValueError, OverflowError):
        return None


def _with_seconds(rest: str) -> str:
    return re.sub(r"^(\s*\d{1,2}:\d{2})", r"\1:00", rest)


def year_first(value: object) -> float | None:
    """``2025/01/31 20:15:00``, also with other separators."""
    found = _DATE_FIRST.fullmatch(value) if isinstance(value, str) else None
    return _dated(int(found["a"]), int(found["b"]), int(found["c"]), found["clock"]) if found else None


def day_first(value: object) -> float | None:
    """``31/01/2025 20:15:00``."""
    found = _DATE_FIRST.fullmatch(value) if isinstance(value, str) else None
    return _dated(int(found["c"]), int(found["b"]), int(found["a"]), found["clock"]) if found else None


def month_first(value: object) -> float | None:
    """``01/31/2025 8:15:00 PM``."""
    found = _DATE_FIRST.fullmatch(value) if isinstance(value, str) else None
    return _dated(int(found["c"]), int(found["a"]), int(found["b"]), found["clock"]) if found else None


def chinese(value: object) -> float | None:
    """A date written with the Chinese words for year, month and day."""
    found = _CHINESE.fullmatch(value) if isinstance(value, str) else None
    return _dated(int(found["y"]), int(found["m"]), int(found["d"]), found["clock"]) if found else None


FORMS: Mapping[str, Callable[[object], float | None]] = {
    "number": seconds,
    "clock": clock,
    "ISO 8601": iso,
    "year first": year_first,
    "day first": day_first,
    "month first": month_first,
    "Chinese date": chinese,
}
"""Forms of a time, in the order in which a tie is decided."""


def any_time(value: object) -> float | None:
    """Seconds of a single time in whatever form; counts since 1970 by their size."""
    number = epoch(value)
    if number is not None:
        return number
    return next((at_s for form in FORMS.values() if (at_s := form(value)) is not None), None)


def guess_form(values: Sequence[str], header: str = "") -> tuple[str, float]:
    """The form that reads most of ``values``, and for numbers how many make a second.

    Args:
        values: a column.
        header: its name, which may say the unit (``offset_ms``).

    Raises:
        ValueError: no form reads any of them.
    """
    sample = [value for value in values if value.strip()][:500]
    reads = {name: sum(form(value) is not None for value in sample) for name, form in FORMS.items()}
    best = max(reads, key=lambda name: reads[name])
    if not sample or not reads[best]:
        raise ValueError(f"no time in column {header!r}, e.g. {sample[0] if sample else ''!r:.40}")
    if best != "number":
        return best, 1.0
    numbers = [abs(number) for value in sample if (number := seconds(value)) is not None]
    middle = sorted(numbers)[len(numbers) // 2]
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", header).lower())
    for unit, per_s in (
        ("ns", 1e9),
        ("us", 1e6),
        ("usec", 1e6),
        ("micros", 1e6),
        ("ms", 1e3),
        ("msec", 1e3),
        ("millis", 1e3),
    ):
        if any(word == unit or (len(unit) > 4 and word.startswith(unit)) for word in words):
            return best, per_s
    for floor, per_s in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3), (1e8, 1.0)):
        if middle >= floor:
            return best, per_s
    # nobody streams for more than two days: such large whole numbers are milliseconds
    return best, 1e3 if max(numbers) > 2 * DAY_S and all(number.is_integer() for number in numbers) else 1.0
