"""Head ``accuracy``, 0 or 1: no claim of the reply is false, and none goes beyond what tools and prompt said."""

from __future__ import annotations

from rewards.claims import MAX_CHARS, Claim, ClaimKind, Reading, extract
from rewards.implied import implied
from rewards.signals import Signals
from rewards.support import Knowledge, known, supported
from rewards.support.pairs import hedged, short_of_final, unpaired
from rewards.verdict import Verdict

REASONS = 6
"""At most so many reasons are given."""


def head(signals: Signals) -> Verdict:
    """1 when every claim of the reply is supported and no rule was broken.

    A claim is supported when a tool's answer in this request or the prompt stated it, and it is still true in the
    second of the reply. So a stale answer is wrong, a partial one supports only what it stated, and a number from
    nowhere is unsupported even when it is right. Fair rounding, unit conversion, and sums and differences of known
    prices are supported. Absolutes, medical or guaranteed effects, invented scarcity, disparagement and promises
    beyond the shop's terms never are. Mood words are no claim, so a harmless nothing is accurate. A request that was
    closed without a word is not: it scores 0 in every head.
    """
    if signals.reply is None or not signals.reply.strip():
        return Verdict(0.0, ("nothing was said",))
    if len(signals.reply) > MAX_CHARS:
        return Verdict(0.0, (f"{len(signals.reply)} characters are too long to be spoken and checked",))
    reasons = [f"rule {breach.rule}: {breach.text[:60]!r}" for breach in signals.breaches]
    reading = extract(signals)
    knowledge = known(signals)
    for claim in (*reading.claims, *implied(reading, signals)):
        if not supported(claim, knowledge):
            reasons.append(_why(claim, knowledge))
    reasons += _excuses(reading, knowledge)
    reasons += short_of_final(reading, knowledge)
    reasons += unpaired(reading, knowledge)
    reasons += hedged(reading)
    return Verdict(0.0 if reasons else 1.0, tuple(dict.fromkeys(reasons))[:REASONS])


def _excuses(reading: Reading, knowledge: Knowledge) -> list[str]:
    """A failure that is no excuse any more: another call brought all that was asked, and the reply keeps it back."""
    failures = [claim for claim in reading.claims if claim.kind is ClaimKind.FAILURE]
    asked = [need for need in knowledge.signals.needs if need.facts]
    if not failures or len(failures) < len(reading.claims) or not asked:
        return []
    had = knowledge.current
    in_hand = (any(all((r.subject, r.name) in had for r in refs) for refs in need.facts) for need in asked)
    return [f"the answer is in hand, but {failures[0].quote!r}"] if all(in_hand) else []


def _why(claim: Claim, knowledge: Knowledge) -> str:
    whom = f" of {' or '.join(claim.subjects)}" if claim.subjects else ""
    role = f" as {claim.role}" if claim.role and claim.kind is not ClaimKind.FORBIDDEN else ""
    if claim.kind is ClaimKind.FORBIDDEN:
        return f"{claim.role}: {claim.quote!r}"
    if claim.kind is ClaimKind.FAILURE:
        return f"no call failed, but {claim.quote!r}"
    if claim.kind is ClaimKind.DEED:
        return f"no {claim.role} call went through, but {claim.quote!r}"
    if claim.kind is ClaimKind.CURRENCY:
        return f"not the shop's currency: {claim.quote!r}"
    stale = "; the tool's answer no longer holds" if knowledge.stale else ""
    return f"{claim.quote!r}{role}{whom} is false or was stated by no tool and no prompt{stale}"


def read(signals: Signals) -> Reading:
    """The claims that the head sees, for reports."""
    return extract(signals)
