"""Claims without a number: yes/no facts, stock, offers, deeds, excuses, scarcity, and forbidden talk."""

from __future__ import annotations

import re

from rewards.claims import lexicon
from rewards.claims.builder import Builder
from rewards.claims.claim import Claim, ClaimKind
from rewards.speech import NO_NOT, sent_back

_TURN = {"yes": "no", "no": "yes"}
_ABOUT_STOCK = re.compile(r"\b(?:left|stock|pieces?|available|sold|remain\w*|still)\b")
_QUESTION = re.compile(
    r"^\W*(?:so |and |or )?(?:do|does|did|would|could|can|which|what|where|when|who|why|how|are|is|shall|should"
    r"|may|want|need|have|has)\b"
)


_TELLING = re.compile(
    r"^\W*(?:so |and |or )?(?:did you know|do you know that|have you heard|(?:would|can) you believe|who knew)\b"
)
"""Questions that state what they seem to ask."""


def is_question(builder: Builder, at: int) -> bool:
    """The sentence around ``at`` asks; what it says is then no statement."""
    low, high = builder.text.sentence(at)
    sentence = builder.text.lower[low:high]
    asks = sentence.rstrip().endswith("?") and _QUESTION.match(sentence) is not None
    return asks and _TELLING.match(sentence) is None


def statements(builder: Builder) -> list[Claim]:
    """All claims of a reply that need no number, unordered."""
    return [
        *_flags(builder),
        *_stock(builder),
        *_offers(builder),
        *_deeds(builder),
        *_scarcity(builder),
        *_forbidden(builder),
    ]


def _flags(builder: Builder) -> list[Claim]:
    lower = builder.text.lower
    found: list[Claim] = []
    taken: list[tuple[int, int]] = []
    for entry in lexicon.FLAGS:
        for match in entry.pattern.finditer(lower):
            start, end = match.span()
            if any(a < end and start < b for a, b in taken) or is_question(builder, start):
                continue
            taken.append((start, end))
            turned = entry.value == "yes" and not match[0].startswith(
                ("no ", "not ", "without", "zero", "0 ", "don't", "i'm not", "i am not")
            )
            turn = turned and (builder.negated(start, 3) or builder.denied_after(end))
            value = _TURN[entry.value] if turn else entry.value
            found.append(builder.make(ClaimKind.FLAG, start, end, role=entry.role, value=value))
    return found


def _stock(builder: Builder) -> list[Claim]:
    lower = builder.text.lower
    found: list[Claim] = []
    taken = [m.span() for m in lexicon.STOCK_NOT.finditer(lower)]
    taken += [m.span() for m in lexicon.SCARCITY[0].pattern.finditer(lower)]
    for entry in lexicon.STOCK:
        for match in entry.pattern.finditer(lower):
            start, end = match.span()
            if any(a < end and start < b for a, b in taken) or is_question(builder, start):
                continue
            taken.append((start, end))
            value = entry.value
            if not match[0].startswith(("not ", "isn't ", "no ", "don't", "none", "out")) and builder.negated(start, 2):
                value = _TURN[value]
            low, high = builder.text.clause(start)
            role = "plenty" if value == "yes" and lexicon.PLENTY.search(lower[low:high]) else "stock"
            if value == "yes" and lexicon.ALL_OPTIONS.search(lower[low:high]):
                found.append(builder.make(ClaimKind.FLAG, start, end, role="all_options", value=value))
            found.append(builder.make(ClaimKind.FLAG, start, end, role=role, value=value))
    return found


def _offers(builder: Builder) -> list[Claim]:
    lower = builder.text.lower
    found: list[Claim] = []
    for entry in lexicon.OFFERS:
        for match in entry.pattern.finditer(lower):
            low, _ = builder.text.clause(match.start())
            before = lower[low : match.start()]
            negated = builder.negated(match.start(), 5) or builder.denied_after(match.end())
            if (
                entry.role == "gift"
                and "gift" in builder.options
                and _ABOUT_STOCK.search(lower, *builder.text.clause(match.start()))
            ):
                continue
            if is_question(builder, match.start()) or lexicon.OFFER_MORE.search(before):
                continue
            if not negated and lexicon.OFFER_OPEN.search(before):
                continue
            if re.search(r"\b(?:after|before|without)\b", before) and negated:
                continue
            value = "no" if negated else "yes"
            found.append(builder.make(ClaimKind.EXISTS, *match.span(), role=entry.role, value=value))
    found += [
        builder.make(ClaimKind.EXISTS, *match.span(), role="discount", value="no")
        for match in lexicon.NO_OFFER.finditer(lower)
    ]
    found += [
        builder.make(ClaimKind.EXISTS, *match.span(), role="flash", value="no")
        for match in lexicon.OFFER_OVER.finditer(lower)
        if not builder.negated(match.start(), 3) and not is_question(builder, match.start())
    ]
    return found


def _deeds(builder: Builder) -> list[Claim]:
    lower = builder.text.lower
    found = []
    for entry in lexicon.DEEDS:
        match = entry.pattern.search(lower)
        if match and not builder.negated(match.start(), 3) and not is_question(builder, match.start()):
            found.append(builder.make(ClaimKind.DEED, *match.span(), role=entry.role))
    match = lexicon.FAILURE.search(lower)
    if match:
        found.append(builder.make(ClaimKind.FAILURE, *match.span()))
    return found


def _scarcity(builder: Builder) -> list[Claim]:
    lower = builder.text.lower
    return [
        builder.make(ClaimKind.SCARCITY, *match.span(), role=entry.role)
        for entry in lexicon.SCARCITY
        for match in entry.pattern.finditer(lower)
        if not builder.negated(match.start(), 4)
    ]


def _forbidden(builder: Builder) -> list[Claim]:
    lower = builder.text.lower
    fine = [m.span() for m in lexicon.FINE.finditer(lower)]
    found = []
    for entry in lexicon.FORBIDDEN:
        for match in entry.pattern.finditer(lower):
            start, end = match.span()
            if not any((a <= start and end <= b) or a < end <= b for a, b in fine) and not _excused(builder, start):
                found.append(builder.make(ClaimKind.FORBIDDEN, start, end, role=entry.role))
    found += [
        builder.make(ClaimKind.FORBIDDEN, *match.span(), role="disparagement")
        for match in lexicon.BETTER.finditer(lower)
        if not _excused(builder, match.start())
    ]
    for match in lexicon.RIVALS.finditer(lower):
        low, high = builder.text.sentence(match.start())
        bad = lexicon.BAD.search(lower, low, high)
        if (
            bad
            and abs(bad.start() - match.start()) < 60
            and not _excused(builder, min(bad.start(), match.start()))
            and not _excused(builder, bad.start(), own=True)
        ):
            found.append(
                builder.make(ClaimKind.FORBIDDEN, match.start(), max(match.end(), bad.end()), role="disparagement")
            )
            break
    return found


def _excused(builder: Builder, start: int, own: bool = False) -> bool:
    """The words are refused ("I can't call it the best") or denied; quotation marks alone excuse nothing."""
    lower = builder.text.lower
    low, _ = builder.text.sentence(start)
    if sent_back(lower, start):
        return True
    if lexicon.SAYING_NO.search(NO_NOT.sub(" ", lower[low:start]).rstrip()):
        return True
    return not own and builder.negated(start, 5)
