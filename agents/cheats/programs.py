"""Call programs: what a policy may call before it speaks, from the right look-ups to nonsense of every kind."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.faults import PRESETS, FaultInjector
from livesim.tools.shop import ShopView
from livesim.tools.toolbox import Toolbox
from livesim.types import JsonValue, ToolCall
from rewards.signals import CallRecord, Need, PlannedCall, Signals

RIGHT = "right"
"""In place of a tool: every call of the honest run, as it went."""

NEEDED = "needed"
"""In place of a tool: that of the first needed call."""

TOOLS = (RIGHT, NEEDED, *(name for name in SPECS if name != LOAD_SKILL), "weather")
LINKS = ("mine", "other", "unlisted", "word")
VALUES = ("asked", "empty", "other", "nonsense")
"""What the arguments beside the link are: the viewer's, none, lawful ones of something else, none that exist."""

MOST = 4
"""Steps of a program at most."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a program (all honest ones where ``tool`` is ``RIGHT``), filled in request by request."""

    tool: str
    link: str = "mine"
    values: str = "asked"


Program = tuple[Step, ...]
"""Steps in order; ``()`` calls nothing."""

HONEST: Program = (Step(RIGHT),)


def drawn(rng: np.random.Generator) -> Program:
    """A random program of up to ``MOST`` steps, none included."""
    return tuple(_step(rng) for _ in range(int(rng.integers(MOST + 1))))


def mutated(program: Program, rng: np.random.Generator) -> Program:
    """The program with a step added, taken away, moved, repeated or changed."""
    steps = list(program)
    kind = int(rng.integers(5))
    at = int(rng.integers(len(steps))) if steps else 0
    if kind == 0 or not steps:
        steps.insert(at, _step(rng))
    elif kind == 1:
        del steps[at]
    elif kind == 2:
        steps.insert(int(rng.integers(len(steps))), steps.pop(at))
    elif kind == 3:
        steps.append(steps[at])
    else:
        steps[at] = dataclasses.replace(steps[at], **_part(rng))
    return tuple(steps[:MOST])


def performed(program: Program, shop: ShopView, signals: Signals) -> tuple[CallRecord, ...]:
    """The calls as they would have gone in the shop of that second, without faults.

    Args:
        program: what is called.
        shop: as the honest run left it; it stays as it is.
        signals: of the honest run.
    """
    copy = dataclasses.replace(shop, pushed=list(shop.pushed), handoffs=list(shop.handoffs))
    toolbox, calm = Toolbox(), FaultInjector(PRESETS["none"], 0)
    records: list[CallRecord] = []
    for step in program:
        if step.tool == RIGHT:
            records += signals.calls
            continue
        call = _call(step, shop, signals)
        result = toolbox.call(call, copy, calm)
        arguments = {name: value if isinstance(value, int) else str(value) for name, value in call.arguments.items()}
        records.append(
            CallRecord(call.tool, arguments, result.ok, result.error, None, result.facts, mutates=result.mutates)
        )
    return tuple(records)


def informed(records: Sequence[CallRecord], needs: Sequence[Need]) -> bool:
    """The calls stated facts that are enough for each need about facts."""
    told = {(fact.subject, fact.name) for call in records for fact in call.facts}
    return all(
        any(all((ref.subject, ref.name) in told for ref in refs) for refs in need.facts) for need in needs if need.facts
    )


def _step(rng: np.random.Generator) -> Step:
    part = {**_any(rng, "tool"), **_any(rng, "link"), **_any(rng, "values")}
    if rng.random() < 0.5:  # half of the steps are near the truth, or most programs would be plain noise
        part |= {"tool": (RIGHT, NEEDED)[int(rng.integers(2))], "link": "mine"}
    return Step(**part)


_POOLS = {"tool": TOOLS, "link": LINKS, "values": VALUES}


def _any(rng: np.random.Generator, name: str) -> dict[str, str]:
    pool = _POOLS[name]
    return {name: pool[int(rng.integers(len(pool)))]}


def _part(rng: np.random.Generator) -> dict[str, str]:
    return _any(rng, tuple(_POOLS)[int(rng.integers(len(_POOLS)))])


def _call(step: Step, shop: ShopView, signals: Signals) -> ToolCall:
    need = next((need for need in signals.needs if any(need.plans)), signals.needs[0])
    planned = next((plan[0] for plan in need.plans if plan), PlannedCall("product_info"))
    tool = planned.tool if step.tool == NEEDED else step.tool
    mine = need.subject.partition(":")[2] if need.subject.startswith("link:") else str(shop.catalog.links[0])
    others = [link for link in shop.catalog.links if str(link) != mine]
    links: dict[str, JsonValue] = {"mine": int(mine), "other": (others or [1])[0], "unlisted": 9999, "word": "two"}
    values = {"link": links[step.link], **_values(step.values, need, planned, signals)}
    names = SPECS[tool].arguments.model_fields if tool in SPECS else values
    return ToolCall(tool, {name: values[name] for name in names if name in values}, tool)


_OTHER: dict[str, JsonValue] = {"quantity": 7, "height_cm": 190, "weight_kg": 95, "order": "A1", "reason": "-"}
_NONSENSE: dict[str, JsonValue] = {**_OTHER, "quantity": -1, "height_cm": 0, "option": "qwertz", "topic": "qwertz"}


def _values(kind: str, need: Need, planned: PlannedCall, signals: Signals) -> dict[str, JsonValue]:
    """Arguments beside the link."""
    if kind == "empty":
        return {"reason": "-"}
    if kind == "nonsense":
        return dict(_NONSENSE)
    wanted = [ref.name for refs in need.facts for ref in refs]
    if kind == "other":
        names = [fact.name for fact in signals.truth if fact.subject == need.subject and fact.name not in wanted]
        return {**_OTHER, "option": _detail(names, "stock:"), "topic": _detail(names, "attr:")}
    fixed = {name: value for name, value in planned.arguments.items() if value is not None and name != "link"}
    return {**_OTHER, "quantity": 1, "option": _detail(wanted, "stock:"), "topic": _detail(wanted, "attr:"), **fixed}


def _detail(names: Sequence[str], family: str) -> str:
    return next((name.removeprefix(family) for name in names if name.startswith(family)), "")
