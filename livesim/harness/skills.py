"""``SKILL.md`` to a skill and back: YAML front matter is always visible, ``load_skill`` shows the Markdown below it."""

from __future__ import annotations

from enum import StrEnum

import yaml
from pydantic import Field, ValidationError

from livesim.config import StrictModel, parse
from livesim.errors import ConfigError, HarnessError
from livesim.harness.state import Skill, SkillKind
from livesim.types import Intent


class SkillMetadata(StrictModel):
    """The part of the front matter that the public convention leaves to the application.

    Attributes:
        kind: reply (one is required before a reply) or strategy (optional).
        intents: which wishes of a viewer it serves; empty for none.
    """

    kind: SkillKind
    intents: tuple[Intent, ...] = ()


class SkillHeader(StrictModel):
    """Front matter of a SKILL.md.

    Attributes:
        name: shown name, what ``load_skill`` is given.
        description: one clause: what it is for.
        metadata: kind and intents.
    """

    name: str = Field(pattern=r"^\S(?:[^\n\"]*\S)?$", max_length=60)
    description: str = Field(pattern=r"^\S(?:[^\n]*\S)?$", max_length=200)
    metadata: SkillMetadata


def read_skill(skill_id: str, text: str, where: str) -> Skill:
    """The skill that a SKILL.md holds.

    Args:
        skill_id: canonical id: the name of its folder.
        text: the whole file.
        where: named in errors.

    Raises:
        HarnessError: no front matter, an unknown or wrong field, an empty body.
    """
    parts = text.split("---\n", 2)
    if len(parts) != 3 or parts[0].strip():
        raise HarnessError(f"{where}: must begin with front matter between two lines ---")
    try:
        header = parse(SkillHeader, yaml.safe_load(parts[1]), where)
    except (yaml.YAMLError, ConfigError, ValidationError) as error:
        raise HarnessError(str(error) if isinstance(error, ConfigError) else f"{where}: {error}") from None
    body = parts[2].strip()
    if not body:
        raise HarnessError(f"{where}: the body is empty; write the rules below the front matter")
    meta = header.metadata
    return Skill(skill_id, header.name, header.description, meta.kind, body, tuple(str(i) for i in meta.intents))


def write_skill(skill: Skill) -> str:
    """The SKILL.md of a skill; ``read_skill`` gives the same skill back."""
    header = {
        "name": skill.name,
        "description": skill.description,
        "metadata": {"kind": str(skill.kind), "intents": [str(intent) for intent in skill.intents]},
    }
    return f"---\n{dumped(header)}---\n{skill.body}\n"


class _Flow(yaml.SafeDumper):
    """Block style outside, lists of plain values on one line: as a person would write it."""


def _represent_list(dumper: yaml.SafeDumper, value: list[object]) -> yaml.Node:
    plain = all(isinstance(item, str | int | float | bool) and not isinstance(item, StrEnum) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=plain)


_Flow.add_representer(list, _represent_list)


def dumped(value: object) -> str:
    """YAML in the order given, any script readable, long lines unbroken."""
    return yaml.dump(value, Dumper=_Flow, sort_keys=False, allow_unicode=True, width=10_000)
