"""``Stored``: closed requests as they lie on disk, from records of ``livesim eval`` and from episodes alike."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from livesim.errors import ConfigError
from rewards.signals import Signals
from rewards.stored import restore


@dataclass(frozen=True, slots=True)
class Stored:
    """One request with what was judged of it then.

    Attributes:
        source: file it came from.
        id: of the record, or ``AGENT/SEED/REQUEST`` for an episode.
        signals: what a judge reads.
        heads: values as they were stored.
        reasons: per head, as they were stored.
        total: weighted total as it was stored.
    """

    source: str
    id: str
    signals: Signals
    heads: Mapping[str, float]
    reasons: Mapping[str, tuple[str, ...]]
    total: float


def read_stored(paths: Sequence[Path]) -> list[Stored]:
    """Every scored request of files and folders, the last one of an id and file winning.

    Args:
        paths: ``.jsonl`` files of ``livesim eval``, ``.json`` or ``.jsonl`` files of episodes; of a folder, all
            ``.jsonl`` files in it.

    Raises:
        ConfigError: nothing there, or a line that is neither; names file and line.
    """
    found: dict[tuple[str, str], Stored] = {}
    for path in _files(paths):
        for one in _read(path):
            found[one.source, one.id] = one
    if not found:
        raise ConfigError(f"no stored request in {', '.join(map(str, paths)) or 'nothing'}")
    return list(found.values())


def _files(paths: Sequence[Path]) -> list[Path]:
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            files += sorted(path.rglob("*.jsonl"))
        elif path.is_file():
            files.append(path)
        else:
            raise ConfigError(f"no file or folder {path}")
    return files


def _read(path: Path) -> Iterator[Stored]:
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line.decode("utf-8"))
            rows = list(_rows(data, str(path)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            if number == len(lines) and number > 1:
                return  # no newline after it: the process died while writing
            raise ConfigError(f"{path}, line {number} is no record and no episode: {error}") from None
        yield from rows


def _rows(data: Mapping[str, object], source: str) -> Iterator[Stored]:
    requests = data.get("requests")
    if isinstance(requests, list):
        for request in requests:
            yield _stored(source, f"{data['agent']}/{data['seed']}/{request['request_id']}", request, request["total"])
    elif data["status"] == "ok":
        if data.get("signals") is None:
            raise ValueError("it holds no signals; evaluate again")
        yield _stored(source, str(data["id"]), data, data["reward"])


def _stored(source: str, name: str, data: Mapping[str, object], total: object) -> Stored:
    heads, reasons = data["heads"], data["reasons"]
    if not isinstance(heads, dict) or not isinstance(reasons, dict) or not isinstance(total, (int, float)):
        raise TypeError("heads, reasons or total are of another type")
    return Stored(
        source,
        name,
        restore(Signals, data["signals"]),
        {str(head): float(value) for head, value in heads.items()},
        {str(head): tuple(map(str, why)) for head, why in reasons.items()},
        float(total),
    )
