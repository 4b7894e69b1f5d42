"""Text or OpenAI message to thought, speech and calls, and a call back to text; nothing in a turn can make it raise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from livesim.harness.callform import (
    BAD,
    CUT,
    ParsedCall,
    call_from,
    decode,
    encodable,
    json_text,
    peek_name,
    structured_call,
)
from livesim.jsontext import as_json
from livesim.types import JsonValue, Turn

OPEN, CLOSE = "<tool_call>", "</tool_call>"
THINK, UNTHINK = "<think>", "</think>"
END_MARKS = ("<|im_end|>", "<|endoftext|>")
MAX_TURN_CHARS = 200_000


@dataclass(frozen=True, slots=True)
class Parsed:
    """A turn taken apart.

    Attributes:
        thought: everything between ``<think>`` and ``</think>``.
        speech: what is left beside thought and calls; only a turn without calls speaks it.
        calls: in the order written.
        truncated: a thought or a call was opened and never finished.
    """

    thought: str
    speech: str
    calls: tuple[ParsedCall, ...] = ()
    truncated: bool = False


def render_call(name: str, arguments: Mapping[str, JsonValue]) -> str:
    """The one way a call is written: compact JSON between the two marks."""
    body = as_json({"name": name, "arguments": dict(arguments)})
    return f"{OPEN}{body}{CLOSE}"


def parse(turn: Turn) -> Parsed:
    """A turn as thought, speech and calls.

    Args:
        turn: raw completion text, or an OpenAI-style message (``content``, ``reasoning_content``, ``tool_calls``).

    Returns:
        Always something; what could not be read is a call with a ``problem``.
    """
    if isinstance(turn, str):
        parsed = _Scan(clean(turn)).run()
    elif isinstance(turn, Mapping):
        parsed = _Scan(_content(turn)).run()
        thought = clean(turn.get("reasoning_content")) or clean(turn.get("reasoning"))
        parsed = replace(
            parsed,
            thought="\n".join(part for part in (thought.strip(), parsed.thought) if part),
            calls=parsed.calls + _structured(turn.get("tool_calls")),
        )
    else:
        parsed = Parsed("", "")
    return parsed if len(parsed.calls) < 2 else replace(parsed, calls=_mark_repeated(parsed.calls))


def written(turn: Turn) -> str:
    """The turn as the text that stands in the conversation; text turns stay as they are."""
    if isinstance(turn, str):
        return clean(turn)
    if not isinstance(turn, Mapping):
        return ""
    thought = clean(turn.get("reasoning_content")) or clean(turn.get("reasoning"))
    parts = [f"{THINK}{thought}{UNTHINK}" if thought else "", _content(turn)]
    for item in _as_list(turn.get("tool_calls")):
        call = structured_call(item)
        parts.append(render_call(call.name, call.arguments) if not call.problem else f"{OPEN}{json_text(item)}{CLOSE}")
    return "\n".join(part for part in parts if part)


def kept(turn: Turn) -> str:
    """The turn for a record: text as it came, a message as JSON; what cannot be written or is no JSON is replaced."""
    if isinstance(turn, str):
        return encodable(turn)
    try:
        return encodable(json.dumps(turn, ensure_ascii=False, default=str))
    except (TypeError, ValueError, RecursionError):  # keys that are no text, a ring, a depth without end
        return written(turn)


def clean(text: object) -> str:
    """Text that can be encoded, without the end marks a completion may carry; ``""`` for anything but text."""
    if not isinstance(text, str):
        return ""
    text = encodable(text[:MAX_TURN_CHARS])
    while True:
        bare = text.rstrip()
        mark = next((m for m in END_MARKS if bare.endswith(m)), None)
        if mark is None:
            return text
        text = bare[: -len(mark)]


class _Scan:
    """One pass over the text, left to right, so that a mark inside a JSON string or a thought means nothing."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.thought: list[str] = []
        self.speech: list[str] = []
        self.calls: list[ParsedCall] = []
        self.truncated = False
        self.close_at = -2  # last closing mark looked up; -1: none is left, so that odd texts stay linear

    def run(self) -> Parsed:
        while self.at < len(self.text):
            mark, where = self._next_mark()
            self.speech.append(self.text[self.at : where])
            self.at = where + len(mark)
            if mark == THINK:
                self._think()
            elif mark == UNTHINK:  # opened by the prompt's template: all before it was thought, calls included
                self.thought.append("".join(self.speech))
                self.speech.clear()
                self.calls.clear()
            elif mark == OPEN:
                self._call()
        return Parsed(
            thought="\n".join(t for t in (part.strip() for part in self.thought) if t),
            speech="".join(self.speech).strip(),
            calls=tuple(self.calls),
            truncated=self.truncated,
        )

    def _next_mark(self) -> tuple[str, int]:
        at = self.text.find("<", self.at)
        while at >= 0:
            for mark in (OPEN, THINK, UNTHINK):
                if self.text.startswith(mark, at):
                    return mark, at
            at = self.text.find("<", at + 1)
        return "", len(self.text)

    def _think(self) -> None:
        end = self.text.find(UNTHINK, self.at)
        if end < 0:
            self.truncated = True
            end = len(self.text)
        self.thought.append(self.text[self.at : end])
        self.at = min(len(self.text), end + len(UNTHINK))

    def _call(self) -> None:
        start = self.at
        while start < len(self.text) and self.text[start].isspace():
            start += 1
        value, end = decode(self.text, start)
        if end >= 0:
            self.calls.append(call_from(value))
            rest = end
            while rest < len(self.text) and self.text[rest].isspace():
                rest += 1
            self.at = rest + len(CLOSE) if self.text.startswith(CLOSE, rest) else end
            return
        close = self._find_close(start)
        again = self.text.find(OPEN, start) if close >= 0 else -1
        if close < 0:
            self.truncated = True
            self.calls.append(ParsedCall(peek_name(self.text, start), {}, CUT))
            self.at = len(self.text)
        elif 0 <= again < close:
            self.calls.append(ParsedCall(peek_name(self.text, start), {}, BAD))
            self.at = again
        else:
            self.calls.append(ParsedCall(peek_name(self.text, start), {}, BAD))
            self.at = close + len(CLOSE)

    def _find_close(self, start: int) -> int:
        if self.close_at != -1 and self.close_at < start:
            self.close_at = self.text.find(CLOSE, start)
        return self.close_at


def _structured(calls: object) -> tuple[ParsedCall, ...]:
    return tuple(structured_call(item) for item in _as_list(calls))


def _as_list(value: object) -> list[object]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _content(turn: Mapping[str, JsonValue]) -> str:
    """Text of a message whose content is text or a list of parts."""
    content = turn.get("content")
    if isinstance(content, list):
        texts = [part.get("text") if isinstance(part, dict) else part for part in content]
        content = "".join(text for text in texts if isinstance(text, str))
    return clean(content)


def _mark_repeated(calls: tuple[ParsedCall, ...]) -> tuple[ParsedCall, ...]:
    seen: set[str] = set()
    marked = []
    for call in calls:
        key = "" if call.problem else json_text({"name": call.name, "arguments": dict(call.arguments)})
        marked.append(replace(call, repeated=True) if key in seen and key else call)
        seen.add(key)
    return tuple(marked)
