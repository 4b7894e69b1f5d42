"""``RewriteBook``: proved texts that a model wrote for a harness, by split, and their use in a variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
from pydantic import Field

from livesim.config import StrictModel, load_yaml, parse
from livesim.errors import ConfigError
from livesim.harness.augment.config import Dimension, Split
from livesim.harness.augment.grammar import chance, pick
from livesim.harness.state import HarnessState, content_hash

ADDRESS = "{address}"


class Rewrites(StrictModel):
    """Other words for one text.

    Attributes:
        of: content hash of the text they were written for; a text edited since has no rewrites.
        texts: proved to keep the task.
    """

    of: str
    texts: tuple[str, ...]


class RewriteBook(StrictModel):
    """A file of rewrites: what ``livesim harness rewrite`` accepted, and how many it rejected for what.

    Attributes:
        model: who wrote them.
        splits: by split and path (``skills.ID.description``, ``skills.ID.body``, ``tools.NAME.description``,
            ``prompt.blocks.ID.text``).
        rejected: by split, reason -> how many.
    """

    model: str = ""
    splits: Mapping[Split, Mapping[str, Rewrites]] = Field(default_factory=dict)
    rejected: Mapping[Split, Mapping[str, int]] = Field(default_factory=dict)

    def model_post_init(self, context: object, /) -> None:
        """Refuse a text that stands in both splits, and a split whose rewrites nobody would read."""
        if Split.TRAIN_WIDE in (*self.splits, *self.rejected):
            raise ValueError(f"rewrites belong to {Split.TRAIN} or {Split.HELDOUT}, not to {Split.TRAIN_WIDE}")
        shared = self.texts(Split.TRAIN) & self.texts(Split.HELDOUT)
        if shared:
            raise ValueError(f"{len(shared)} texts stand in both splits, one is {sorted(shared)[0]!r}")

    def texts(self, split: Split) -> frozenset[str]:
        """Every text of a split, in lower case."""
        return frozenset(text.lower() for entry in self.splits.get(split.half, {}).values() for text in entry.texts)

    def fitting(self, state: HarnessState, split: Split) -> dict[str, Rewrites]:
        """The rewrites of this split that were written for texts of ``state`` as they stand."""
        now = texts_of(state)
        entries = self.splits.get(split.half, {})
        return {path: entries[path] for path in sorted(entries) if content_hash(now.get(path, "")) == entries[path].of}


@lru_cache(maxsize=16)
def read_book(file: str) -> RewriteBook:
    """The book that a file holds, read once. Raises ConfigError when it can't be used."""
    return parse(RewriteBook, load_yaml(file), file)


def texts_of(state: HarnessState) -> dict[str, str]:
    """Every text of a harness that may be rewritten, by its path."""
    found: dict[str, str] = {}
    for skill in state.skills:
        found |= {f"skills.{skill.id}.description": skill.description, f"skills.{skill.id}.body": skill.body}
    found |= {f"tools.{view.canonical}.description": view.description for view in state.tools if view.canonical}
    blocks = (block for block in state.prompt.blocks if block.text.strip() not in ("{skills}", "{tools}"))
    return found | {f"prompt.blocks.{block.id}.text": block.text for block in blocks}


def with_text(state: HarnessState, path: str, text: str) -> HarnessState:
    """The harness with another text at a path of ``texts_of``."""
    part, _, rest = path.partition(".")
    name, _, field = rest.removeprefix("blocks.").rpartition(".")
    if part == "tools":
        views = (replace(v, description=text) if v.canonical == name else v for v in state.tools)
        return replace(state, tools=tuple(views))
    if part == "prompt":
        blocks = (replace(b, text=text) if b.id == name else b for b in state.prompt.blocks)
        return replace(state, prompt=replace(state.prompt, blocks=tuple(blocks)))
    skills = []
    for skill in state.skills:
        if skill.id == name:
            skill = replace(skill, body=text) if field == "body" else replace(skill, description=text)
        skills.append(skill)
    return replace(state, skills=tuple(skills))


def dimension_of(path: str) -> Dimension:
    """The dimension that a path of ``texts_of`` belongs to."""
    if path.startswith("tools."):
        return Dimension.TOOL_DEFINITION
    if path.startswith("prompt."):
        return Dimension.SYSTEM_PROMPT
    return Dimension.SKILL_CONTENT if path.endswith(".body") else Dimension.SKILL_IDENTIFIER


def rewritten(
    draft: HarnessState,
    original: HarnessState,
    dimension: Dimension,
    file: str,
    split: Split,
    share: float,
    rng: np.random.Generator,
) -> HarnessState:
    """A draft in which texts of a dimension stand as a model wrote them.

    Args:
        draft: as the dimension's own function left it.
        original: what the rewrites were made for.
        dimension: whose texts.
        file: of the book.
        split: whose rewrites; the other split's are never looked at.
        share: chance that a text is replaced.
        rng: the same generator state gives the same result.

    Raises:
        ConfigError: the book has no rewrite of this split for this harness.
    """
    fitting = read_book(file).fitting(original, split)
    if not fitting:
        raise ConfigError(f"{file} has no {split} rewrites for the harness {original.name!r} as it stands")
    for path, entry in fitting.items():
        wanted, text = chance(share, rng), pick(entry.texts, rng)
        now = texts_of(draft).get(path)
        if not wanted or now is None or dimension_of(path) is not dimension:
            continue
        if (ADDRESS in now) == (ADDRESS in text):  # a variant may have begun to call viewers by a name
            draft = with_text(draft, path, text)
    return draft
