"""Head ``tool_rationality``, 0 to 1: the needed calls were made, none wasted, faults handled as their kind demands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product

from rewards.signals import DOUBTFUL, CallError, CallRecord, FaultKind, Need, PlannedCall, Signals
from rewards.support.knowledge import by_name
from rewards.verdict import Verdict

RETRY_ONCE = frozenset(
    {
        FaultKind.TIMEOUT,
        FaultKind.RATE_LIMIT,
        FaultKind.UNAVAILABLE,
        FaultKind.MALFORMED,
        FaultKind.CONTRADICTION,
    }
)
"""Faults after which a read is tried once more."""

MOST_CHOICES = 256
"""At most so many combinations of plans are compared."""

WASTED = 0.25  # a call that nothing needs, or a good one made again
WASTED_WRITE = 0.5  # a WRITE that nothing needs, or made again after it went through
TOO_OFTEN = 0.25  # a retry beyond the one that the fault allows
FORBIDDEN_RETRY = 0.35  # a retry of what was denied
UNTRIED = 0.5  # part of a needed call's credit when it failed and was not retried as its fault demands
DISORDER = 0.1  # a WRITE before the read that it depends on
UNREADABLE = 0.15  # a turn that could not be parsed
ERRORS = {
    CallError.BAD_JSON: 0.2,
    CallError.UNKNOWN_TOOL: 0.25,
    CallError.BAD_ARGUMENTS: 0.2,
    CallError.UNKNOWN_SKILL: 0.15,
    CallError.DISTRACTOR: 0.25,
    CallError.EXCESS: 0.2,
}
"""Costs are ours; the paper prints no rubric. All are taken off the share of needed calls made, down to 0."""

Plan = tuple[PlannedCall, ...]


def head(signals: Signals) -> Verdict:
    """Share of the needed calls made, less the cost of everything wasted, in [0, 1].

    Each need has alternative plans of equal worth; the choice of one plan per need that scores best counts. Reads
    come in any order; a WRITE must follow the reads of its plan. The right tool asked about another topic, option or
    quantity than the viewer's serves nothing and is a waste. A needed call that failed for good counts as made when
    it was handled as its fault demands: TIMEOUT, RATE_LIMIT, UNAVAILABLE, MALFORMED and CONTRADICTION reads are tried
    once more (or an equivalent plan is tried), PERMISSION_DENIED is not tried again, a PARTIAL answer is used or
    looked up elsewhere. Falling back to an equivalent plan costs nothing. Without a reply the value is 0.
    """
    if signals.reply is None or not signals.reply.strip():
        return Verdict(0.0, ("nothing was said",))
    cost, reasons = _slips(signals)
    best = -1e9
    why: list[str] = []
    choices = product(*(need.plans or ((),) for need in signals.needs))
    for choice in islice(choices, MOST_CHOICES):
        value, found = _score(choice, signals)
        if value > best:
            best, why = value, found
        if best >= 1.0:
            break
    return Verdict(round(max(0.0, min(1.0, best - cost)), 6), (*why, *reasons))


def _slips(signals: Signals) -> tuple[float, list[str]]:
    """Costs that no plan changes: calls that reached no tool, and turns that could not be read."""
    wrong = [call for call in signals.calls if call.error is not None]
    reasons = [f"{call.error}: {call.tool or 'no tool'}" for call in wrong]
    if signals.unreadable:
        reasons.append(f"{signals.unreadable} unreadable turns")
    cost = sum(ERRORS[call.error] for call in wrong if call.error is not None) + UNREADABLE * signals.unreadable
    return cost, reasons


def _score(choice: Sequence[Plan], signals: Signals) -> tuple[float, list[str]]:
    calls = [call for call in signals.calls if call.error is None]
    needed = _distinct(call for plan in choice for call in plan)
    others = _distinct(c for need in signals.needs for plan in need.plans for c in plan if c not in needed)
    reasons: list[str] = []
    used: set[int] = set()
    credit: dict[tuple[int, tuple[int, ...]], float] = {}  # needs that share a call and its answer count once
    for need, plan in zip(signals.needs, choice, strict=True):
        for planned in plan:
            mine = tuple(i for i, call in enumerate(calls) if _serves(call, planned, need, signals))
            key = (needed.index(planned), mine)
            if key not in credit:
                later = calls[mine[-1] + 1 :] if mine else []
                fell_back = any(_serves(call, other, need, signals) for call in later for other in others)
                credit[key], why = _handled([calls[i] for i in mine], planned, fell_back)
                reasons += why
            used.update(mine)
    base = sum(credit.values()) / len(credit) if credit else 1.0
    cost = 0.0
    for group in _groups(calls):
        price, why = _waste(group, calls, used, signals)
        cost += price
        reasons += why
    for planned in needed:
        price, why = _surplus(planned, sum(planned in plan for plan in choice), [calls[i] for i in sorted(used)])
        cost += price
        reasons += why
    for plan in choice:
        if _disordered(plan, calls):
            cost += DISORDER
            reasons.append(f"{plan[-1].tool} came before what it depends on")
    return base - cost, reasons


def _handled(mine: list[CallRecord], planned: PlannedCall, fell_back: bool) -> tuple[float, list[str]]:
    """Credit for one needed call, in [0, 1].

    Args:
        mine: the calls that answer to it.
        planned: the needed call.
        fell_back: after the last of them a call of an equivalent plan was made.
    """
    if not mine:
        return 0.0, [f"{planned.tool} was needed and not called"]
    if any(call.ok and call.fault is not FaultKind.CONTRADICTION for call in mine):
        return 1.0, []
    last = mine[-1]
    if last.fault in RETRY_ONCE and len(mine) == 1 and not last.mutates and not fell_back:
        return UNTRIED, [f"{planned.tool}: {last.fault} was not tried again"]
    return 1.0, []


def _surplus(planned: PlannedCall, wanted: int, calls: list[CallRecord]) -> tuple[float, list[str]]:
    """Cost of good calls beyond the ``wanted`` ones that differ only in arguments that do not matter."""
    good = [i for i, c in enumerate(calls) if matches(c, planned) and c.ok and (c.mutates or c.facts)]
    groups = _groups([calls[i] for i in good])
    extra = len(groups) - max(1, wanted)
    if extra <= 0:
        return 0.0, []
    price = WASTED_WRITE if calls[good[0]].mutates else WASTED
    return price * extra, [f"{planned.tool} was called {extra} times more than needed"]


def _groups(calls: list[CallRecord]) -> list[list[int]]:
    """Indices of equal calls, together, in order of their first."""
    groups: dict[tuple[str, tuple[tuple[str, str], ...]], list[int]] = {}
    for i, call in enumerate(calls):
        key = (call.tool, tuple(sorted((k, str(v).lower()) for k, v in call.arguments.items() if v != "")))
        groups.setdefault(key, []).append(i)
    return list(groups.values())


def _waste(group: list[int], calls: list[CallRecord], used: set[int], signals: Signals) -> tuple[float, list[str]]:
    """Cost of a group of equal calls: needless ones, good ones made again, retries beyond what a fault allows."""
    first = calls[group[0]]
    cost, reasons = 0.0, []
    if group[0] not in used and not _excused(group, calls, signals):
        cost += WASTED_WRITE if first.mutates else WASTED
        reasons.append(f"{first.tool} was not needed")
    failures = 0
    for before in group[:-1]:
        fault, ok = calls[before].fault, calls[before].ok
        if ok and fault in DOUBTFUL and not first.mutates and failures == 0:
            failures += 1  # asking once more is a way to find out
            continue
        if ok and not first.mutates and failures == 0 and _overtaken(calls[before], signals):
            failures += 1  # the room changed since: what it said would be wrong now
            continue
        if ok:
            cost += WASTED_WRITE if first.mutates else WASTED
            reasons.append(f"{first.tool} had answered and was called again")
        elif fault is None:
            cost += WASTED
            reasons.append(f"{first.tool} had refused these arguments and was called again")
        elif fault is FaultKind.PERMISSION_DENIED:
            cost += FORBIDDEN_RETRY
            reasons.append(f"{first.tool} was denied and called again")
        elif first.mutates and fault is FaultKind.TIMEOUT:
            cost += WASTED_WRITE
            reasons.append(f"{first.tool} may have gone through and was called again")
        else:
            failures += 1
            if failures > 1:
                cost += TOO_OFTEN
                reasons.append(f"{first.tool} failed and was tried more than once again")
    return cost, reasons


def _overtaken(call: CallRecord, signals: Signals) -> bool:
    """Something that the call stated holds no longer in the second of the reply."""
    now = {(fact.subject, fact.name): fact.value for fact in signals.truth}
    return any(now.get((fact.subject, fact.name), fact.value) != fact.value for fact in call.facts)


def _excused(group: list[int], calls: list[CallRecord], signals: Signals) -> bool:
    """A call of one of a need's plans that brought none of its facts, before another brought them, is no waste."""
    last = calls[group[-1]]
    for need in signals.needs:
        if not any(_serves(last, planned, need, signals) for plan in need.plans for planned in plan):
            continue
        wanted = _wanted(need)
        empty = not last.ok or last.fault in DOUBTFUL or (wanted and not wanted & _brought(last))
        whole = (call for call in calls[: group[0]] if call.ok and call.fault not in DOUBTFUL)
        if empty and not any(wanted & _brought(call) for call in whole):
            return True
    return False


