"""``ParsedCall``: one call as a model wrote it, from JSON of any shape; problems are said, never raised."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass

from livesim.types import JsonValue

MAX_DEPTH = 8
MAX_JSON_CHARS = 20_000

CUT = 'the call was cut off; write it whole, as {"name":"...","arguments":{...}}'
BAD = 'the call is no JSON object; write it as {"name":"...","arguments":{...}}'


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """One call as written.

    Attributes:
        name: the name the model used, ``""`` when there was none.
        arguments: as written, shown names; empty when they could not be read.
        problem: one clause saying what is wrong with the form, ``""`` when nothing is.
        repeated: the same call stands earlier in the same turn.
    """

    name: str
    arguments: Mapping[str, JsonValue]
    problem: str = ""
    repeated: bool = False


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be written and hashed."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def decode(text: str, start: int) -> tuple[JsonValue, int]:
    """The JSON value at ``start`` and the position behind it; ``-1`` when there is none."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError, IndexError):
        return None, -1
    return value, end


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def call_from(value: JsonValue) -> ParsedCall:
    """A call from its JSON object, whatever that is."""
    if not isinstance(value, dict):
        return ParsedCall("", {}, BAD)
    name = value.get("name")
    if not isinstance(name, str) or not name.strip():
        return ParsedCall("", {}, 'the call has no "name"; write {"name":"...","arguments":{...}}')
    name = encodable(name).strip()
    if "arguments" not in value:
        wrong = [key for key in value if key not in ("name", "id", "type")]
        if wrong:
            say = f'the call has no "arguments"; put them under the key "arguments", not {encodable(wrong[0])[:40]!r}'
            return ParsedCall(name, {}, say)
        return ParsedCall(name, {})
    arguments = value["arguments"]
    if isinstance(arguments, str):
        if not arguments.strip():
            return ParsedCall(name, {})
        arguments, end = decode(arguments.strip(), 0)
        if end < 0:
            return ParsedCall(name, {}, 'the "arguments" are no JSON object')
    if arguments is None:
        return ParsedCall(name, {})
    if not isinstance(arguments, dict):
        return ParsedCall(name, {}, '"arguments" must be a JSON object such as {"link":2}')
    if too_deep(arguments):
        return ParsedCall(name, {}, '"arguments" are nested too deeply; give plain values')
    return ParsedCall(
        name, {encodable(key): _clean_value(item) for key, item in arguments.items() if isinstance(key, str)}
    )


def structured_call(item: object) -> ParsedCall:
    """One entry of OpenAI's ``tool_calls``; the flat form without ``function`` is read too."""
    if not isinstance(item, Mapping):
        return ParsedCall("", {}, BAD)
    inner = item.get("function", item)
    if not isinstance(inner, Mapping):
        return ParsedCall("", {}, BAD)
    value = {key: inner[key] for key in inner if isinstance(key, str)}
    if too_deep(value):
        return ParsedCall("", {}, '"arguments" are nested too deeply; give plain values')
    return call_from(value)


def too_deep(value: object) -> bool:
    """More than ``MAX_DEPTH`` layers; found without recursion, so that any depth can be asked about."""
    layer, depth = [value], 0
    while layer:
        depth += 1
        if depth > MAX_DEPTH:
            return True
        inner: list[object] = []
        for item in layer:
            if isinstance(item, Mapping):
                inner.extend(item.values())
            elif isinstance(item, list | tuple):
                inner.extend(item)
        layer = inner
    return False


def _clean_value(value: object) -> JsonValue:
    """Plain JSON with encodable text; depth is already bounded."""
    if isinstance(value, str):
        return encodable(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else "a number too large"
    if isinstance(value, float):
        return value if math.isfinite(value) else "not a number"
    if isinstance(value, Mapping):
        return {encodable(str(key)): _clean_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean_value(item) for item in value]
    return None


def json_text(value: object) -> str:
    """JSON of something unreadable, for the record only."""
    if too_deep(value):
        return "..."
    try:
        return encodable(json.dumps(_clean_value(value), separators=(",", ":"), ensure_ascii=False))[:MAX_JSON_CHARS]
    except ValueError:
        return "..."


def peek_name(text: str, start: int) -> str:
    """The name of a call that could not be read, as far as it can be seen."""
    head = text[start : start + 200]
    key = head.find('"name"')
    if key < 0:
        return ""
    parts = head[key + 6 :].split('"')
    return encodable(parts[1]).strip()[:80] if len(parts) > 2 else ""
