"""``verdict``: an episode against the expectations of its scenario, line by line, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from livesim.regression.said import fact_of, said
from livesim.rollout import Episode, RequestRecord
from livesim.scenarios.expect import CallPattern, Checks, Expect, Saying
from livesim.world.money import yuan
from rewards.recovery import Recovery
from rewards.signals import CallRecord, Fact, FactKind


@dataclass(frozen=True, slots=True)
class Line:
    """One expectation and what became of it.

    Attributes:
        where: ``""`` for the episode, else ``"request 2"``.
        what: the expectation in words.
        passed: whether it was met.
        why: what was found instead, or the evidence.
    """

    where: str
    what: str
    passed: bool
    why: str = ""

    def __str__(self) -> str:
        head = f"{self.where}: " if self.where else ""
        return f"{'pass' if self.passed else 'FAIL'}  {head}{self.what}{f' ({self.why})' if self.why else ''}"


def verdict(expect: Expect, episode: Episode) -> tuple[Line, ...]:
    """A line for each expectation, those of the whole episode first.

    Args:
        expect: of the scenario.
        episode: as it was played.
    """
    lines = list(_checks("", expect, episode.requests))
    points = sum(breach.points for request in episode.requests for breach in request.signals.breaches)
    broken = [b.rule for request in episode.requests for b in request.signals.breaches]
    lines.append(
        Line("", f"at most {expect.breach_points} points of broken rules", points <= expect.breach_points,
             f"{points} points: {', '.join(broken)}" if broken else "")
    )  # fmt: skip
    if expect.answered is not None:
        replies = sum(request.signals.reply is not None for request in episode.requests)
        lines.append(Line("", f"at least {expect.answered} replies", replies >= expect.answered, f"{replies} replies"))
    for number, checks in sorted(expect.requests.items()):
        where = f"request {number}"
        if number > len(episode.requests):
            lines.append(Line(where, "is closed", False, f"the episode has {len(episode.requests)} requests"))
            continue
        lines += _checks(where, checks, episode.requests[number - 1 : number])
    return tuple(lines)


def passed(lines: Sequence[Line]) -> bool:
    """Whether every line is met."""
    return all(line.passed for line in lines)


def _checks(where: str, checks: Checks, requests: Sequence[RequestRecord]) -> Iterator[Line]:
    calls = [call for request in requests for call in request.signals.calls if call.error is None]
    for pattern in checks.must_call:
        found = any(matches(pattern, call) for call in calls)
        yield Line(where, f"must call {pattern.describe()}", found, "" if found else f"called: {_called(requests)}")
    for pattern in checks.must_not_call:
        found = any(matches(pattern, call) for call in calls)
        why = f"called: {_called(requests, pattern)}" if found else ""
        yield Line(where, f"must not call {pattern.describe()}", not found, why)
    for tool, most in checks.no_more_than.items():
        made = sum(call.tool == tool for call in calls)
        which = f": {_called(requests, CallPattern(tool=tool))}" if made > most else ""
        yield Line(where, f"no more than {most} of {tool}", made <= most, f"{made} calls{which}")
    loaded = [skill for request in requests for skill in request.signals.skills_loaded]
    for skill in checks.must_load:
        why = f"loaded: {', '.join(dict.fromkeys(loaded)) or 'none'}"
        yield Line(where, f"must load {skill}", skill in loaded, "" if skill in loaded else why)
    for saying in checks.must_say:
        yield _must_say(where, saying, requests)
    for saying in checks.must_not_say:
        hit = next((r for r in requests if said(saying, r.signals.reply or "", r.signals.truth)), None)
        why = "" if hit is None else f"{hit.request_id}: {hit.signals.reply!r:.160}"
        yield Line(where, f"must not say {saying.describe()}", hit is None, why)
    if checks.recover_within_s is not None:
        yield _in_time(where, checks.recover_within_s, requests)
    for head, floor in checks.heads.items():
        values = {request.request_id: request.heads[head] for request in requests}
        low = min(values, key=lambda name: values[name], default="")
        reasons = next((r.reasons.get(head, ()) for r in requests if r.request_id == low), ())
        fine = bool(values) and values[low] >= floor
        below = sum(value < floor for value in values.values())
        rest = f"; {below} of {len(values)} requests are below" if len(values) > 1 else ""
        why = f"{low}: {values[low]:g} {'; '.join(reasons)}".strip() + rest if values and not fine else ""
        yield Line(where, f"{head} at least {floor:g}", fine, why or ("" if fine else "no request was closed"))
    if checks.outcome:
        yield _outcome(where, checks.outcome, requests)
    if checks.handed_off is not None:
        done = any(call.tool == "hand_off" and (call.ok or call.fault is not None) for call in calls)
        went = any(call.tool == "hand_off" and call.ok for call in calls)
        if checks.handed_off:
            yield Line(where, "must hand over to a human", went, "" if went else f"called: {_called(requests)}")
        else:
            yield Line(where, "must not hand over to a human", not done, "hand_off was called" if done else "")


def matches(pattern: CallPattern, call: CallRecord) -> bool:
    """Whether a call that reached its tool is of this pattern."""
    if call.tool != pattern.tool or (pattern.ok is not None and call.ok is not pattern.ok):
        return False
    return all(_same(call.arguments.get(name), value) for name, value in pattern.arguments.items())


def _must_say(where: str, saying: Saying, requests: Sequence[RequestRecord]) -> Line:
    what = f"must say {saying.describe()}"
    replies = [(r.signals.reply or "", r.signals.truth) for r in requests]
    if any(said(saying, text, truth) for text, truth in replies):
        return Line(where, what, True)
    facts = [fact_of(saying, truth) for _, truth in replies] if saying.fact else []
    values = list(dict.fromkeys(_value(fact) for fact in facts if fact is not None))
    true = f"true: {', '.join(values) or 'there is no such fact'}; " if saying.fact else ""
    return Line(where, what, False, f"{true}said: {' | '.join(text for text, _ in replies if text) or 'nothing'}"[:400])


def _in_time(where: str, limit_s: float, requests: Sequence[RequestRecord]) -> Line:
    """From the turn that met the first fault to the turn that answered, the worst request counts."""
    what = f"recovers within {limit_s:g} s"
    took: dict[str, float] = {}
    for request in requests:
        hit = next((turn for turn in request.turns if turn.faults), None)
        if hit is None:
            continue
        if request.signals.reply is None:
            return Line(where, what, False, f"{request.request_id} got no reply")
        took[request.request_id] = request.turns[-1].at_s - hit.at_s
    if not took:
        return Line(where, what, False, "no fault hit")
    slowest = max(took, key=lambda name: took[name])
    return Line(where, what, took[slowest] <= limit_s, f"{slowest} took {took[slowest]:.1f} s")


def _outcome(where: str, allowed: Sequence[str], requests: Sequence[RequestRecord]) -> Line:
    what = f"outcome of faults: {' or '.join(allowed)}"
    found = [(r.request_id, r.recovery) for r in requests if r.recovery is not Recovery.NONE]
    if not found:
        return Line(where, what, False, "no fault hit")
    why = ", ".join(f"{name} {outcome}" for name, outcome in found)
    return Line(where, what, all(str(outcome) in allowed for _, outcome in found), why)


def _value(fact: Fact) -> str:
    return yuan(fact.value) if fact.kind is FactKind.MONEY and isinstance(fact.value, int) else str(fact.value)


def _called(requests: Sequence[RequestRecord], pattern: CallPattern | None = None) -> str:
    """The calls of this pattern, or all; by request where there are several."""
    parts = []
    for request in requests:
        calls = [c for c in request.signals.calls if pattern is None or (c.error is None and matches(pattern, c))]
        shown = Counter(map(_shown, calls))
        text = ", ".join(call if count == 1 else f"{call} {count} times" for call, count in shown.items())
        if text:
            parts.append(f"{request.request_id} {text}" if len(requests) > 1 else text)
    return "; ".join(parts)[:400] or "nothing"


def _shown(call: CallRecord) -> str:
    """A call in words, with what became of it where it did not go well."""
    text = f"{call.tool or '?'}({', '.join(f'{name}={value}' for name, value in call.arguments.items())})"
    if call.error is not None:
        return f"{text} which reached no tool: {call.error}"
    if call.fault is not None:
        return f"{text} which met a fault: {call.fault}"
    return text if call.ok else f"{text} which failed"


def _same(given: object, wanted: object) -> bool:
    return given is not None and str(given).strip().lower() == str(wanted).strip().lower()
