"""One line of JSON an episode, appended as it ends; a meta file that keeps two settings from being mixed."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from livesim.errors import ConfigError
from livesim.evaluation.jsonl import LineFile
from livesim.types import JsonValue
from livesim.whole import write_whole
from rewards.recovery import Recovery

FOUR_HEADS = ("accuracy", "effectiveness", "tool_rationality", "skill_selection")


class Status(StrEnum):
    """Whether an episode can be scored."""

    OK = "ok"
    INFRASTRUCTURE_ERROR = "infrastructure_error"  # the provider failed; never a scored zero


@dataclass(frozen=True, slots=True)
class CallLine:
    """A tool call for reading: canonical name, arguments, and what befell it (``""``: nothing)."""

    tool: str
    arguments: Mapping[str, JsonValue]
    ok: bool
    error: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class StepLine:
    """One assistant turn for reading: what the session made of it, and which of ``calls`` it set off."""

    outcome: str
    segment: str
    calls: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One episode of an evaluation.

    Attributes:
        id: of the case.
        suite: name of the suite.
        task: number of the task; the same number is the same stream and viewers in every suite.
        seed: of ``env.reset``.
        dimension: ``"original"``, an HSA dimension or ``"all_five"``.
        variant: its label, ``"original"`` where nothing was changed; cases with the same label met the same harness.
        status: scored or not.
        error: why it could not be scored.
        heads: the four heads and ``length``.
        reasons: of each head.
        reward: weighted total.
        request_end: why the request ended.
        steps: the assistant's turns in order.
        reply: what was spoken, None when nothing was.
        comments: what the viewers wrote.
        intents: what they wanted.
        calls: every tool call in order.
        skills_loaded: canonical ids in order.
        recovery: what became of a fault.
        harness: content hash of the harness in force.
        changes: what augmentation changed, one sentence each.
        draws: what became of the drafts of the harness: proved, refused for what, given up; see ``Variant.count``.
        wall_s: real seconds from the first prompt to the end of the request; not reproducible.
        stream_s: stream seconds from the request to its end.
        messages: the whole conversation.
        signals: what the heads read, as plain values: another judge can score the episode without a replay.
    """

    id: str
    suite: str
    task: int
    seed: int
    dimension: str
    variant: str
    status: Status = Status.OK
    error: str = ""
    heads: Mapping[str, float] = field(default_factory=dict)
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    reward: float = 0.0
    request_end: str = ""
    steps: tuple[StepLine, ...] = ()
    reply: str | None = None
    comments: tuple[str, ...] = ()
    intents: tuple[str, ...] = ()
    calls: tuple[CallLine, ...] = ()
    skills_loaded: tuple[str, ...] = ()
    recovery: Recovery = Recovery.NONE
    harness: str = ""
    changes: tuple[str, ...] = ()
    draws: Mapping[str, int] = field(default_factory=dict)
    wall_s: float = 0.0
    stream_s: float = 0.0
    messages: tuple[Mapping[str, str], ...] = ()
    signals: JsonValue = None

    @property
    def scored(self) -> bool:
        """Whether the episode counts."""
        return self.status is Status.OK

    @property
    def score(self) -> float:
        """100 x mean of accuracy and effectiveness, as in the paper."""
        return 50 * (self.heads["accuracy"] + self.heads["effectiveness"])

    @property
    def strict(self) -> bool:
        """All four heads are full."""
        return all(self.heads[head] >= 1 for head in FOUR_HEADS)


def to_line(record: Record) -> str:
    """The record as one line of JSON, without its newline."""
    return json.dumps(dataclasses.asdict(record), ensure_ascii=False, sort_keys=True)


def from_line(line: str) -> Record:
    """The record of a line that ``to_line`` wrote. Errors as in ``LineFile``."""
    data = json.loads(line)
    return Record(
        **{
            **data,
            "status": Status(data["status"]),
            "recovery": Recovery(data["recovery"]),
            "reasons": {head: tuple(why) for head, why in data["reasons"].items()},
            "calls": tuple(CallLine(**call) for call in data["calls"]),
            "steps": tuple(StepLine(s["outcome"], s["segment"], tuple(s["calls"])) for s in data["steps"]),
            **{name: tuple(data[name]) for name in ("comments", "intents", "skills_loaded", "changes", "messages")},
        }
    )


class RecordFile(LineFile[Record]):
    """The JSONL file of one suite."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, to_line, from_line)


def check_meta(path: Path, meta: Mapping[str, JsonValue]) -> None:
    """Write the settings of a run, or make sure that they are those of the run that is being continued.

    Args:
        path: of the meta file.
        meta: plain settings; every one of them must agree.

    Raises:
        ConfigError: names each setting that differs, with both values.
    """
    if not path.exists():
        write_whole(path, json.dumps(meta, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
        return
    try:
        old = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path} is no JSON ({error}); remove it to start anew") from None
    wrong = _differences(old, json.loads(json.dumps(meta)))
    if wrong:
        raise ConfigError(
            f"{path.parent} holds another evaluation; choose another --out or remove it:\n  " + "\n  ".join(wrong)
        )


def _differences(old: JsonValue, new: JsonValue, path: str = "") -> list[str]:
    """One line for each plain value that differs, with its dotted path."""
    if isinstance(old, dict) and isinstance(new, dict):
        keys = sorted({*old, *new})
        return [line for key in keys for line in _differences(old.get(key), new.get(key), f"{path}.{key}".strip("."))]
    return [] if old == new else [f"{path}: there {old!r}, now {new!r}"]
