"""How a reply is counted and addressed: one measure for the hooks that enforce the limits and the judge that scores."""

from __future__ import annotations

import re

_WORD = re.compile(r"\S*\w\S*")


def word_count(reply: str) -> int:
    """Words of a reply: runs without blanks that hold a letter or digit, so that a dash or an emoji is none."""
    return len(_WORD.findall(reply))


def addressed(reply: str, address: str) -> bool:
    """Whether viewers are called ``address`` somewhere, as whole words in any case; ``""`` asks for nothing."""
    called = r"\s+".join(map(re.escape, address.split()))
    return re.search(rf"(?<!\w){called}(?!\w)", reply, re.I) is not None if called else True
