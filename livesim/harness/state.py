"""``HarnessState``: skills, hooks, prompt pipeline and tool views, frozen, each with its own content hash."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from rewards.signals import Limits


class SkillKind(StrEnum):
    """What a skill is for."""

    REPLY = "reply"  # at least one must be loaded before a reply
    STRATEGY = "strategy"  # optional: composes special chains


class MessageForm(StrEnum):
    """How hook feedback and call errors are written to the model."""

    TEXT = "text"  # "Your reply was not sent: at most 30 words."
    JSON = "json"  # {"error":"reply_length","message":...}
    CODE = "code"  # "[E12] reply_length: ..."


class ListForm(StrEnum):
    """How skills and tools are listed in the system prompt."""

    PURPOSE_FIRST = "purpose_first"  # - what it is for -> name(arg: type)
    NAME_FIRST = "name_first"  # - name(arg: type): what it is for
    JSON_SCHEMA = "json_schema"  # one JSON object a line, OpenAI form
    TABLE = "table"  # a Markdown table: | what it is for | name(arg: type) |
    SIGNATURE = "signature"  # name(arg: type)  # what it is for


@dataclass(frozen=True, slots=True)
class Skill:
    """A Markdown module: the description is always visible, the body after ``load_skill``.

    Attributes:
        id: canonical id (folder name); never shown, never changed by augmentation.
        name: shown name.
        description: one clause: what it is for.
        kind: reply or strategy.
        body: Markdown; ``{reply_words}`` and ``{address}`` stand for the limits, ``{tool:price_check}`` for the
            shown name of a tool.
        intents: the intents it serves; empty for a noise skill.
    """

    id: str
    name: str
    description: str
    kind: SkillKind
    body: str
    intents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParamView:
    """A parameter as shown: canonical name, shown name, description."""

    canonical: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool as shown.

    ``canonical`` is the tool's name in the toolbox, or ``""`` for a distractor that serves nothing here.
    ``params`` lists every parameter of the tool, in the order shown; ``kinds`` are their JSON types
    (``"integer"``, ``"string"``) in the same order, ``required`` the shown names that must be given.
    """

    canonical: str
    name: str
    description: str
    params: tuple[ParamView, ...] = ()
    kinds: tuple[str, ...] = ()
    required: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """One block of the system prompt: id, heading and text.

    Placeholders: ``{reply_words}``, ``{address}``, ``{rounds}``, ``{tool:NAME}``, ``{param:TOOL.NAME}``,
    ``{skill:ID}``, and, alone in the text of their block, ``{skills}`` and ``{tools}`` for the two lists.
    """

    id: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptPipeline:
    """The ordered blocks of the system prompt and how the lists in it are rendered."""

    blocks: tuple[PromptBlock, ...]
    skill_form: ListForm = ListForm.PURPOSE_FIRST
    tool_form: ListForm = ListForm.PURPOSE_FIRST
    heading: str = "# {}"  # format of a heading, "{}" is its text


@dataclass(frozen=True, slots=True)
class HookSpec:
    """One check that runs: its registered name, its message to the model, its options (sorted pairs)."""

    check: str
    message: str
    options: tuple[tuple[str, int | str | bool], ...] = ()


@dataclass(frozen=True, slots=True)
class HookSet:
    """Which checks run, in which order, the limits they enforce, and how often a turn may be retried.

    Attributes:
        hooks: in order of running.
        limits: numbers and words the prompt, the hooks and the judge all read from here.
        rounds: assistant turns per request.
        retries: blocked replies and unreadable turns per request before it is closed.
        form: how feedback is written.
        exempt: platform -> what does not apply there: a check, or ``check.option`` for one of its switches.
    """

    hooks: tuple[HookSpec, ...]
    limits: Limits = field(default_factory=Limits)
    rounds: int = 8
    retries: int = 2
    form: MessageForm = MessageForm.TEXT
    exempt: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), metadata={"later": True})


@dataclass(frozen=True)
class HarnessState:
    """The whole harness: four parts, versioned apart. Frozen: an edit makes a new state.

    Its hash is worked out once, so that what follows from a state alone can be cached by it (``system_prompt``).

    Attributes:
        name: of the folder it came from.
        skills: everything listed, noise included.
        hooks: checks, limits and retries.
        prompt: the system-prompt pipeline.
        tools: the tool views, in the order shown; one of them has canonical name ``load_skill``.
    """

    name: str
    skills: tuple[Skill, ...]
    hooks: HookSet
    prompt: PromptPipeline
    tools: tuple[ToolView, ...]

    @property
    def limits(self) -> Limits:
        """Limits in force."""
        return self.hooks.limits

    def skills_for(self, intent: str) -> tuple[str, ...]:
        """Canonical ids of the reply skills that serve ``intent``."""
        return tuple(s.id for s in self.skills if s.kind is SkillKind.REPLY and intent in s.intents)

    def strategies_for(self, intent: str) -> tuple[str, ...]:
        """Canonical ids of the strategy skills that fit ``intent``."""
        return tuple(s.id for s in self.skills if s.kind is SkillKind.STRATEGY and intent in s.intents)

    def skill(self, skill_id: str) -> Skill:
        """The skill with this canonical id. Raises KeyError when there is none."""
        for skill in self.skills:
            if skill.id == skill_id:
                return skill
        raise KeyError(skill_id)

    def view(self, canonical: str) -> ToolView | None:
        """The view of a tool, or None when this harness does not show it."""
        return next((v for v in self.tools if v.canonical == canonical), None)

    @cached_property
    def hashes(self) -> dict[str, str]:
        """Content hash of each part (12 hex digits)."""
        parts = {"skills": self.skills, "hooks": self.hooks, "prompt": self.prompt, "tools": self.tools}
        return {name: content_hash(part) for name, part in parts.items()}

    @cached_property
    def hash(self) -> str:
        """Content hash of the whole state; the folder's name is not part of it."""
        return content_hash(self.hashes)

    def __hash__(self) -> int:
        return self._lookup

    def __reduce__(self) -> tuple[type[HarnessState], tuple[object, ...]]:
        return HarnessState, (self.name, self.skills, self.hooks, self.prompt, self.tools)  # what is cached stays here

    @cached_property
    def _lookup(self) -> int:
        """For dictionaries of this process only; it depends on nothing that ``==`` does not compare."""
        return hash((self.name, self.skills, self.hooks, self.prompt, self.tools))


def content_hash(value: object) -> str:
    """First 12 hex digits of the SHA-256 of the canonical JSON of dataclasses, tuples and plain values."""
    return hashlib.sha256(json.dumps(value, default=_plain, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[
        :12
    ]


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: (getattr(value, f.name), f.metadata.get("later")) for f in dataclasses.fields(value)}
        # What a later version added is no part of the hash until it is used: folders keep their hashes.
        return {name: held for name, (held, later) in fields.items() if held or not later}
    raise TypeError(f"no canonical form for {type(value).__name__}")
