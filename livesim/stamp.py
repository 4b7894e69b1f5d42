"""The public form of what is in force: what anybody may know of a harness, as plain values and JSON text."""

from __future__ import annotations

import dataclasses
import json
from typing import cast

from livesim.harness.state import HarnessState
from livesim.types import JsonValue


def public(state: HarnessState) -> dict[str, JsonValue]:
    """What anybody may know of the harness: hashes, limits and shown names; never the canonical ones."""
    return {
        "name": state.name,
        "hash": state.hash,
        "hashes": cast(dict[str, JsonValue], dict(state.hashes)),
        "limits": cast(dict[str, JsonValue], dataclasses.asdict(state.limits)),
        "rounds": state.hooks.rounds,
        "retries": state.hooks.retries,
        "skills": [skill.name for skill in state.skills],
        "tools": [view.name for view in state.tools],
    }


def as_json(value: object) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
