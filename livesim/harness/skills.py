"""``SKILL.md`` to a skill and back: YAML front matter is always visible, ``load_skill`` shows the Markdown below it.

The public convention asks for ``name`` and ``description`` alone; what it leaves to the application stands under
``metadata``. A folder written for other agents loads: further keys are let through, unless they look like a slip.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

import yaml
from pydantic import Field, ValidationError, field_validator

from livesim.config import StrictModel, parse
from livesim.errors import ConfigError, HarnessError, unknown
from livesim.harness.state import Skill, SkillKind
from livesim.harness.yamltext import dumped, replaced
from livesim.types import Intent

FRONT = ("name", "description", "license", "compatibility", "allowed-tools", "metadata")
"""Keys of the front matter that the public convention knows; only the first two must be there."""

_PARTS = re.compile(r"\A---[ \t]*\n(.*?\n)---[ \t]*(?:\n(.*))?\Z", re.DOTALL)


class SkillMetadata(StrictModel):
    """What livesim reads of the part that the public convention leaves to the application.

    Attributes:
        kind: reply (one is required before a reply) or strategy (optional).
        intents: which wishes of a viewer it serves; empty for none. One text with blanks or commas is read too, since
            the convention wants text for values.
    """

    kind: SkillKind = SkillKind.REPLY
    intents: tuple[Intent, ...] = ()

    @field_validator("intents", mode="before")
    @classmethod
    def _words(cls, value: object) -> object:
        return re.split(r"[\s,]+", value.strip(" ,")) if isinstance(value, str) and value.strip(" ,") else value or ()


class SkillHeader(StrictModel):
    """Front matter of a SKILL.md.

    Attributes:
        name: shown name, what ``load_skill`` is given.
        description: one clause: what it is for; line breaks are blanks.
        metadata: kind and intents.
    """

    name: str = Field(pattern=r"^\S(?:[^\n\"]*\S)?$", max_length=64)
    description: str = Field(pattern=r"^\S(?:[^\n]*\S)?$", max_length=1024)
    metadata: SkillMetadata = SkillMetadata()

    @field_validator("description", mode="before")
    @classmethod
    def _one_line(cls, value: object) -> object:
        return re.sub(r"\s*\n\s*", " ", value.strip()) if isinstance(value, str) and "\n" in value else value


def read_skill(skill_id: str, text: str, where: str) -> Skill:
    """The skill that a SKILL.md holds.

    Args:
        skill_id: canonical id: the name of its folder.
        text: the whole file.
        where: named in errors.

    Raises:
        HarnessError: no front matter, a wrong field, a field that looks like a misspelt one, an empty body.
    """
    front, body = split(text, where)
    try:
        data = yaml.safe_load(front)
        if isinstance(data, dict):
            data = _known(data, FRONT, where, "field")
            data = {key: value for key, value in data.items() if key in SkillHeader.model_fields}
            if isinstance(data.get("metadata"), dict):
                data["metadata"] = _known(data["metadata"], SkillMetadata.model_fields, where, "field of metadata")
        header = parse(SkillHeader, data, where)
    except (yaml.YAMLError, ConfigError, ValidationError) as error:
        raise HarnessError(str(error) if isinstance(error, ConfigError) else f"{where}: {error}") from None
    if not body:
        raise HarnessError(f"{where}: the body is empty; write the rules below the front matter")
    meta = header.metadata
    return Skill(skill_id, header.name, header.description, meta.kind, body, tuple(str(i) for i in meta.intents))


def split(text: str, where: str) -> tuple[str, str]:
    """Front matter and body, bare. Raises HarnessError when there is no front matter."""
    parts = _PARTS.match(text.removeprefix("\ufeff").lstrip("\n"))
    if parts is None:
        raise HarnessError(f"{where}: must begin with front matter between two lines ---")
    return parts.group(1), (parts.group(2) or "").strip()


def write_skill(skill: Skill) -> str:
    """The SKILL.md of a skill; ``read_skill`` gives the same skill back."""
    header = {
        "name": skill.name,
        "description": skill.description,
        "metadata": {"kind": str(skill.kind), "intents": [str(intent) for intent in skill.intents]},
    }
    return f"---\n{dumped(header)}---\n{skill.body}\n"


def rewrite_skill(skill: Skill, text: str) -> str:
    """The SKILL.md ``text`` changed to hold ``skill``: keys of other applications stay, an untouched part its bytes."""
    front, body = split(text, skill.id)
    was = read_skill(skill.id, text, skill.id)
    if was == skill:
        return text
    body = text[text.rindex(body) :] if was.body == skill.body else f"{skill.body}\n"
    data = yaml.safe_load(front)
    front = replaced(front, "name", data["name"], skill.name) if skill.name != was.name else front
    if skill.description != was.description:
        front = replaced(front, "description", data["description"], skill.description)
    draft = f"---\n{front}---\n{body}"
    if _reads_as(draft, skill):
        return draft
    meta = {**(data.get("metadata") or {}), "kind": str(skill.kind), "intents": [str(i) for i in skill.intents]}
    header = {**data, "name": skill.name, "description": skill.description, "metadata": meta}
    return f"---\n{dumped(header)}---\n{body}"


def _reads_as(text: str, skill: Skill) -> bool:
    try:
        return read_skill(skill.id, text, skill.id) == skill
    except HarnessError:
        return False


def _known(data: dict[str, object], names: Iterable[str], where: str, what: str) -> dict[str, object]:
    """The data; a key that looks like a misspelt one of ``names`` is an error, any other stranger is let through."""
    allowed = list(names)
    for key in data:
        if key not in allowed and difflib.get_close_matches(str(key), allowed, n=1):
            raise HarnessError(f"{where}: {unknown(what, key, allowed)}")
    return data if what == "field" else {key: value for key, value in data.items() if key in allowed}
