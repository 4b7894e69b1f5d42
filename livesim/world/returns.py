"""How many paid orders come back, by category, and how hard a reply presses people to buy."""

from __future__ import annotations

import re
from collections.abc import Mapping

CONFIRMED: Mapping[str, float] = {"clothing": 0.40, "beauty": 0.65, "home": 0.80, "food": 0.85, "electronics": 0.88}
"""Share of paid orders whose receipt is confirmed. *Source:* docs/domain.md section 3, assumed; sources conflict."""

OTHER_CONFIRMED = 0.75
"""The same for a category without a figure."""

_URGES = re.compile(
    r"\bhurry\b|\blast chance\b|\b(?:don't|do not) miss\b|\bnow or never\b|\b(?:order|buy|act|grab \w+) now\b"
    r"|\bbefore (?:it's|it is|they're|they are) gone\b|\b(?:selling|flying) (?:out|off)\b|\bright now or\b"
    r"|\bwon't come back\b|\bquick(?:ly)?[,!] |\bfinal call\b|\bgoing fast\b",
    re.IGNORECASE,
)


def pressure(reply: str) -> float:
    """How hard a reply urges to buy, 0 to 1: one urging phrase is half, two are all. A true figure is no pressure."""
    return min(1.0, len(_URGES.findall(reply)) / 2.0)


def return_share(category: str) -> float:
    """Share of paid orders of this category that come back, before anything was said about the item."""
    return 1.0 - CONFIRMED.get(category, OTHER_CONFIRMED)
