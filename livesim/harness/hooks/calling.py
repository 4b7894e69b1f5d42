"""Checks of turns and calls: can the turn be read, do the arguments fit, is it the same call over and over."""

from __future__ import annotations

from types import MappingProxyType

from livesim.harness.calls import bind, quoted
from livesim.harness.codec import render_call
from livesim.harness.hooks.check import Attempt, Check, Finding, Options, Stage


def input_validity(attempt: Attempt, options: Options) -> Finding | None:
    """The turn says something that can be read: a call, or words."""
    parsed = attempt.parsed
    if any(not call.problem for call in parsed.calls):
        return None
    if parsed.calls:
        return {"problem": parsed.calls[0].problem}
    if not parsed.speech:
        return {"problem": "the turn was cut off" if parsed.truncated else "the turn is empty; call a tool or reply"}
    if len(parsed.speech) > int(options["max_chars"]):
        return {"problem": f"the turn is longer than {options['max_chars']} characters"}
    return None


def tool_arguments(attempt: Attempt, options: Options) -> Finding | None:
    """The call names a listed tool and gives it what it takes."""
    if attempt.call is None:
        return None
    problem = bind(attempt.call, attempt.state).problem if attempt.problem is None else attempt.problem
    return {"problem": problem} if problem else None


def retry_control(attempt: Attempt, options: Options) -> Finding | None:
    """The same call with the same arguments is not made again and again within a request."""
    if attempt.call is None or attempt.call.problem:
        return None
    times = attempt.earlier.count(render_call(attempt.call.name, attempt.call.arguments))
    if times < int(options["same_call"]):
        return None
    return {"tool": quoted(attempt.call.name), "times": str(times)}


CALLING = (
    Check(
        "input_validity",
        10,
        Stage.TURN,
        input_validity,
        "Unreadable: {problem}.",
        MappingProxyType({"max_chars": 4000}),
        ("problem",),
        always=True,
    ),
    Check("tool_arguments", 11, Stage.CALL, tool_arguments, "{problem}", places=("problem",), always=True),
    Check(
        "retry_control",
        12,
        Stage.CALL,
        retry_control,
        "{tool} was already called {times} times like this; use what you know or say that you can't check it now.",
        MappingProxyType({"same_call": 2}),
        ("tool", "times"),
    ),
)
