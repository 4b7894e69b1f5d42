"""``HSAConfig``: which dimensions of the harness vary, how strongly, and from which half of the pools."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from pydantic import Field

from livesim.config import StrictModel


class Split(StrEnum):
    """The two disjoint halves of every pool of surface forms, and the first with more in it."""

    TRAIN = "train"  # what training may see
    TRAIN_WIDE = "train_wide"  # the same, and many more words for what a skill or tool is for: for long trainings
    HELDOUT = "heldout"  # what only an evaluation may see

    @property
    def half(self) -> Split:
        """``TRAIN`` or ``HELDOUT``: where names and numbers are drawn from, which have no wider choice."""
        return Split.HELDOUT if self is Split.HELDOUT else Split.TRAIN


class Dimension(StrEnum):
    """The five sides of a harness that are varied, in the order in which they are applied."""

    SKILL_IDENTIFIER = "skill_identifier"  # names and descriptions of skills, noise skills, order
    SKILL_CONTENT = "skill_content"  # wording, order and marks of the rules, the word of address
    TOOL_DEFINITION = "tool_definition"  # names, parameters, descriptions, list form, distractors, order
    SYSTEM_PROMPT = "system_prompt"  # wording, headings and order of blocks, numeric limits
    HOOK = "hook"  # wording and form of feedback, retries


class HSAConfig(StrictModel):
    """How an episode's harness is drawn.

    Attributes:
        split: which half of the pools is used, and whether with the wider choice of words.
        dimensions: strength of each dimension that may vary, 0 (untouched) to 1 (every surface replaced).
        original_share: share of episodes that keep the original harness.
        active_share: chance that a dimension of ``dimensions`` takes part in an episode that is varied; one always
            does.
        all_share: share of the varied episodes in which all of ``dimensions`` take part.
        strength_floor: the strength of an active dimension is drawn between this share of the configured one and
            the whole of it. 1: always the configured one.
        rewrites: file of texts that a model wrote and that were proved (``livesim harness rewrite``); empty: none.
        rewrite_share: chance, times the strength, that a text of a dimension that takes part stands as the model
            wrote it, where the file has such.
    """

    split: Split = Split.TRAIN
    dimensions: Mapping[Dimension, float] = Field(default_factory=dict)
    original_share: float = Field(default=0.0, ge=0.0, le=1.0)
    active_share: float = Field(default=1.0, ge=0.0, le=1.0)
    all_share: float = Field(default=0.0, ge=0.0, le=1.0)
    strength_floor: float = Field(default=1.0, ge=0.0, le=1.0)
    rewrites: str = ""
    rewrite_share: float = Field(default=0.5, ge=0.0, le=1.0)

    def model_post_init(self, context: object, /) -> None:
        """Refuse strengths outside 0..1."""
        for dimension, strength in self.dimensions.items():
            if not 0.0 <= strength <= 1.0:
                raise ValueError(f"strength of {dimension} must lie between 0 and 1 (got {strength})")


def _presets() -> dict[str, HSAConfig]:
    every = dict.fromkeys(Dimension, 1.0)
    presets = {
        # Many episodes with one to three dimensions moved, some with all: harder mixtures alone give a small
        # model nothing to begin with.
        split.value: HSAConfig(
            split=split, dimensions=every, original_share=0.2, active_share=0.4, all_share=0.2, strength_floor=0.4
        )
        for split in (Split.TRAIN, Split.TRAIN_WIDE)
    }
    presets["none"] = HSAConfig(original_share=1.0)
    presets["heldout"] = HSAConfig(split=Split.HELDOUT, dimensions=every)
    for split in Split:
        for dimension in Dimension:
            presets[f"{split}:{dimension}"] = HSAConfig(split=split, dimensions={dimension: 1.0})
    return presets


PRESETS: Mapping[str, HSAConfig] = MappingProxyType(_presets())
"""Named configurations: ``none``, ``train``, ``train_wide``, ``heldout``, and ``<split>:<dimension>``."""
