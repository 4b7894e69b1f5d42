"""``as_json``: a value as compact JSON, other scripts kept readable; by one encoder, since making one costs time."""

from __future__ import annotations

import json

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def as_json(value: object) -> str:
    """JSON without blanks. Raises TypeError or ValueError for what JSON cannot hold."""
    return _ENCODER.encode(value)
