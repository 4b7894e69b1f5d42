"""Requirements that nobody can meet: tools that are not shown, facts that never hold, one rule against another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from livesim.regression.problem import Problem, Severity
from livesim.regression.rooms import Rooms
from livesim.regression.said import forms, holds
from livesim.scenarios.beats import PlatformChange
from livesim.scenarios.expect import CallPattern, Checks, Saying
from livesim.scenarios.script import Scenario
from livesim.world import rules
from rewards.signals import Fact, FactKind


def demands(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    """An error for every requirement that no agent can meet."""
    expect = scenario.expect
    if expect is None:
        return
    for where, checks in (("expect", expect), *((f"request {n}", c) for n, c in sorted(expect.requests.items()))):
        for text in (*_calls(checks, scenario, rooms), *_words(checks, scenario, rooms), *_rest(checks, scenario)):
            yield Problem(Severity.ERROR, where, text)
    count = len(rooms.requests)
    for number in expect.requests:
        if number > count:
            yield Problem(Severity.ERROR, f"request {number}", f"never opens: the stream has {count} requests")
    if expect.answered is not None and expect.answered > count:
        yield Problem(Severity.ERROR, "answered", f"{expect.answered} replies to {count} requests")


def _calls(checks: Checks, scenario: Scenario, rooms: Rooms) -> Iterator[str]:
    for pattern in checks.must_call:
        if pattern.tool not in rooms.tools:
            yield f"must_call {pattern.tool}: the harness {scenario.play.harness!r} does not show it"
        link = pattern.arguments.get("link")
        if link is not None and str(link) not in map(str, rooms.links):
            listed = ", ".join(map(str, rooms.links))
            yield f"must_call {pattern.describe()}: link {link} is not listed; links: {listed}"
        if any(_covers(other, pattern) for other in checks.must_not_call):
            yield f"must_call {pattern.describe()} is forbidden by must_not_call"
    for tool, most in checks.no_more_than.items():
        needed = len([pattern for pattern in checks.must_call if pattern.tool == tool])
        if needed > most:
            yield f"no_more_than {{{tool}: {most}}}, but must_call asks for {needed}"
    for skill in checks.must_load:
        if skill not in rooms.skills:
            yield f"must_load {skill}: the harness has no such skill; skills: {', '.join(rooms.skills)}"
    if checks.handed_off is True and "hand_off" not in rooms.tools:
        yield f"handed_off: the harness {scenario.play.harness!r} does not show hand_off"
    if checks.handed_off is True and any(p.tool == "hand_off" and not p.arguments for p in checks.must_not_call):
        yield "handed_off is true, but must_not_call forbids hand_off"
    if checks.handed_off is False and any(pattern.tool == "hand_off" for pattern in checks.must_call):
        yield "handed_off is false, but must_call asks for hand_off"


def _words(checks: Checks, scenario: Scenario, rooms: Rooms) -> Iterator[str]:
    for saying in (*checks.must_say, *checks.must_not_say):
        known = rooms.facts.get((saying.subject, saying.name), ())
        if saying.fact and not known:
            yield f"{saying.describe()} never exists; facts of {saying.subject}: {_names(saying.subject, rooms)}"
        elif known and known[0].kind is FactKind.FLAG:
            yield f"{saying.describe()} is yes or no: give the words instead"
    most = min((e.reply_words for e in scenario.edits if e.reply_words is not None), default=None)
    limit = rooms.requests[0].sight.limits.reply_words if most is None else most
    for saying in checks.must_say:
        if saying.phrases and min(len(phrase.split()) for phrase in saying.phrases) > limit:
            yield f"must_say {saying.describe()} is longer than the {limit} words of a reply"
        clash = _clash(saying, checks.must_not_say, rooms)
        if clash:
            yield f"must_say {saying.describe()} holds what must_not_say forbids: {clash}"
        broken = _broken(saying, scenario, rooms)
        if broken:
            yield f"must_say {saying.describe()} breaks the platform's rule {broken}"


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
    ways = _all_ways(wanted, rooms)
    banned = [words for other in forbidden for words in _all_ways(other, rooms)]
    hits = [next((words for words in banned if holds(way, words)), "") for way in ways]
    return ", ".join(dict.fromkeys(map(repr, hits))) if hits and all(hits) else ""


def _all_ways(saying: Saying, rooms: Rooms) -> list[str]:
    facts = rooms.facts.get((saying.subject, saying.name), ())
    return [*saying.phrases, *(way for fact in facts for way in _ways(fact))]


def _ways(fact: Fact) -> tuple[str, ...]:
    shown = forms(fact)
    return tuple(f"{form} yuan" for form in shown) if fact.kind is FactKind.MONEY else shown


def _broken(saying: Saying, scenario: Scenario, rooms: Rooms) -> str:
    """The rule that every phrase breaks, under any platform of the scenario that lets an AI speak."""
    platforms = [scenario.platform, *(b.platform for b in scenario.beats if isinstance(b, PlatformChange))]
    laws = [law for law in map(rules.profile, dict.fromkeys(platforms)) if law.autonomous]
    if not saying.phrases or not laws or scenario.expect is None or scenario.expect.breach_points:
        return ""
    truth = tuple(fact for values in rooms.facts.values() for fact in values)
    found = [
        breach.rule
        for phrase in saying.phrases
        for breach in rules.check(phrase, laws[0], truth, private=rooms.private)[:1]
    ]
    return found[0] if len(found) == len(saying.phrases) else ""


def _names(subject: str, rooms: Rooms) -> str:
    names = [name for whose, name in rooms.facts if whose == subject]
    return ", ".join(names) or f"none; subjects: {', '.join(dict.fromkeys(whose for whose, _ in rooms.facts))}"
