"""Whether a claim is supported: compared by kind with what the agent was told and what still holds."""

from __future__ import annotations

from collections.abc import Callable

from rewards.claims.claim import Claim, ClaimKind
from rewards.signals import DOUBTFUL
from rewards.support.knowledge import Knowledge
from rewards.support.numbers import count, measure, money, number, percent, time
from rewards.support.words import exists, flag, scarcity, value

Check = Callable[[Claim, str, Knowledge], bool]
"""(claim, one subject, knowledge) -> supported."""

CHECKS: dict[ClaimKind, Check] = {
    ClaimKind.MONEY: money,
    ClaimKind.PERCENT: percent,
    ClaimKind.COUNT: count,
    ClaimKind.TIME: time,
    ClaimKind.MEASURE: measure,
    ClaimKind.NUMBER: number,
    ClaimKind.VALUE: value,
    ClaimKind.FLAG: flag,
    ClaimKind.EXISTS: exists,
    ClaimKind.SCARCITY: scarcity,
}


def supported(claim: Claim, knowledge: Knowledge) -> bool:
    """Whether the agent was entitled to say this, and it is true.

    A claim about a named subject is compared with that subject's facts only; one about several joined subjects must
    hold for each; one whose subject was not named, for one of the needs' subjects (or, where they have none, for any
    item that the agent knows something of).
    """
    kind = claim.kind
    if kind in (ClaimKind.FORBIDDEN, ClaimKind.CURRENCY):
        return False
    calls = knowledge.signals.calls
    if kind is ClaimKind.FAILURE:
        return any(not call.ok or call.fault in DOUBTFUL for call in calls)
    if kind is ClaimKind.DEED:
        return any(
            call.ok and call.tool == claim.role and _right_item(claim, call.arguments.get("link")) for call in calls
        )
    check = CHECKS[kind]
    subjects = claim.subjects or (*knowledge.subjects(), "shop")
    results = (check(claim, subject, knowledge) for subject in subjects)
    if claim.every and claim.named:
        if kind is ClaimKind.MONEY and claim.role in ("total", "over", "off", "coupon") and any(results):
            return True
        return all(check(claim, subject, knowledge) for subject in subjects)
    return any(results)


def _right_item(claim: Claim, link: int | str | None) -> bool:
    return link is None or not claim.subjects or f"link:{link}" in claim.subjects
