"""Head ``effectiveness``, 0, 0.5 or 1: the viewers' intents are answered, usefully and within the limits."""

from __future__ import annotations

import re
from collections.abc import Callable

from rewards.answers import stated
from rewards.claims import MAX_CHARS, Claim, ClaimKind, Reading, extract
from rewards.claims.normal import normalise
from rewards.claims.subjects import Subjects
from rewards.implied import answers_yes_no, implied
from rewards.manner import (
    CANT,
    CHECK,
    DECLINE,
    DECLINE_REASON,
    FRIENDLY,
    MARKUP,
    NEXT,
    POINTER,
    REASON,
    WILLING,
    echo,
    has,
    heap,
    unquoted,
)
from rewards.signals import Answer, CallRecord, FaultKind, Need, Signals
from rewards.speech import addressed
from rewards.support.knowledge import about, by_name, known
from rewards.verdict import Verdict

Result = tuple[float, str]
_OFFERS = ("coupon:", "gift", "flash:", "member_price", "threshold:", "discount_percent")
_OFFER_ROLES = frozenset({"coupon", "gift", "flash", "member", "threshold", "discount"})


def head(signals: Signals) -> Verdict:
    """Whether every intent is answered, claims taken at face value (a direct but false answer is 1 here).

    1: every intent is answered, or it is said with a reason and a next step that the answer can't be had, after the
    right tool really failed or had no such fact. 0.5: part of the intents; a related fact; a wrong unit; another
    item answered and named; "I'll check" or "see the page" before anything was looked up; over the word limit,
    without the address, or as raw data, though useful. 0: nothing of use, put off with the answer in hand, an echo,
    markup, a refusal without a reason.
    """
    if signals.reply is None or not signals.reply.strip():
        return Verdict(0.0, ("nothing was said",))
    if len(signals.reply) > MAX_CHARS:
        return Verdict(0.0, (f"{len(signals.reply)} characters are too long to be spoken",))
    reading = extract(signals)
    if MARKUP.search(signals.reply):
        return Verdict(0.0, ("markup in the reply",))
    if not any(c.isalnum() for c in reading.text.lower):
        return Verdict(0.0, ("no word in the reply",))
    if echo(reading, signals):
        return Verdict(0.0, ("the reply echoes a comment",))
    reasons: list[str] = []
    total = 0.0
    heard = unquoted(signals)
    own = reading if heard is signals else extract(heard)
    for need in signals.needs:
        value, reason = _SERVE[need.answer](need, own, heard)
        total += value
        if reason:
            reasons.append(f"{need.intent} about {need.subject}: {reason}")
    mean = total / len(signals.needs) if signals.needs else 1.0
    value = 1.0 if mean > 0.99 else 0.5 if mean >= 1 / 3 else 0.0
    limits = signals.limits
    caps = []
    if reading.words > limits.reply_words:
        caps.append(f"{reading.words} words, at most {limits.reply_words} allowed")
    if not addressed(signals.reply, limits.address):
        caps.append(f"viewers are not addressed as {limits.address!r}")
    if heap(reading):
        caps.append("raw data or a heap of numbers")
    return Verdict(min(value, 0.5) if caps else value, (*reasons, *caps))


def _fact(need: Need, reading: Reading, signals: Signals) -> Result:
    own, other = _split(need, reading, signals)
    truth = by_name(signals.truth)
    best, elsewhere = 0.0, 0.0
    for refs in need.facts:
        parts = [stated(r, need, own, reading, truth.get((r.subject, r.name))) for r in refs]
        best = max(best, _joined(parts))
        parts = [stated(r, need, other, _NOTHING, None) for r in refs]
        elsewhere = max(elsewhere, _joined(parts))
    lower = reading.text.lower
    if best < 1.0 and _no_offer(need, own):
        best = 1.0
    if best < 1.0 and need.intent == "attribute" and answers_yes_no(reading, signals):
        best = 1.0
    if best < 1.0 and need.words and has(lower, need.words) and not CHECK.search(lower):
        best = 1.0
    if not need.facts and not need.words:
        best = 1.0 if own else best
    if best == 1.0:
        return 1.0, ""
    excuse, reason = _cant(need, reading, signals)
    if best == 0.0 and _vague(need, lower):
        best = 0.5
    if best == 0.5:
        return (1.0, "") if excuse == 1.0 else (0.5, "only a related fact, or in another unit")
    if elsewhere > 0.0 and excuse < 1.0:
        return 0.5, "another item is answered"
    return excuse, reason


_VAGUE = {
    "shipping": re.compile(r"\b(?:soon|quick(?:ly)?|fast|shortly|in no time|a few days|not long|promptly)\b"),
    "returns": re.compile(
        r"\b(?:refunds?|returns?(?! (?:shipping|postage|freight|costs?))|send (?:it|them) back|money back|exchange)\b"
    ),
    "attribute": re.compile(
        r"\b(?:works|good|fine|suits?|ok|okay|great) (?:for|on|with) (?:everyone|everybody|all|any|you)\b"
        r"|\b(?:heavy|light|big|small|large|long|wide|strong|powerful|soft|warm) enough\b"
    ),
    "promotion": re.compile(r"\b(?:free|get one|deal|offer|cheap(?:er)?|special)\b"),
    "stock": re.compile(r"\b(?:a few|some|not many|hurry|enough)\b"),
}


def _vague(need: Need, lower: str) -> bool:
    """A word to the point that leaves the question open; a plain "I can't" is none."""
    pattern = _VAGUE.get(need.intent)
    if need.intent == "returns" and not any(
        r.name in ("return_days", "returnable") for refs in need.facts for r in refs
    ):
        return False
    return pattern is not None and pattern.search(lower) is not None and CANT.search(lower) is None


