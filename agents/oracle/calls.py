"""Which calls come next: walks the plans of a need and reacts to what came back, as its kind demands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from livesim.sight import Sight
from livesim.tools.builtin import SPECS
from livesim.tools.spec import Effect
from rewards.signals import Answer, CallRecord, Fact, FactKind, FactRef, FaultKind, Need, PlannedCall
from rewards.tool_rationality import matches

RETRIED = frozenset({FaultKind.TIMEOUT, FaultKind.RATE_LIMIT, FaultKind.UNAVAILABLE, FaultKind.MALFORMED})
"""Faults after which a read is called once more; after any other failure it is not."""

MANY = 10
"""From so many pieces on, stock is spoken of as "about": others buy while the host speaks."""


class Standing(StrEnum):
    """Where a need stands."""

    OPEN = "open"  # calls are still to be made
    SERVED = "served"  # what was needed came back
    FAILED = "failed"  # no plan is left


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a need stands, and the calls to make next (none unless OPEN)."""

    standing: Standing
    calls: tuple[PlannedCall, ...] = ()


def progress(need: Need, sight: Sight) -> Progress:
    """What to do next for ``need``.

    Plans are walked in order, those that use a tool this harness does not show left out. A read that met a passing
    fault is called once more; whatever else failed sends on to the next plan.
    """
    plans = [
        tuple(_specific(call, need) for call in plan)
        for plan in need.plans
        if all(sight.harness.view(call.tool) for call in plan)
    ]
    known = best_facts(need, told(sight))
    if any(fact.subject == need.subject for facts in known for fact in facts):
        return Progress(Standing.SERVED)
    for plan in plans:
        waiting, failed = [], False
        for call in plan:
            records = [record for record in sight.calls if record.error is None and matches(record, call)]
            if any(record.ok and not _doubtful(record, need, sight) for record in records):
                continue
            if not records or (len(records) == 1 and _again(call, records[0])):
                waiting.append(call)
            else:
                failed = True
        if failed:
            continue
        if waiting:
            return Progress(Standing.OPEN, tuple(waiting))
        if need.answer is not Answer.FACT or known:
            return Progress(Standing.SERVED)
    return Progress(Standing.FAILED)


def told(sight: Sight) -> dict[tuple[str, str], Fact]:
    """Facts that tools or the prompt stated and that still hold, by subject and name; a copy in doubt states none."""
    now = _by_name(sight.truth)
    found = _by_name(sight.known)
    for record in sight.calls:
        if record.fault is FaultKind.CONTRADICTION:
            continue
        stale = record.fault is FaultKind.STALE
        found |= _by_name(fact for fact in record.facts if holds(fact, now.get(_key(fact)), stale=stale))
    return found


def best_facts(need: Need, facts: Mapping[tuple[str, str], Fact]) -> list[tuple[Fact, ...]]:
    """The alternatives of ``need.facts`` that are wholly known, in order."""
    return [
        tuple(facts[_key(ref)] for ref in refs)
        for refs in need.facts
        if refs and all(_key(ref) in facts for ref in refs)
    ]


def merged(progresses: Iterable[Progress]) -> tuple[PlannedCall, ...]:
    """The calls of several needs, equal ones once."""
    found: list[PlannedCall] = []
    for one in progresses:
        found += [call for call in one.calls if call not in found]
    return tuple(found)


def _specific(call: PlannedCall, need: Need) -> PlannedCall:
    """The call with a topic that may be any filled in by the attribute that the need is about, if it is about one."""
    if call.arguments.get("topic", "") is not None:
        return call
    names = [ref.name.removeprefix("attr:") for refs in need.facts for ref in refs if ref.name.startswith("attr:")]
    return PlannedCall(call.tool, {**call.arguments, "topic": names[0]}) if names else call


def _again(call: PlannedCall, record: CallRecord) -> bool:
    """Whether a call that did not serve is made once more: only a read, and only after a fault that may pass."""
    spec = SPECS.get(call.tool)
    if spec is not None and spec.effect is Effect.WRITE:
        return False
    if record.ok:
        return True  # what it stated no longer holds: look again
    return record.fault in RETRIED


def _doubtful(record: CallRecord, need: Need, sight: Sight) -> bool:
    """Whether something that this call stated for the need is not so any more, or it came from a copy in doubt."""
    if record.fault is FaultKind.CONTRADICTION:
        return True
    wanted = {_key(ref) for refs in need.facts for ref in refs}
    now = _by_name(sight.truth)
    stale = record.fault is FaultKind.STALE
    return any(not holds(fact, now.get(_key(fact)), stale=stale) for fact in record.facts if _key(fact) in wanted)


def holds(fact: Fact, now: Fact | None, *, stale: bool = False) -> bool:
    """Whether a fact may still be said: unchanged, or a large stock that fell by a few pieces ("about 50")."""
    if now is None or now.value == fact.value:
        return True
    if stale or fact.kind is not FactKind.COUNT or not isinstance(fact.value, int) or not isinstance(now.value, int):
        return False
    return min(fact.value, now.value) >= MANY and abs(fact.value - now.value) <= 1 + fact.value // 20


def _key(named: Fact | FactRef) -> tuple[str, str]:
    return named.subject, named.name


def _by_name(facts: Iterable[Fact]) -> dict[tuple[str, str], Fact]:
    return {_key(fact): fact for fact in facts}
