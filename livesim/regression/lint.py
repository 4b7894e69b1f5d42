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
    problems = [*_beats(scenario, rooms), *_lines(scenario), *_faults(scenario, rooms)]
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
    for number, beat in enumerate(scenario.beats, start=1):
        why = _unreachable(beat, scenario, rooms) or _idle(number - 1, beat, rooms)
        if why:
            yield Problem(Severity.ERROR, f"beat {number} ({beat.kind})", why)
        elif beat.after is None and scenario.says and beat.at_s > max(line.at_s for line in scenario.says) + 30:
            yield Problem(Severity.WARNING, f"beat {number} ({beat.kind})", "happens long after the last line is said")


def _unreachable(beat: Beat, scenario: Scenario, rooms: Rooms) -> str:
    after = beat.after
    if beat.at_s >= scenario.horizon_s:
        return f"never happens: {beat.at_s:g} s is beyond the horizon of {scenario.horizon_s:g} s"
    if after is None:
        return ""
    if after.tool and after.tool not in rooms.tools:
        return f"never happens: the harness {scenario.play.harness!r} does not show the tool {after.tool!r}"
    for what, number in (("request", after.request), ("reply", after.reply)):
        if number is not None and number > len(rooms.requests):
            return f"never happens: there is no {what} {number}, the stream has {len(rooms.requests)} requests"
    return ""


def _idle(index: int, beat: Beat, rooms: Rooms) -> str:
    if isinstance(beat, SoldOut) and beat.option:
        labels = rooms.options[beat.item - 1]
        if beat.option not in labels:
            return f"item {beat.item} has no option {beat.option!r}; options: {', '.join(labels)}"
    return "changes nothing when it happens" if beat.after is None and index in rooms.idle else ""


def _lines(scenario: Scenario) -> Iterator[Problem]:
    for line in scenario.says:
        where = f"line of {line.viewer} at {line.at_s:g} s"
        if line.at_s >= scenario.horizon_s:
            yield Problem(Severity.ERROR, where, f"is never said: the horizon is {scenario.horizon_s:g} s")
        elif line.at_s + scenario.merge_s >= scenario.horizon_s:
            yield Problem(Severity.ERROR, where, f"is never asked: the stream ends within {scenario.merge_s:g} s")


def _faults(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    for number, outages in enumerate(scenario.fault_config.outages, start=1):
        if outages.tools and not set(outages.tools) & set(rooms.tools):
            why = f"never hit: {scenario.play.harness!r} shows none of {', '.join(outages.tools)}"
            yield Problem(Severity.ERROR, f"outages {number}", why)
    script = scenario.fault_config.script
    for number, fault in enumerate(script, start=1):
        where = f"fault {number} ({fault.tool} {fault.kind})"
        if fault.tool not in rooms.tools:
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
    if one.tool != other.tool or one.call_index is not None or other.call_index is not None:
        return one.tool == other.tool and one.call_index is not None and one.call_index == other.call_index
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
        after = beat.after.describe() if beat.after is not None else ""
        yield Problem(Severity.ERROR, f"beat ({beat.kind})", f"never happened: the oracle's run had no {after}")
    hits = {(c.tool, c.fault) for r in done.episode.requests for c in r.signals.calls if c.fault is not None}
    for fault in scenario.fault_config.script:
        if (fault.tool, fault.kind) not in hits:
            yield Problem(Severity.WARNING, "oracle", f"met no {fault.kind} of {fault.tool}")