def _joined(parts: list[float]) -> float:
    if all(p == 1.0 for p in parts):
        return 1.0
    return 0.5 if any(parts) else 0.0


_NOTHING = Reading(normalise(""), Subjects((), ()), (), 0)


def _split(need: Need, reading: Reading, signals: Signals) -> tuple[list[Claim], list[Claim]]:
    """Claims that are about the need's subject (or may be), and those that name another item."""
    own, other = [], []
    for claim in (*reading.claims, *implied(reading, signals)):
        if not claim.named or need.subject in claim.subjects or not need.subject.startswith(("link:", "order:")):
            own.append(claim)
        else:
            other.append(claim)
    return own, other


def _no_offer(need: Need, own: list[Claim]) -> bool:
    """The absence of an offer is said, and offers were asked for."""
    names = [ref.name for refs in need.facts for ref in refs]
    asked = need.intent == "promotion" or (bool(names) and all(n.startswith(_OFFERS) for n in names))
    return asked and any(c.kind is ClaimKind.EXISTS and c.text == "no" and c.role in _OFFER_ROLES for c in own)


def _cant(need: Need, reading: Reading, signals: Signals) -> Result:
    """The value of not answering: honest after a real failure, evasive otherwise."""
    lower = reading.text.lower
    cant, check = CANT.search(lower) is not None, CHECK.search(lower) is not None
    reason, step = REASON.search(lower) is not None, NEXT.search(lower) is not None
    if cant and _out_of_reach(need, signals):
        if reason and step:
            return 1.0, ""
        return (0.5, "no reason or no next step for what can't be had") if reason or step else (0.0, "a bare refusal")
    put_off = check or POINTER.search(lower) is not None
    if _in_hand(need, signals):
        return 0.0, "put off, with the answer in hand" if put_off else "not answered"
    if put_off:
        return 0.5, "the answer is put off"
    if cant and step and reason:
        return 0.5, "evasive: it could have been looked up"
    return 0.0, "not answered"


def _out_of_reach(need: Need, signals: Signals) -> bool:
    """A right tool was called for the need and, in the end, none of the needed facts came from any call.

    Where the facts exist, a fault must have kept them away: a nonsense topic or option of one's own is no excuse.
    """
    tools = {call.tool for plan in need.plans for call in plan}
    tried = [c for c in signals.calls if c.tool in tools and c.error is None and about(c, need.subject)]
    if not tried:
        return False
    if need.answer in (Answer.ACTION, Answer.HANDOFF):
        return not _done(need, tried)
    truth = by_name(signals.truth)
    exist = any(refs and all((r.subject, r.name) in truth for r in refs) for refs in need.facts)
    if exist and all(call.fault is None for call in tried):
        return False
    return not _in_hand(need, signals)


def _in_hand(need: Need, signals: Signals) -> bool:
    """A tool or the prompt stated what answers the need, and it still holds."""
    had = known(signals).current
    return any(all((r.subject, r.name) in had for r in refs) for refs in need.facts)


def _social(need: Need, reading: Reading, signals: Signals) -> Result:
    lower = reading.text.lower
    if need.words and has(lower, need.words):
        return 1.0, ""
    if any(c.kind is ClaimKind.FLAG and c.role == "is_ai" for c in reading.claims) and (
        not need.words or "an ai" in need.words
    ):
        return 1.0, ""
    if FRIENDLY.search(lower):
        return (0.5, "friendly, but beside the point") if need.words else (1.0, "")
    return 0.0, "no friendly word"


def _decline(need: Need, reading: Reading, signals: Signals) -> Result:
    lower = reading.text.lower
    for claim in reading.claims:
        if claim.kind is ClaimKind.FORBIDDEN and claim.role in ("off-platform", "disparagement"):
            return 0.0, f"does what it must not: {claim.quote!r}"
    if need.subject.startswith("link:"):
        if has(lower, need.words):
            return 1.0, ""
        return (0.5, "does not say that the item is not there") if CANT.search(lower) else (0.0, "not answered")
    rest = WILLING.sub(" ", lower)
    if not (has(rest, need.words) if need.words else DECLINE.search(rest)):
        return 0.0, "does not decline"
    return (1.0, "") if DECLINE_REASON.search(lower) else (0.0, "declines without a reason")


def _deed(need: Need, reading: Reading, signals: Signals) -> Result:
    lower = reading.text.lower
    tools = {plan[-1].tool for plan in need.plans if plan}
    said = any(
        c.kind is ClaimKind.DEED
        and c.role in tools
        and (need.subject in c.subjects or not c.named or need.subject == "room")
        for c in reading.claims
    )
    named = any(mention.subject == need.subject for mention in reading.subjects.mentions)
    worded = named or (has(lower, need.words) if need.words else said)
    if _done(need, signals.calls):
        return (1.0, "") if worded or said else (0.5, "done, but not said")
    if said:
        return 0.0, "said, but not done"
    value, reason = _cant(need, reading, signals)
    return value, reason or ""


def _done(need: Need, calls: tuple[CallRecord, ...] | list[CallRecord]) -> bool:
    """The last call of one of the plans went through."""
    last = [plan[-1] for plan in need.plans if plan]
    return any(
        call.ok
        and call.fault is not FaultKind.PARTIAL
        and call.tool == planned.tool
        and all(
            v is None or str(call.arguments.get(k, "")).lower() == str(v).lower() for k, v in planned.arguments.items()
        )
        for call in calls
        for planned in last
    )


_SERVE: dict[Answer, Callable[[Need, Reading, Signals], Result]] = {
    Answer.FACT: _fact,
    Answer.SOCIAL: _social,
    Answer.DECLINE: _decline,
    Answer.ACTION: _deed,
    Answer.HANDOFF: _deed,
}
