"""Claims whose value is a word: materials and other attributes, sizes, gifts and the status of an order."""

from __future__ import annotations

import re
from functools import lru_cache

from rewards.claims.builder import Builder
from rewards.claims.claim import Claim, ClaimKind
from rewards.claims.goods import LEXICON, role_of
from rewards.claims.statements import is_question

_MADE = re.compile(
    r"\b(?:made (?:out )?(?:of|from|with|in)|material (?:is|here is)|fabric is|crafted from|contains?"
    r"|ingredients? (?:is|are|includes?)"
    r"|rich in|from (?:the )?(?:hills|mountains|farms?|fields|region|town|city|province|village|coast"
    r"|gardens?) (?:of|in|around)|comes from|grown in|origin is|key ingredient(?: here)? is|produced in"
    r"|it's from|is from|scent is|smells (?:of|like)|finish is|pattern is|fit is|texture is|"
    r"allergens?(?: listed)?(?: is| are|:)|battery is)\s+(?:a |an |the |pure |real |soft |fine |genuine "
    r"|natural |some |only |listed as |100% )*([a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)"
)
_MOOD = frozenset(
    {
        "great", "lovely", "nice", "good", "fine", "wonderful", "amazing", "perfect", "excellent", "beautiful",
        "super",
        "awesome", "here", "on", "in", "not", "shown", "listed", "unknown", "what", "there", "so", "very",
        "that", "this",
        "something", "stated", "given", "right", "sold", "out", "gone", "available", "red", "blue", "easy", "cool",
        "really", "truly", "all", "at", "up", "to", "from", "as", "about", "still",
    }
)  # fmt: skip
"""After "the fit is": a mood, or the start of something else; no value."""
_LOVE = {
    "love",
    "care",
    "you",
    "order",
    "mind",
    "stock",
    "here",
    "our",
    "your",
    "this",
    "that",
    "them",
    "everything",
    "sure",
    "not",
    "very",
    "all",
}
_ADVISED_OFF = re.compile(
    r",? (?:i'd|i would|you'd better|better|you should)(?: rather)? (?:look elsewhere|skip|pass|avoid|not\b"
    r"|(?:pick|take|choose|go for) (?:another|something else))"
)
"""After a value: the host advises against it."""
_SIZE = r"(?:xxs|xs|s|m|l|xl|xxl|xxxl|[2-5]xl|small|medium|large|extra large|3[4-9]|4[0-9])"
_SIZE_ASKED = re.compile(
    rf"\b(?:sizes? (?:is |would be |should be |will be )?(?:an? |the )?|(?:take|taking|choose|pick|go (?:for"
    rf"|with)|wear|recommends?|suggests?|says?|be|you're|you are|need|try|order|get|is|want|points? to|in|into"
    rf"|or)"
    rf" (?:an? |the |our |size )?)({_SIZE})(?![\w'/-])"
)
_SIZE_FITS = re.compile(
    rf"(?<![\w'/-])({_SIZE}) (?:fits?|should|would|will|is (?:your|right|the|a good|perfect|best|what)|suits?"
    rf"|it is|works|for you)\b"
)
_SIZE_BARE = re.compile(r"(?<![\w'/-])(XXS|XS|S|M|L|XL|XXL|XXXL|[2-5]XL)(?![\w'/-])")
_SIZE_NOT = re.compile(
    r"\btoo\b|\b(?:is|be|runs?|feels?|sits?|looks?) (?:\w+ )?(?:loose|tight|big|small|baggy|snug|short)"
    r"|\binstead\b|\brather than\b|\bnot\b|n't\b"
)
_SIZE_TALK = re.compile(r"\b(?:size|fits?|wear|suits?|cm|kg|tall|height|weight|chart)\b")
_SAME = {"small": "s", "medium": "m", "large": "l", "extra large": "xl", "2xl": "xxl", "3xl": "xxxl"}
_GIFT = re.compile(
    r"(?<!feel )(?<!-)\bfree (?!shipping|delivery|postage|returns?|freight|of\b|to\b|for\b|at\b|and\b|gifts?\b"
    r"|size|if\b|with\b|on\b|coupons?|today)"
    r"([a-z][a-z-]+(?: [a-z][a-z-]+)?)"
)
_GIFT_TOO = re.compile(
    r"\b(?:get|gets|comes? with|throw in|throws in|add|adds|includes?) an? ([a-z][a-z-]+(?: [a-z][a-z-]+)?)"
    r"(?: with (?:it|that|this)| on top| too)?,? (?:at )?(?:no (?:extra )?(?:charge|cost)|for free|for nothing"
    r"|as a (?:gift|present)"
    r"|on the house|free of charge)\b"
)
_STOCK_TALK = re.compile(r"\b(?:left|stock|sold|available|remain\w*|gone|pieces?)\b")
_STATUS = re.compile(
    r"\b(?:(?:is|was|been|has|shows?(?: as)?|says|status(?: is|:)?|marked(?: as)?|as|it's|it is|already|just"
    r"|still|now)\s+)(?:\w+\s+){0,2}?"
    r"(shipped|delivered|processing|packing|packed|pending|paid|cancelled|canceled|in transit|on (?:its|the) way"
    r"|out for delivery|refunded|returned|completed|confirmed|being packed|being prepared|waiting to ship"
    r"|not shipped|awaiting \w+|sent out|dispatched|lost|delayed|closed|received|signed)\b"
    r"|\b(left) (?:our|the) (?:house|warehouse|shop|store|depot|hub)\b"
)


