"""Answers given away: what must be said stands already in the prompt, a notice or a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from livesim.regression.problem import Problem, Severity
from livesim.regression.rooms import Rooms
from livesim.regression.said import fact_of, forms, holds
from livesim.scenarios.expect import Saying
from livesim.scenarios.script import Scenario
from rewards.signals import Fact, FactKind

_UNITS = {
    FactKind.MONEY: ("yuan",),
    FactKind.DAYS: ("days", "day"),
    FactKind.HOURS: ("hours", "hour"),
    FactKind.COUNT: ("pieces", "left", "in stock", "months", "minutes"),
}
_POINTER = re.compile(r"link \d+|size \w+", re.I)
"""Words with a digit that only point at something."""


def leaks(scenario: Scenario, rooms: Rooms) -> Iterator[Problem]:
    """An error for every answer that can be copied without looking anything up."""
    expect = scenario.expect
    if expect is None:
        return
    everywhere = list(enumerate(rooms.requests, start=1))
    asked = [(saying, everywhere) for saying in expect.must_say]
    for number, checks in expect.requests.items():
        asked += [(saying, everywhere[number - 1 : number]) for saying in checks.must_say]
    for saying, openings in asked:
        for number, opening in openings:
            found = next((words for words in _answers(saying, opening.truth) if holds(opening.prompt, words)), "")
            if found:
                text = f"{saying.describe()} is given away: {found!r} stands in the prompt of request {number}"
                yield Problem(Severity.ERROR, "must_say", text)


def _answers(saying: Saying, truth: Sequence[Fact]) -> Sequence[str]:
    """Words that hold the answer at this second; greetings and other words without a value are none.

    A value that was true once and is not any more is a trap, no answer; a title only points at its item.
    """
    if not saying.fact:
        return [p for p in saying.phrases if re.search(r"\d", p) and not _POINTER.fullmatch(p.strip())]
    fact = None if saying.name == "title" else fact_of(saying, truth)
    return () if fact is None else _with_units(fact)


def _with_units(fact: Fact) -> list[str]:
    """A bare small number stands everywhere; with its unit it is an answer."""
    units = _UNITS.get(fact.kind, ())
    return [f"{form} {unit}" for form in forms(fact) for unit in units] if units else list(forms(fact))
