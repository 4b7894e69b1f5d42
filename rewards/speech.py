"""How a reply is spoken: its words, its form of address, its quotations; one measure for hooks, law and judge."""

from __future__ import annotations

import re

_WORD = re.compile(r"\S*\w\S*")
_SURE = r"no (?:doubt|question|joke|kidding|lie)|nobody (?:doubts|denies)|can't (?:deny|argue|agree more)"
_EMPTY = (
    r"(?:not only|not just|no problem|no worries|no wonder|why not|(?:don't|do not|never) miss|don't worry|no rush"
    rf"|can't beat|can't wait|(?:won't|never) regret|{_SURE})\b"
)
NO_NOT = re.compile(rf"\b{_EMPTY}", re.I)
"""Words that look like a negation and deny nothing."""

_STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
_QUOTE = re.compile(r"(?<!\w)([\"'])(?=\w)(.{1,200}?)\1(?!\w)")
_TAG = r"(?:isn't|aren't|won't|don't|can't|wouldn't) (?:it|they|you|we)\b"
_REFUSED = re.compile(
    rf"[^\w\"]*(?:(?!{_EMPTY})\w+ ){{0,4}}?(?!{_EMPTY}|{_TAG})(?:not|never|no|nobody|nor|wrong|unfair|untrue"
    r"|against the rules|can't|cannot|can not|won't|wouldn't|don't|isn't|aren't)\b",
    re.I,
)
_YOURS = re.compile(
    r"\byou(?:'re| are|'ve| have)? (?:\w+ )?(?:said|say|ask\w*|wrote|write|call\w*|mean\w*|want\w*)[\w ]{0,12}"
    r"[,:]?\s*$",
    re.I,
)
_AGREED = re.compile(
    r"[^\w\"]*(?:\w+ ){0,4}?(?:right|true|agree\w*|exactly|indeed|it is|it's|they are|so it is|fine|sure|yes"
    rf"|of course|isn't it|aren't they|{_SURE})\b",
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
    marks alone excuse nothing: whoever quotes praise to agree with it (``"the best", no doubt``) has praised.
    """
    plain = text.translate(_STRAIGHT)
    quote = next((m for m in _QUOTE.finditer(plain) if m.start() < start < m.end()), None)
    if quote is None:
        return False
    if _REFUSED.match(plain, quote.end()):
        return True
    return _YOURS.search(plain[: quote.start()]) is not None and _AGREED.match(plain, quote.end()) is None