def values(builder: Builder, words: tuple[tuple[str, str], ...], sizes: bool, orders: bool) -> list[Claim]:
    """Claims whose value is a word, unordered.

    Args:
        builder: the reply.
        words: (attribute, value) of listed goods, values normalised, worth looking for.
        sizes: a size was asked, so that a bare "M" is an answer.
        orders: the status of an order was asked.
    """
    found = attributes(builder, words)
    found += _sizes(builder, sizes)
    found += _gifts(builder)
    return found + _statuses(builder) if orders else found


def _statuses(builder: Builder) -> list[Claim]:
    found = []
    for match in _STATUS.finditer(builder.text.lower):
        group = match.lastindex or 1  # the only one that took part
        if not is_question(builder, match.start()):
            negated = builder.negated(match.start(group), 2)
            found.append(
                builder.make(ClaimKind.VALUE, *match.span(group), role="status", value=match[group], negated=negated)
            )
    return found


@lru_cache(maxsize=64)
def _topics(words: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """``the care is steam only``: whatever is said to be the value of a listed attribute."""
    names = "|".join(sorted({re.escape(name.replace("_", " ")) for name, _ in words} | {"material"}))
    return re.compile(
        rf"\b({names})(?: (?:of|for|here|on) [\w ]{{1,24}}?)?(?:'s| is| are|:) "
        r"(?:just |simply |only |listed as |a |an |the |really )*"
        r"([a-z][a-z-]+(?: [a-z][a-z-]+)?)"
    )


@lru_cache(maxsize=64)
def _vocabulary(words: tuple[tuple[str, str], ...]) -> re.Pattern[str] | None:
    listed = sorted({re.escape(value) for _, value in words}, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(listed)})(?![\w-])") if listed else None


def attributes(builder: Builder, words: tuple[tuple[str, str], ...]) -> list[Claim]:
    """Words of the listed goods, of the general vocabulary, and whatever follows "made of" and the like."""
    lower = builder.text.lower
    named = [(m.start, m.end) for m in builder.subjects.mentions]
    found: list[Claim] = []
    taken: list[tuple[int, int]] = list(named)
    roles = {value: name for name, value in words}
    patterns = [p for p in (_vocabulary(words), LEXICON) if p is not None]
    for pattern in patterns:
        for match in pattern.finditer(lower):
            start, end = match.span()
            if any(a < end and start < b for a, b in taken) or is_question(builder, start):
                continue
            taken.append((start, end))
            role = roles.get(match[0]) or role_of(match[0])
            negated = builder.negated(start, 3) and not match[0].startswith("not ")
            negated = negated or _ADVISED_OFF.match(lower, end) is not None
            found.append(builder.make(ClaimKind.VALUE, start, end, role=role, value=match[0], negated=negated))
    for match in _topics(words).finditer(lower):
        start, end = match.span(2)
        if match[2].split()[0] in _MOOD or any(a < end and start < b for a, b in taken) or is_question(builder, start):
            continue
        taken.append((start, end))
        role = match[1].replace(" ", "_")
        found.append(builder.make(ClaimKind.VALUE, start, end, role=role, value=match[2]))
    for match in _MADE.finditer(lower):
        start, end = match.span(1)
        first = match[1].split()[0]
        if first in _LOVE or any(a < end and start < b for a, b in taken) or is_question(builder, start):
            continue
        negated = builder.negated(match.start(), 3)
        found.append(builder.make(ClaimKind.VALUE, start, end, role="made", value=match[1], negated=negated))
    return found


def _gifts(builder: Builder) -> list[Claim]:
    return [
        builder.make(ClaimKind.VALUE, *m.span(1), role="gift", value=m[1], negated=builder.negated(m.start(), 3))
        for pattern in (_GIFT, _GIFT_TOO)
        for m in pattern.finditer(builder.text.lower)
        if not is_question(builder, m.start())
    ]


def _sizes(builder: Builder, asked: bool) -> list[Claim]:
    lower, cased = builder.text.lower, builder.text.cased
    if not asked and not _SIZE_TALK.search(lower):
        return []
    if not asked and _STOCK_TALK.search(lower):
        return []
    spots = {m.span(1) for pattern in (_SIZE_ASKED, _SIZE_FITS) for m in pattern.finditer(lower)}
    if asked:
        spots |= {m.span(1) for m in _SIZE_BARE.finditer(cased)}
    found = []
    for start, end in sorted(spots):
        low, high = builder.text.clause(start)
        word = lower[start:end]
        if word.isdigit() and not re.search(r"\bsizes?\b", lower[low:high]):
            continue
        if (
            word in ("s", "m", "l")
            and not cased[start:end].isupper()
            and not re.search(r"\bsize\b|\ban?\b|\bthe\b", lower[low:high])
        ):
            continue
        if is_question(builder, start):
            continue
        stop = re.search(r"\band\b|,|;", lower[end:high])
        tail = lower[end : end + stop.start()] if stop else lower[end:high]
        negated = bool(_SIZE_NOT.search(tail)) or builder.negated(start, 3)
        found.append(
            builder.make(ClaimKind.VALUE, start, end, role="size", value=_SAME.get(word, word), negated=negated)
        )
    return found
