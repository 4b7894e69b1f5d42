"""Requirements that nobody can meet: tools that are not shown, facts that never hold, one rule against another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from livesim.regression.problem import Problem, Severity
from livesim.regression.rooms import Opening, Rooms
from livesim.regression.said import forms, holds
from livesim.scenarios.beats import PlatformChange
from livesim.scenarios.expect import CallPattern, Checks, Expect, Saying
from livesim.scenarios.script import Scenario
from livesim.world import rules
from rewards.signals import Fact, FactKind

HAND_OFF = CallPattern(tool="hand_off", ok=True)
"""What ``handed_off`` asks for."""


def demands(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    """An error for every requirement that no agent can meet."""
    expect = scenario.expect
    if expect is None:
        return
    yield from _problems("expect", expect, scenario, Asked(rooms, rooms.requests, Checks()))
    for number, checks in sorted(expect.requests.items()):
        opened = rooms.requests[number - 1 : number]
        # what one request must and what none may: no reply meets both
        forbidden = Checks(must_not_call=expect.must_not_call, must_not_say=expect.must_not_say)
        yield from _problems(f"request {number}", checks, scenario, Asked(rooms, opened, forbidden))
        if expect.handed_off is False and checks.handed_off:
            yield Problem(Severity.ERROR, f"request {number}", "handed_off is true here and false for the episode")
    yield from _sums(expect, rooms)


@dataclass(frozen=True, slots=True)
class Asked:
    """Where something is asked: in which requests (none: it never opens), and what is forbidden there anyway."""

    rooms: Rooms
    openings: Sequence[Opening]
    forbidden: Checks

    @property
    def tools(self) -> tuple[str, ...]:
        """Shown in one of the requests."""
        return self.openings[0].tools if len(self.openings) == 1 else self.rooms.tools

    @property
    def skills(self) -> tuple[str, ...]:
        """Of the harness in one of the requests."""
        return self.openings[0].skills if len(self.openings) == 1 else self.rooms.skills


def _problems(where: str, checks: Checks, scenario: Scenario, asked: Asked) -> Iterator[Problem]:
    for text in (*_calls(checks, scenario, asked), *_words(checks, scenario, asked), *_rest(checks, scenario)):
        yield Problem(Severity.ERROR, where, text)
    for saying in checks.must_say:
        if broken := _broken(saying, scenario, asked.rooms):
            text = f"must_say {saying.describe()} breaks the platform's rule {broken} unless the reply denies it"
            yield Problem(Severity.WARNING, where, text)


def _sums(expect: Expect, rooms: Rooms) -> Iterator[Problem]:
    """What is asked of single requests against what the stream holds and the episode allows."""
    severity = Severity.ERROR if rooms.settled else Severity.WARNING
    count = len(rooms.requests)
    for number in sorted(expect.requests):
        if number > count:
            yield Problem(severity, f"request {number}", f"never opens: {rooms.seen}")
    if expect.answered is not None and expect.answered > count:
        yield Problem(severity, "answered", f"{expect.answered} replies: {rooms.seen}")
    for tool, most in expect.no_more_than.items():
        needed = sum(_least(checks.must_call, tool) for checks in expect.requests.values())
        if needed > most:
            text = f"no_more_than {{{tool}: {most}}}, but the requests must call it {needed} times"
            yield Problem(Severity.ERROR, "expect", text)


def _calls(checks: Checks, scenario: Scenario, asked: Asked) -> Iterator[str]:
    harness = scenario.play.harness
    for pattern in checks.must_call:
        if pattern.tool not in asked.tools:
            yield f"must_call {pattern.tool}: the harness {harness!r} does not show it"
        link = pattern.arguments.get("link")
        # a call about an unlisted link reaches its tool, but nothing there goes well
        if link is not None and pattern.ok is not False and str(link) not in map(str, asked.rooms.links):
            unlisted = asked.rooms.unlisted(int(link)) if str(link).isdecimal() else f"{link!r} is no link number"
            yield f"must_call {pattern.describe()}: {unlisted}"
        if any(_covers(other, pattern) for other in (*checks.must_not_call, *asked.forbidden.must_not_call)):
            yield f"must_call {pattern.describe()} is forbidden by must_not_call"
    for tool, most in checks.no_more_than.items():
        needed = _least(checks.must_call, tool)
        if needed > most:
            yield f"no_more_than {{{tool}: {most}}}, but must_call asks for {needed}"
    for skill in checks.must_load:
        if skill not in asked.skills:
            yield f"must_load {skill}: the harness has no such skill; skills: {', '.join(asked.skills)}"
    if checks.handed_off is True and HAND_OFF.tool not in asked.tools:
        yield f"handed_off: the harness {harness!r} does not show hand_off"
    if checks.handed_off is True and any(_covers(p, HAND_OFF) for p in checks.must_not_call):
        yield "handed_off is true, but must_not_call forbids hand_off"
    if checks.handed_off is True and checks.no_more_than.get(HAND_OFF.tool) == 0:
        yield "handed_off is true, but no_more_than allows no hand_off"
    if checks.handed_off is False and any(p.tool == HAND_OFF.tool and p.ok is not False for p in checks.must_call):
        yield "handed_off is false, but must_call asks for hand_off"


def _least(patterns: Sequence[CallPattern], tool: str) -> int:
    """So many calls of a tool at least: as many patterns as no call can share, taken as they come."""
    apart: list[CallPattern] = []
    for pattern in patterns:
        if pattern.tool == tool and not any(_together(pattern, other) for other in apart):
            apart.append(pattern)
    return len(apart)


def _together(one: CallPattern, other: CallPattern) -> bool:
    """One call can be of both patterns."""
    agree = all(str(other.arguments.get(name, value)) == str(value) for name, value in one.arguments.items())
    return agree and (one.ok is None or other.ok is None or one.ok is other.ok)


def _words(checks: Checks, scenario: Scenario, asked: Asked) -> Iterator[str]:
    rooms = asked.rooms
    for saying in (*checks.must_say, *checks.must_not_say):
        known = rooms.facts.get((saying.subject, saying.name), ())
        if saying.fact and not known:
            yield f"{saying.describe()} never exists; {_names(saying.subject, rooms)}"
        elif known and known[0].kind is FactKind.FLAG:
            yield f"{saying.describe()} is yes or no: give the words instead"
    later = [b.edit.reply_words for b in scenario.beats if b.kind == "harness_edit" and b.after is not None]
    limits = [opening.harness.limits.reply_words for opening in asked.openings]
    most = max([*limits, *(words for words in later if words is not None)], default=None)
    for saying in checks.must_say:
        if saying.phrases and most is not None and min(len(phrase.split()) for phrase in saying.phrases) > most:
            yield f"must_say {saying.describe()} is longer than the {most} words of a reply"
        clash = _clash(saying, (*checks.must_not_say, *asked.forbidden.must_not_say), rooms)
        if clash:
            yield f"must_say {saying.describe()} holds what must_not_say forbids: {clash}"


def _rest(checks: Checks, scenario: Scenario) -> Iterator[str]:
    config = scenario.fault_config
    rates = [rate for table in (config.rates, *config.tools.values()) for rate in table.values()]
    if config.script or config.outages or any(rates):
        return
    if checks.outcome:
        yield "outcome of faults: the scenario has no faults"
    if checks.recover_within_s is not None:
        yield "recover_within_s: the scenario has no faults"


def _covers(rule: CallPattern, pattern: CallPattern) -> bool:
    """Whatever fits ``pattern`` fits ``rule``."""
    if rule.tool != pattern.tool or rule.ok not in (None, pattern.ok):
        return False
    return all(str(pattern.arguments.get(name)) == str(value) for name, value in rule.arguments.items())


def _clash(wanted: Saying, forbidden: Sequence[Saying], rooms: Rooms) -> str:
    """What is forbidden, when every way to say what is wanted holds something of it."""
    same = next((other for other in forbidden if wanted.fact and wanted.fact == other.fact), None)
    if same is not None:
        return same.describe()
    # a value that changes may be another one when the reply is spoken
    banned = [words for other in forbidden if len(_values(other, rooms)) < 2 for words in _all_ways(other, rooms)]
    if not banned:
        return ""
    hits = [next((words for words in banned if holds(way, words)), "") for way in _all_ways(wanted, rooms)]
    return ", ".join(dict.fromkeys(map(repr, hits))) if hits and all(hits) else ""


def _all_ways(saying: Saying, rooms: Rooms) -> list[str]:
    return [*saying.phrases, *(way for fact in _values(saying, rooms) for way in _ways(fact))]


def _values(saying: Saying, rooms: Rooms) -> tuple[Fact, ...]:
    return rooms.facts.get((saying.subject, saying.name), ())


def _ways(fact: Fact) -> tuple[str, ...]:
    shown = forms(fact)
    return tuple(f"{form} yuan" for form in shown) if fact.kind is FactKind.MONEY else shown


def _broken(saying: Saying, scenario: Scenario, rooms: Rooms) -> str:
    """The rule that every phrase breaks under every platform of the scenario that lets an AI speak."""
    platforms = [scenario.platform, *(b.platform for b in scenario.beats if isinstance(b, PlatformChange))]
    laws = [law for law in map(rules.profile, dict.fromkeys(platforms)) if law.autonomous]
    if not saying.phrases or not laws or scenario.expect is None or scenario.expect.breach_points:
        return ""
    found = [
        next((breach.rule for breach in rules.check(phrase, law, rooms.truth, private=rooms.private)), "")
        for phrase in saying.phrases
        for law in laws
    ]
    return found[0] if all(found) else ""


def _names(subject: str, rooms: Rooms) -> str:
    names = [name for whose, name in rooms.facts if whose == subject]
    if names:
        return f"facts of {subject}: {', '.join(names)}"
    kind, _, number = subject.partition(":")
    if kind == "link" and number.isdecimal():
        return rooms.unlisted(int(number))
    return f"subjects: {', '.join(dict.fromkeys(whose for whose, _ in rooms.facts))}"
