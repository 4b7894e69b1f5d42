"""The linter of scenarios: beats that never happen, requirements that nobody can meet, answers given away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from livesim.errors import LiveSimError
from livesim.regression.demands import demands
from livesim.regression.leaks import leaks
from livesim.regression.play import rehearse
from livesim.regression.problem import Problem, Severity
from livesim.regression.rooms import Rooms, walk
from livesim.regression.said import holds
from livesim.scenarios import library
from livesim.scenarios.beats import Beat, SoldOut
from livesim.scenarios.script import Scenario
from livesim.tools.damage import AGEING
from livesim.tools.faults import ScriptedFault
from livesim.types import Agent
from rewards.signals import FaultKind


def lint(scenario: Scenario, oracle: Callable[[], Agent] | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with a scenario.

    Args:
        scenario: as loaded; its own harness and seed count.
        oracle: makes the agent that must pass it; None: it is not played.
    """
    if scenario.expect is None:
        return (Problem(Severity.WARNING, "expect", "nothing is expected: this is a room, not a test"),)
    try:
        rooms = walk(scenario)
    except LiveSimError as error:
        return (Problem(Severity.ERROR, "scenario", str(error)),)
    problems = [*_beats(scenario, rooms), *_lines(scenario, rooms), *_faults(scenario, rooms)]
    problems += [*demands(scenario, rooms), *leaks(scenario, rooms)]
    errors = any(problem.severity is Severity.ERROR for problem in problems)
    if oracle is not None and not errors:
        problems += _played(scenario, oracle())
    return tuple(problems)


def lint_file(path: Path | str, oracle: Callable[[], Agent] | None = None) -> tuple[Problem, ...]:
    """The same for a file or a name; what keeps it from loading is a problem too."""
    try:
        scenario = library.load(path)
    except LiveSimError as error:
        return (Problem(Severity.ERROR, "file", str(error)),)
    return lint(scenario, oracle)


