"""Values in hydra's override grammar."""

from __future__ import annotations

import json

Overrides = list[str]


def literal(value: object) -> str:
    """A value in hydra's override grammar."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(literal(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, str) and value and (_reads_as_another(value) or not _plain(value)):
        return json.dumps(value)
    return str(value)


def overrides(pairs: dict[str, object]) -> Overrides:
    """``key=value`` texts; a key that begins with ``+`` is new to verl's yaml."""
    return [f"{key}={literal(value)}" for key, value in pairs.items()]


def _plain(text: str) -> bool:
    return text.replace("_", "").replace(".", "").isalnum()


def _reads_as_another(text: str) -> bool:
    """Whether hydra would take a text for a number, a truth value or nothing: ``"1"``, ``"true"``."""
    try:
        float(text)
    except ValueError:
        return text.lower() in ("true", "false", "null")
    return True
