"""Asks a model the prompts and checks its replies: resumable, one JSON line a prompt."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from livesim.errors import CompletionError, ConfigError
from livesim.evaluation.ifeval.checkers import CODE, check
from livesim.evaluation.ifeval.prompts import SHA256, Prompt
from livesim.evaluation.jsonl import LineFile
from livesim.evaluation.records import check_meta
from livesim.types import Conversation, JsonValue

FILE = "ifeval.jsonl"


@dataclass(frozen=True, slots=True)
class Answer:
    """One prompt's reply.

    Attributes:
        id: of the prompt.
        instructions: its kinds.
        strict: which of them the reply follows.
        loose: the same, in the best of eight loose readings.
        reply: what the model wrote.
        error: why there is no reply; such a prompt is not scored.
    """

    id: str
    instructions: tuple[str, ...]
    strict: tuple[bool, ...] = ()
    loose: tuple[bool, ...] = ()
    reply: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """One model on IFEval: its label, its settings, its answers in the order of their ids."""

    label: str
    meta: Mapping[str, JsonValue]
    answers: tuple[Answer, ...]

    @property
    def scored(self) -> tuple[Answer, ...]:
        """Those that got a reply."""
        return tuple(answer for answer in self.answers if not answer.error)

    def check(self, limit: float) -> None:
        """Raise CompletionError when more than ``limit`` (a share) of the prompts got no reply."""
        lost = [answer for answer in self.answers if answer.error]
        if len(lost) > limit * len(self.answers):
            raise CompletionError(
                f"{len(lost)} of {len(self.answers)} prompts of {self.label!r} got no completion (limit {limit:.0%}); "
                f"run the same command again to retry them. First: {lost[0].error}"
            )


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt that waits for its reply, as the user's only message: whatever the template adds is the model's own."""

    prompt: Prompt

    @property
    def messages(self) -> Conversation:
        """The conversation."""
        return [{"role": "user", "content": self.prompt.text}]


class Replying(Protocol):
    """Whoever replies to bare prompts: ``width`` at a time."""

    name: str
    width: int

    def ask(self, asker: Asked) -> None:
        """Ask for the reply to a prompt."""

    def answered(self) -> Sequence[tuple[Asked, str | CompletionError]]:
        """The replies that are there by now, or why there is none; at least one while any is asked for."""


Tick = Callable[[int, int], None]
"""Told of progress: prompts done, prompts in all."""


def ask(
    host: Replying,
    prompts: Sequence[Prompt],
    out: Path,
    *,
    meta: Mapping[str, JsonValue] | None = None,
    tick: Tick = lambda done, total: None,
) -> Answered:
    """Ask what is not on disk yet, ``host.width`` prompts at a time; an answer is on disk as soon as it is there.

    Args:
        host: answers.
        prompts: to ask.
        out: folder for ``ifeval.jsonl`` and ``meta.json``.
        meta: further settings that must agree when it is continued, e.g. the hash of the model.
        tick: told of progress.

    Raises:
        ConfigError: ``out`` holds an evaluation with other settings, or a package cannot be had.
    """
    whole: dict[str, JsonValue] = {
        "label": host.name,
        "suite": "ifeval",
        "prompts": len(prompts),
        "data": SHA256,
        "checkers": str(CODE),
        **(meta or {}),
    }
    check_meta(out / "meta.json", whole)
    file = answer_file(out)
    found = {answer.id: answer for answer in file.read() if not answer.error}
    waiting = [prompt for prompt in reversed(prompts) if prompt.id not in found]
    going = 0
    tick(len(found), len(prompts))
    while waiting or going:
        while waiting and going < host.width:
            host.ask(Asked(waiting.pop()))
            going += 1
        ended = [_answer(asked.prompt, reply) for asked, reply in host.answered()]
        going -= len(ended)
        file.append(ended)
        found.update((answer.id, answer) for answer in ended)
        tick(len(found), len(prompts))
    return Answered(host.name, whole, tuple(found[name] for name in sorted(found)))


def load(out: Path) -> Answered:
    """What ``ask`` left in a folder. Raises ConfigError when there is none."""
    file = answer_file(out)
    try:
        meta = json.loads((out / "meta.json").read_text(encoding="utf-8"))
        label = str(meta["label"])
        if not file.path.exists():
            raise KeyError(FILE)
    except (OSError, ValueError, KeyError, TypeError):
        raise ConfigError(
            f"{out} holds no answers to IFEval; livesim eval --suite ifeval --out {out} makes some"
        ) from None
    return Answered(label, meta, tuple(sorted(file.read(), key=lambda answer: answer.id)))


def answer_file(out: Path) -> LineFile[Answer]:
    """The file of the answers in a folder."""
    return LineFile(out / FILE, _encode, _decode)


def _answer(prompt: Prompt, reply: str | CompletionError) -> Answer:
    if isinstance(reply, CompletionError):
        return Answer(prompt.id, prompt.instructions, error=str(reply))
    verdict = check(prompt, reply)
    return Answer(prompt.id, prompt.instructions, verdict.strict, verdict.loose, reply)


def _encode(answer: Answer) -> str:
    return json.dumps(dataclasses.asdict(answer), ensure_ascii=False)


def _decode(line: str) -> Answer:
    data = json.loads(line)
    return Answer(**{**data, **{name: tuple(data[name]) for name in ("instructions", "strict", "loose")}})