def _beats(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    spoken_s = max((line.at_s for line in scenario.says), default=scenario.horizon_s)
    beats = scenario.beats
    awaited = [beat for beat in beats if beat.after is not None]
    # what waits for a call or a reply may happen first, and leave something to change
    kinds, items = {beat.kind for beat in awaited}, {beat.item for beat in awaited}
    idle = {place for place in rooms.idle if beats[place].kind not in kinds and beats[place].item not in items}
    for number, beat in enumerate(beats, start=1):
        where = f"beat {number} ({beat.kind})"
        if why := _unreachable(beat, scenario, rooms) or _no_option(beat, rooms):
            yield Problem(Severity.ERROR, where, why)
        elif beat.after is None and number - 1 in idle:
            yield Problem(Severity.ERROR, where, "changes nothing when it happens")
        elif beat.after is None and beat.at_s > spoken_s + 30:
            yield Problem(Severity.WARNING, where, "happens long after the last line is said")
        elif beat.after is not None and max(beat.after.reply or 0, beat.after.request or 0) > len(rooms.requests):
            text = f"may never happen: waits for {beat.after.describe()}, {rooms.seen}"
            yield Problem(Severity.WARNING, where, text)


def _unreachable(beat: Beat, scenario: Scenario, rooms: Rooms) -> str:
    after = beat.after
    if beat.at_s >= scenario.horizon_s:
        return f"never happens: {beat.at_s:g} s is beyond the horizon of {scenario.horizon_s:g} s"
    if after is None:
        return ""
    if after.tool and after.tool not in rooms.tools:
        return f"never happens: the harness {scenario.play.harness!r} does not show the tool {after.tool!r}"
    number = after.reply or after.request
    if number is None or not rooms.settled:
        return ""
    if number > len(rooms.requests):
        what = after.describe().split()[0]
        return f"never happens: there is no {what} {number}, {rooms.seen}"
    earliest_s = rooms.requests[number - 1].request.opened_s + beat.at_s
    if earliest_s >= scenario.horizon_s:
        text = f"never happens: {beat.at_s:g} s after {after.describe()} is {earliest_s:g} s at the earliest"
        return f"{text}, beyond the horizon of {scenario.horizon_s:g} s"
    return ""


def _no_option(beat: Beat, rooms: Rooms) -> str:
    if not isinstance(beat, SoldOut) or not beat.option or beat.option in rooms.options[beat.item - 1]:
        return ""
    labels = ", ".join(rooms.options[beat.item - 1])
    return f"item {beat.item} has no option {beat.option!r}; options: {labels}"


def _lines(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    last_s = max(opening.request.opened_s for opening in rooms.requests)
    for line in scenario.says:
        where = f"line of {line.viewer} at {line.at_s:g} s"
        if line.at_s >= scenario.horizon_s:
            yield Problem(Severity.ERROR, where, f"is never said: the horizon is {scenario.horizon_s:g} s")
        elif line.at_s + scenario.merge_s >= scenario.horizon_s and line.at_s > last_s:
            yield Problem(Severity.ERROR, where, f"is never asked: the stream ends within {scenario.merge_s:g} s")
        for want in (line, *line.more):
            meant = scenario.catalog.goods and holds(line.text, f"link {want.link}")  # a test of just that
            if want.link is not None and want.link not in rooms.links and not meant:
                yield Problem(Severity.WARNING, where, rooms.unlisted(want.link))


def _faults(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    for number, outages in enumerate(scenario.fault_config.outages, start=1):
        if outages.tools and not set(outages.tools) & set(rooms.tools):
            why = f"never hit: {scenario.play.harness!r} shows none of {', '.join(outages.tools)}"
            yield Problem(Severity.ERROR, f"outages {number}", why)
    script = scenario.fault_config.script
    tools = frozenset(rooms.tools)
    for number, fault in enumerate(script, start=1):
        where = f"fault {number} ({fault.tool} {fault.kind})"
        if fault.tool not in tools:
            yield Problem(Severity.ERROR, where, f"never hits: {scenario.play.harness!r} does not show this tool")
        elif fault.from_s >= scenario.horizon_s:
            yield Problem(Severity.ERROR, where, f"never hits: it begins beyond {scenario.horizon_s:g} s")
        elif fault.to_s is not None and fault.to_s <= fault.from_s:
            yield Problem(Severity.ERROR, where, "never hits: it ends before it begins")
        elif fault.kind in (FaultKind.STALE, FaultKind.CONTRADICTION) and fault.tool not in AGEING:
            text = f"never hits: what {fault.tool} says does not change; tools that age: {', '.join(sorted(AGEING))}"
            yield Problem(Severity.ERROR, where, text)
        else:
            first = next((n for n, other in enumerate(script[: number - 1], start=1) if _covers(other, fault)), None)
            if first is not None:
                yield Problem(Severity.ERROR, where, f"never hits: fault {first} takes the same calls before it")


def _covers(one: ScriptedFault, other: ScriptedFault) -> bool:
    """Every call that ``other`` would hit is hit by ``one`` already."""
    if one.tool != other.tool:
        return False
    if one.call_index is not None:
        return one.call_index == other.call_index
    if other.call_index is not None:  # its second is not known
        return one.from_s == 0 and one.to_s is None
    return one.from_s <= other.from_s and (one.to_s is None or (other.to_s is not None and other.to_s <= one.to_s))


def _played(scenario: Scenario, agent: Agent) -> Iterator[Problem]:
    """What a run of the oracle shows: lines that it fails, beats and faults that it never met."""
    try:
        done = rehearse(scenario, agent)
    except LiveSimError as error:
        yield Problem(Severity.ERROR, "oracle", str(error))
        return
    for line in done.lines:
        if not line.passed:
            yield Problem(Severity.ERROR, "oracle", str(line))
    for beat in done.waiting:
        if beat.after is not None:  # other agents may call what the oracle has no need to call
            severity = Severity.WARNING if beat.after.tool else Severity.ERROR
            text = f"never happened: the oracle's run had no {beat.after.describe()}"
            yield Problem(severity, f"beat ({beat.kind})", text)
    hits = {(c.tool, c.fault) for r in done.episode.requests for c in r.signals.calls if c.fault is not None}
    for fault in scenario.fault_config.script:
        if (fault.tool, fault.kind) not in hits:
            yield Problem(Severity.WARNING, "oracle", f"met no {fault.kind} of {fault.tool}")
