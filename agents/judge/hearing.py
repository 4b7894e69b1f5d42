"""``Hearing``: one conversation with the judge about one head, from the case to a verdict; no input or output."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from agents.judge.casefile import CaseFile
from livesim.harness.callform import ParsedCall, decode, encodable
from livesim.harness.calls import bind, find_skill, skill_loader
from livesim.harness.codec import parse
from livesim.harness.hooks.registry import worded
from livesim.harness.prompt import fill, neutralise, system_prompt
from livesim.harness.state import HarnessState
from rewards.verdict import Verdict

ALLOWED: Mapping[str, tuple[float, ...]] = MappingProxyType({"accuracy": (0.0, 1.0), "effectiveness": (0.0, 0.5, 1.0)})
"""Values that a verdict may have, by head."""

MAX_CALLS = 12
"""Look-ups answered per turn."""

MAX_WHY = 200
"""Characters kept of a reason."""


class Hearing:
    """What is said to the judge and by it. Nothing that the judge writes makes a method raise.

    Args:
        state: the judge's own harness.
        head: what is decided.
        case: the request.
    """

    def __init__(self, state: HarnessState, head: str, case: CaseFile) -> None:
        self.head = head
        self.verdict: Verdict | None = None
        self.messages: list[dict[str, str]] = [
            {"role": "system", "content": system_prompt(state)},
            {"role": "user", "content": case.message(head)},
        ]
        self._state = state
        self._case = case
        self._turns = 0
        self._loaded = False

    @property
    def over(self) -> bool:
        """A verdict was given, or the turns are used up without one."""
        return self.verdict is not None or self._turns >= self._state.hooks.rounds

    def feed(self, turn: str) -> None:
        """Take one turn of the judge: look-ups are answered, a verdict ends the hearing, all else is sent back."""
        self._turns += 1
        parsed = parse(turn)
        self.messages.append({"role": "assistant", "content": encodable(turn)})
        if parsed.calls:
            lines = [self._answer(call) for call in parsed.calls[:MAX_CALLS]]
            if len(parsed.calls) > MAX_CALLS:
                lines.append(self._error(f"at most {MAX_CALLS} calls a turn; the others were left out"))
            self._say("\n".join(lines))
            return
        loader = skill_loader(self._state)
        if not self._loaded and loader is not None:
            wanted = {"loader": loader.name, "parameter": next((param.name for param in loader.params), "")}
            self._say(worded(self._state, "skill_required", wanted))
            return
        self.verdict = read_verdict(parsed.speech, self.head)
        if self.verdict is None:
            values = ", ".join(f"{value:g}" for value in ALLOWED[self.head])
            problem = f'write only {{"value":V,"why":"..."}} with V one of {values}'
            self._say(worded(self._state, "input_validity", {"problem": problem}))

    def _answer(self, parsed: ParsedCall) -> str:
        bound = bind(parsed, self._state)
        if bound.call is None:
            return self._error(bound.problem)
        loader = skill_loader(self._state)
        if loader is None or bound.tool != loader.canonical:
            return self._case.answer(bound.call)
        skill = find_skill(str(next(iter(bound.call.arguments.values()), "")), self._state)
        if isinstance(skill, str):
            return self._error(skill)
        self._loaded = self._loaded or skill.id.startswith(self.head)
        return fill(skill.body.strip(), self._state)

    def _error(self, problem: str) -> str:
        return worded(self._state, "tool_arguments", {"problem": problem})

    def _say(self, text: str) -> None:
        # "user", since strict endpoints take the role "tool" only after calls in their own form
        self.messages.append({"role": "user", "content": neutralise(text)})


def read_verdict(text: str, head: str) -> Verdict | None:
    """The last JSON object of the text that has an allowed value, or None.

    Args:
        text: what the judge said beside its reasoning.
        head: ``"accuracy"`` or ``"effectiveness"``, whose values are allowed.
    """
    found: Verdict | None = None
    at = text.find("{")
    while at >= 0:
        data, end = decode(text, at)
        if isinstance(data, dict):
            value = _allowed(data.get("value"), head)
            if value is not None:
                why = encodable(" ".join(str(data.get("why") or "").split())[:MAX_WHY])
                found = Verdict(value, (why,) if why else ())
        at = text.find("{", max(end, at + 1))
    return found


def _allowed(value: object, head: str) -> float | None:
    """The allowed value that a number, or text that spells one, is equal to."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool):
        return None
    return next((allowed for allowed in ALLOWED[head] if value == allowed), None)
