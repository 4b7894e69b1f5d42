"""``Session``: one request's loop from the first message to the reply, without input or output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from livesim.harness.callform import ParsedCall
from livesim.harness.calls import Bound, bind, find_skill, skill_loader
from livesim.harness.codec import Parsed, parse, render_call, written
from livesim.harness.hooks.check import Attempt, Stage
from livesim.harness.hooks.registry import first_finding, worded
from livesim.harness.prompt import fill, neutralise, openai_tools, request_message, system_prompt
from livesim.harness.state import HarnessState
from livesim.types import JsonValue, Message, Request, RequestEnd, Role, RoomView, Segment, ToolCall, ToolResult, Turn
from rewards.signals import CallError, CallRecord

MAX_CALLS = 8
"""Calls answered per turn; what comes after is refused in one line."""


class OutcomeKind(StrEnum):
    """What a turn came to."""

    SKILL = "skill"  # at least one skill was loaded, nothing is to be called
    CALLS = "calls"  # calls wait for their results: ``give`` must follow
    FEEDBACK = "feedback"  # nothing was done; the model was told why
    REPLY = "reply"  # accepted: speak it
    CLOSED = "closed"  # the request ended without a reply


@dataclass(frozen=True, slots=True)
class Outcome:
    """What ``feed`` made of a turn.

    Attributes:
        kind: see OutcomeKind.
        segment: part of the answer that the turn belongs to.
        calls: canonical calls to make, in order; their results go to ``give`` in the same order.
        bad_calls: calls that never reached a tool.
        skills: canonical ids loaded in this turn.
        reply: what to speak, at REPLY only.
        thought: reasoning of the turn.
        end: set when the request is over.
    """

    kind: OutcomeKind
    segment: Segment
    calls: tuple[ToolCall, ...] = ()
    bad_calls: tuple[CallRecord, ...] = ()
    skills: tuple[str, ...] = ()
    reply: str | None = None
    thought: str = ""
    end: RequestEnd | None = None


class Session:
    """One request under one harness state.

    ``messages`` only grows: what was shown stays as it was. Each turn is answered by exactly one tool message, except
    an accepted reply. Nothing that a model, a viewer or a tool writes makes a method raise.
    """

    def __init__(self, state: HarnessState, request: Request, room: RoomView) -> None:
        self.state = state
        self._messages = [
            Message(Role.SYSTEM, system_prompt(state)),
            Message(Role.USER, request_message(request, room)),
        ]
        self._prompt = "\n".join(message.content for message in self._messages)
        self._lines: list[str | None] = []  # answers to the calls of this turn; None waits for a result
        self._titles = tuple(item.title for item in room.items)
        self._platform = room.platform
        self._earlier: list[str] = []
        self._read: list[str] = []  # skill bodies and results: what may be quoted; feedback is not, it repeats mistakes
        self._turns = 0
        self.skills_loaded: tuple[str, ...] = ()
        self.blocked = 0
        self.unreadable = 0
        self.end: RequestEnd | None = None

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation so far."""
        return tuple(self._messages)

    @property
    def tools(self) -> tuple[dict[str, JsonValue], ...]:
        """The tool views in OpenAI form."""
        return openai_tools(self.state)

    @property
    def rounds_left(self) -> int:
        """Assistant turns that may still come."""
        return 0 if self.end else max(0, self.state.hooks.rounds - self._turns)

    def feed(self, turn: Turn) -> Outcome:
        """Take one assistant turn.

        Raises:
            RuntimeError: results of the turn before were not given (the caller's mistake, never the model's).
        """
        if None in self._lines:
            raise RuntimeError("the calls of the turn before wait for their results: give() them first")
        parsed = parse(turn)
        if self.end is not None:
            return Outcome(OutcomeKind.CLOSED, _segment(parsed), thought=parsed.thought, end=self.end)
        self._turns += 1
        self._messages.append(Message(Role.ASSISTANT, _own(written(turn))))
        unreadable = first_finding(self._attempt(parsed), Stage.TURN)
        if unreadable is not None:
            return self._refuse_unreadable(parsed, unreadable)
        return self._take_calls(parsed) if parsed.calls else self._take_reply(parsed)

    def give(self, results: Sequence[ToolResult]) -> None:
        """Append the results of the calls of the last outcome, in their order, as the turn's one tool message.

        Raises:
            ValueError: another number of results than of calls (the caller's mistake).
        """
        waiting = [at for at, line in enumerate(self._lines) if line is None]
        if len(waiting) != len(results):
            raise ValueError(f"{len(waiting)} calls wait for results, {len(results)} were given")
        for at, result in zip(waiting, results, strict=True):
            content = neutralise(result.content)
            self._lines[at] = content
            self._read.append(content)
        if waiting:
            self._answer("\n".join(line for line in self._lines if line is not None))

    def close(self, end: RequestEnd) -> None:
        """End the request from outside, e.g. when the stream's time is up. Later turns answer CLOSED."""
        self.end = self.end or end
        if None in self._lines:
            self._answer("The request was closed.")

    def _take_calls(self, parsed: Parsed) -> Outcome:
        calls: list[ToolCall] = []
        bad: list[CallRecord] = []
        skills: list[str] = []
        self._lines = []
        for parsed_call in parsed.calls[:MAX_CALLS]:
            refused, line = self._take_call(parsed_call, parsed, calls, skills)
            self._lines.append(line)
            if refused is not None:
                bad.append(refused)
        if len(parsed.calls) > MAX_CALLS:
            problem = f"at most {MAX_CALLS} calls a turn; {len(parsed.calls) - MAX_CALLS} were left out"
            self._lines.append(worded(self.state, "tool_arguments", {"problem": problem}))
            bad.append(CallRecord("", {}, ok=False, error=CallError.EXCESS))
        self._earlier += [render_call(c.name, c.arguments) for c in parsed.calls[:MAX_CALLS] if not c.problem]
        self.skills_loaded += tuple(skills)
        kind = OutcomeKind.CALLS if calls else OutcomeKind.SKILL if skills else OutcomeKind.FEEDBACK
        made = Outcome(kind, Segment.TOOL, tuple(calls), tuple(bad), tuple(skills), thought=parsed.thought)
        if self._turns >= self.state.hooks.rounds:
            # A result could not be used any more, so nothing is called.
            return self._closed(RequestEnd.ROUNDS, Segment.TOOL, parsed, tuple(bad), tuple(skills))
        if not calls:
            self._answer("\n".join(line for line in self._lines if line is not None))
        return made

    def _take_call(
        self, parsed_call: ParsedCall, parsed: Parsed, calls: list[ToolCall], skills: list[str]
    ) -> tuple[CallRecord | None, str | None]:
        """A record when the call was refused, and its answer, None when a tool has to give it."""
        bound = bind(parsed_call, self.state)
        if bound.call is None:
            return bound.record, worded(self.state, "tool_arguments", {"problem": bound.problem})
        stopped = first_finding(self._attempt(parsed, parsed_call, bound.problem), Stage.CALL)
        if stopped is not None:
            return Bound(None, CallError.EXCESS, "", bound.tool, bound.arguments).record, stopped
        loader = skill_loader(self.state)
        if loader is None or bound.tool != loader.canonical:
            calls.append(bound.call)
            return None, None
        skill = find_skill(str(next(iter(bound.call.arguments.values()), "")), self.state)
        if isinstance(skill, str):
            record = Bound(None, CallError.UNKNOWN_SKILL, "", bound.tool, bound.arguments).record
            return record, worded(self.state, "tool_arguments", {"problem": skill})
        skills.append(skill.id)
        body = fill(skill.body.strip(), self.state)
        self._read.append(body)
        return None, body

    def _take_reply(self, parsed: Parsed) -> Outcome:
        blocked = first_finding(self._attempt(parsed), Stage.REPLY)
        if blocked is None:
            self.end = RequestEnd.REPLIED
            return Outcome(
                OutcomeKind.REPLY, Segment.REPLY, reply=parsed.speech, thought=parsed.thought, end=RequestEnd.REPLIED
            )
        self.blocked += 1
        return self._feedback(blocked, Segment.REPLY, parsed)

    def _refuse_unreadable(self, parsed: Parsed, message: str) -> Outcome:
        self.unreadable += 1
        bad = tuple(bind(call, self.state).record for call in parsed.calls[:MAX_CALLS])
        return self._feedback(message, _segment(parsed), parsed, bad)

    def _feedback(self, message: str, segment: Segment, parsed: Parsed, bad: tuple[CallRecord, ...] = ()) -> Outcome:
        self._lines = [message]
        if self.blocked + self.unreadable > self.state.hooks.retries:
            return self._closed(RequestEnd.RETRIES, segment, parsed, bad)
        if self._turns >= self.state.hooks.rounds:
            return self._closed(RequestEnd.ROUNDS, segment, parsed, bad)
        self._answer(message)
        return Outcome(OutcomeKind.FEEDBACK, segment, bad_calls=bad, thought=parsed.thought)

    def _closed(
        self,
        end: RequestEnd,
        segment: Segment,
        parsed: Parsed,
        bad: tuple[CallRecord, ...] = (),
        skills: tuple[str, ...] = (),
    ) -> Outcome:
        self.end = end
        lines = [line for line in self._lines if line is not None]
        self._answer("\n".join([*lines, "The request was closed without a reply."]))
        return Outcome(OutcomeKind.CLOSED, segment, bad_calls=bad, skills=skills, thought=parsed.thought, end=end)

    def _answer(self, content: str) -> None:
        self._lines = []
        self._messages.append(Message(Role.TOOL, content))

    def _attempt(self, parsed: Parsed, call: ParsedCall | None = None, problem: str | None = None) -> Attempt:
        return Attempt(
            parsed,
            self.state,
            call,
            self.skills_loaded,
            prompt=self._prompt,
            results="\n".join(self._read),
            titles=self._titles,
            earlier=tuple(self._earlier),
            problem=problem,
            platform=self._platform,
        )


def _segment(parsed: Parsed) -> Segment:
    return Segment.TOOL if parsed.calls else Segment.REPLY


def _own(text: str) -> str:
    """The model's own text as it stands in the conversation: unchanged, but for marks that would open a role."""
    return (
        text.replace("<|im_start|>", "‹|im_start|›")
        .replace("<|im_end|>", "‹|im_end|›")
        .replace("<|endoftext|>", "‹|endoftext|›")
    )
