"""Which calls come next: walks the plans of a need and reacts to what came back, as its kind demands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from livesim.sight import Sight
from livesim.tools.builtin import SPECS
from livesim.tools.spec import Effect
from rewards.signals import Answer, CallRecord, Fact, FactRef, FaultKind, Need, PlannedCall

RETRIED = frozenset({FaultKind.TIMEOUT, FaultKind.RATE_LIMIT, FaultKind.UNAVAILABLE, FaultKind.MALFORMED})
"""Faults after which a read is called once more; after any other failure it is not."""


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
    plans = [plan for plan in need.plans if all(sight.harness.view(call.tool) for call in plan)]
    facts = told(sight)
    if need.answer is Answer.FACT and best_facts(need, facts):
        return Progress(Standing.SERVED)
    for plan in plans:
        waiting, failed = [], False
        for call in plan:
            records = [record for record in sight.calls if matches(call, record)]
            if any(record.ok and not _doubtful(record, sight) for record in records):
                continue
            if not records or (len(records) == 1 and _again(call, records[0])):
                waiting.append(call)
            else:
                failed = True
        if failed:
            continue
        if waiting:
            return Progress(Standing.OPEN, tuple(waiting))
        if need.answer is not Answer.FACT:
            return Progress(Standing.SERVED)
    return Progress(Standing.FAILED)


def matches(call: PlannedCall, record: CallRecord) -> bool:
    """Whether a record is of this planned call; arguments that may have any value are not compared."""
    if record.tool != call.tool or record.error is not None:
        return False
    wanted = {name: value for name, value in call.arguments.items() if value is not None}
    return all(_same(record.arguments.get(name), value) for name, value in wanted.items())


def told(sight: Sight) -> dict[tuple[str, str], Fact]:
    """Facts that tools or the prompt stated and that still hold, by subject and name."""
    now = {(fact.subject, fact.name): fact for fact in sight.truth}
    stated: dict[tuple[str, str], Fact] = {(fact.subject, fact.name): fact for fact in sight.known}
    for record in sight.calls:
        stated |= {(fact.subject, fact.name): fact for fact in record.facts}
    return {key: fact for key, fact in stated.items() if key not in now or now[key].value == fact.value}


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


def _again(call: PlannedCall, record: CallRecord) -> bool:
    """Whether a call that did not serve is made once more: only a read, and only after a fault that may pass."""
    spec = SPECS.get(call.tool)
    if spec is not None and spec.effect is Effect.WRITE:
        return False
    if record.ok:
        return True  # what it stated no longer holds: look again
    return record.fault in RETRIED


def _doubtful(record: CallRecord, sight: Sight) -> bool:
    """Whether something that this call stated is not so any more."""
    now = {(fact.subject, fact.name): fact.value for fact in sight.truth}
    return any(now.get((fact.subject, fact.name), fact.value) != fact.value for fact in record.facts)


def _key(ref: FactRef) -> tuple[str, str]:
    return ref.subject, ref.name


def _same(given: object, wanted: object) -> bool:
    return str(given).strip().lower() == str(wanted).strip().lower()