def _serves(call: CallRecord, planned: PlannedCall, need: Need, signals: Signals) -> bool:
    """A needed call that asked for what the need is about, as far as its own arguments decide that.

    One that answered, or was refused, without a fault and without a needed fact that exists, was led astray by what
    the plan leaves open: a topic, an option, a quantity. Where the viewer's topic is none of the item's, any will do.
    """
    if not matches(call, planned):
        return False
    fixed = {name for name, value in planned.arguments.items() if value is not None}
    own = any(value != "" for name, value in call.arguments.items() if name not in fixed)
    if not own or call.fault is FaultKind.PARTIAL or (call.fault is not None and not call.ok):
        return True
    exist = _wanted(need) & by_name(signals.truth).keys()
    anything = need.intent == "attribute" and len(exist) > 1
    return not exist or anything or bool(exist & _brought(call))


def _wanted(need: Need) -> set[tuple[str, str]]:
    return {(ref.subject, ref.name) for refs in need.facts for ref in refs}


def _brought(call: CallRecord) -> set[tuple[str, str]]:
    return {(fact.subject, fact.name) for fact in call.facts}


def _disordered(plan: Plan, calls: list[CallRecord]) -> bool:
    """The last call of a plan went through as a WRITE before an earlier one of the plan was made."""
    if len(plan) < 2:
        return False
    at = [next((i for i, call in enumerate(calls) if matches(call, planned)), None) for planned in plan]
    last = at[-1]
    if last is None or not calls[last].mutates:
        return False
    return any(i is not None and i > last for i in at[:-1])


def matches(call: CallRecord, planned: PlannedCall) -> bool:
    """The right tool with the arguments that matter; numbers and text compare by what they spell."""
    if call.tool != planned.tool:
        return False
    for name, value in planned.arguments.items():
        given = call.arguments.get(name)
        if value is not None and (given is None or str(given).strip().lower() != str(value).strip().lower()):
            return False
    return True


def _distinct(calls: Iterable[PlannedCall]) -> list[PlannedCall]:
    found: list[PlannedCall] = []
    for call in calls:
        if call not in found:
            found.append(call)
    return found
