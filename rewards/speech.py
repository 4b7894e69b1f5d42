"""How a reply is counted, addressed and quotes: one measure for hooks, platform law and judge."""

from __future__ import annotations

import re

_WORD = re.compile(r"\S*\w\S*")
_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_QUOTE = re.compile(r"(?<!\w)([\"'])(?=\w)(.{1,200}?)\1(?!\w)")
_REFUSED = re.compile(
    r"[^\w\"]*(?:\w+ ){0,4}?(?:not|never|no|nobody|nor|wrong|unfair|untrue|against the rules|can't|cannot|can not"
    r"|won't|wouldn't|don't|isn't|aren't)\b",
    re.I,
)
_YOURS = re.compile(
    r"\byou(?:'re| are|'ve| have)? (?:\w+ )?(?:said|say|ask\w*|wrote|write|call\w*|mean\w*|want\w*)[\w ]{0,12}"
    r"[,:]?\s*$",
    re.I,
)
_AGREED = re.compile(
    r"[^\w\"]*(?:\w+ ){0,4}?(?:right|true|agree\w*|exactly|indeed|it is|it's|they are|so it is|fine|sure|yes"
    r"|of course)\b",
    re.I,
)


def word_count(reply: str) -> int:
    """Words of a reply: runs without blanks that hold a letter or digit, so that a dash or an emoji is none."""
    return len(_WORD.findall(reply))


def addressed(reply: str, address: str) -> bool:
    """Whether viewers are called ``address`` somewhere, as whole words in any case; ``""`` asks for nothing."""
    called = r"\s+".join(map(re.escape, address.split()))
    return re.search(rf"(?<!\w){called}(?!\w)", reply, re.I) is not None if called else True


def sent_back(text: str, start: int) -> bool:
    """The words at ``start`` are a quotation that is refused, or the viewer's own and not agreed with.

    So ``"the best"? I can't say that`` and ``you asked for "the best", let me show you link 2`` are harmless. Quotation
    marks alone excuse nothing: whoever quotes praise to agree with it has praised.
    """
    plain = text.translate(_STRAIGHT)
    quote = next((m for m in _QUOTE.finditer(plain) if m.start() < start < m.end()), None)
    if quote is None:
        return False
    if _REFUSED.match(plain, quote.end()):
        return True
    return _YOURS.search(plain[: quote.start()]) is not None and _AGREED.match(plain, quote.end()) is None
