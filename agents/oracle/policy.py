"""``OracleAgent``: loads the fewest right skills, makes the planned calls, recovers, replies from what it heard."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from agents.oracle.calls import Standing, merged, progress, told
from agents.oracle.slips import Slip, draw, misspelt
from agents.oracle.wording import Speaker
from livesim.harness.codec import render_call
from livesim.harness.state import SkillKind, ToolView
from livesim.seeding import stream
from livesim.sight import Sight
from livesim.tools.builtin import LOAD_SKILL
from livesim.types import Intent, JsonValue, Turn
from rewards.signals import PlannedCall

LOADS = 2
"""Times one skill load is tried."""

_REASONS = (
    "after-sales question about an order",
    "viewer has a problem with an order",
    "order issue needs a colleague",
    "complaint about an order",
    "refund or delivery question",
)


class OracleAgent:
    """The teacher. Works under any harness variant, since it reads the shown names from the views.

    Args:
        mistakes: chance, per request, of one slip before the right way (a misspelt skill, tool or parameter, or a
            reply before any skill was loaded), in [0, 1]; such episodes show how to recover.
        name: for tables.
        plain: one wording for each fact, items by link: the least that a very small model has to learn.
    """

    sighted = True

    def __init__(self, mistakes: float = 0.0, name: str = "oracle", *, plain: bool = False) -> None:
        if not 0.0 <= mistakes <= 1.0:
            raise ValueError(f"mistakes must lie in [0, 1], got {mistakes}")
        self.name = name
        self.mistakes = mistakes
        self.plain = plain
        self._seed = 0
        self._sight: Sight | None = None
        self._slip = Slip.NONE
        self._open("")

    def reset(self, seed: int) -> None:
        """Draw wordings from this seed."""
        self._seed = seed
        self._sight = None
        self._open("")

    def see(self, sight: Sight) -> None:
        """Look at the hidden half of the open request; called before each turn."""
        if self._sight is None or sight.request_id != self._sight.request_id:
            self._open(sight.request_id)
        self._sight = sight

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The next turn. Raises RuntimeError when it was not allowed to see."""
        if self._sight is None:
            raise RuntimeError("the oracle plays with sight: call see(env.unwrapped.sight()) before each turn")
        sight = self._sight
        if sight.rounds_left <= 1:
            return self._reply(sight)
        if self._slip is Slip.EARLY_REPLY and not sight.skills_loaded:
            self._slip = Slip.NONE
            return self._reply(sight)
        loads = self._loads(sight)
        if loads:
            return "\n".join(loads)
        calls = merged(progress(need, sight) for need in sight.needs)
        if calls:
            return "\n".join(self._call(sight, call) for call in calls)
        return self._reply(sight)

    def _open(self, request_id: str) -> None:
        self._rng: np.random.Generator = stream(self._seed, "oracle", request_id)
        self._speaker = Speaker(self._rng, plain=self.plain)
        self._loaded: dict[str, int] = {}
        self._slip = draw(self._rng, self.mistakes)

    def _loads(self, sight: Sight) -> list[str]:
        """Calls that load what is still missing."""
        view = sight.harness.view(LOAD_SKILL)
        if view is None or not view.params:
            return []
        wanted = [s for s in fewest_skills(sight) if s not in sight.skills_loaded and self._loaded.get(s, 0) < LOADS]
        calls = []
        for skill in wanted:
            name = sight.harness.skill(skill).name
            if self._slip is Slip.SKILL_NAME:
                name, self._slip = misspelt(name, skill, self._rng), Slip.NONE
            else:
                self._loaded[skill] = self._loaded.get(skill, 0) + 1
            calls.append(render_call(view.name, {view.params[0].name: name}))
        return calls

    def _call(self, sight: Sight, call: PlannedCall) -> str:
        view = sight.harness.view(call.tool)
        if view is None:
            raise RuntimeError(f"the plan names {call.tool}, which this harness does not show")
        arguments = self._arguments(call, view)
        name = view.name
        if self._slip is Slip.TOOL_NAME:
            name, self._slip = misspelt(name, call.tool, self._rng), Slip.NONE
        elif self._slip is Slip.PARAMETER and arguments:
            first = next(iter(arguments))
            canonical = next((p.canonical for p in view.params if p.name == first), first)
            wrong = misspelt(first, canonical, self._rng)
            arguments = {wrong if key == first else key: value for key, value in arguments.items()}
            self._slip = Slip.NONE
        return render_call(name, arguments)

    def _arguments(self, call: PlannedCall, view: ToolView) -> dict[str, JsonValue]:
        """Shown names with the planned values, in the order shown; where any value will do, one is drawn."""
        shown: dict[str, JsonValue] = {}
        for param in view.params:
            if param.canonical not in call.arguments:
                continue
            value = call.arguments[param.canonical]
            shown[param.name] = self._any(param.canonical) if value is None else value
        return shown

    def _any(self, parameter: str) -> str:
        if parameter == "reason":
            return _REASONS[int(self._rng.integers(len(_REASONS)))]
        return "material"

    def _reply(self, sight: Sight) -> str:
        served = [progress(need, sight).standing is Standing.SERVED for need in sight.needs]
        return self._speaker.reply(sight, told(sight), served, bare=sight.blocked > 0)


def fewest_skills(sight: Sight) -> tuple[str, ...]:
    """The smallest set of reply skills that serves every intent that can be served, in the harness's order.

    When none serves any of them, one reply skill all the same, since no reply is sent without.
    """
    options = [set(skills) for _, skills in sight.skill_options if skills]
    replies = [skill.id for skill in sight.harness.skills if skill.kind is SkillKind.REPLY]
    if not options:
        social = sight.harness.skills_for(Intent.CHITCHAT) or tuple(replies)
        return social[:1]
    useful = [skill for skill in replies if any(skill in option for option in options)]
    for size in range(1, len(useful) + 1):
        for chosen in itertools.combinations(useful, size):
            if all(option & set(chosen) for option in options):
                return chosen
    return tuple(useful)
