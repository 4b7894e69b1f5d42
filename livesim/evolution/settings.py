"""``EvolveConfig``: what is evaluated, how much is tried at a time, when a step is published and when to stop."""

from __future__ import annotations

from pydantic import Field, field_validator

from livesim.config import StrictModel
from livesim.evaluation.suites import chosen
from livesim.world.viewers import Wording


class EvolveConfig(StrictModel):
    """How a harness is evolved.

    Attributes:
        suites: of the dev set, comma-separated.
        scenario: name or file; None: rooms drawn from each task's seed.
        wording: how viewers phrase things, ``heldout`` or ``train``.
        episodes: cases of each suite for each seed.
        seeds: of the dev set; all different.
        steps: at most so many evaluated steps after the baseline.
        edits: at most so many edits in one step.
        patience: stop after so many single edits in a row that were rolled back; a bundle is taken apart first.
        min_gain: points that a step must win to be published; the 95 % interval of the gain, in pairs over the
            tasks, must lie above 0 as well.
        allowed: points that one category may lose at a step.
        cases: a category with fewer cases stops nothing.
        tail_share: stop when no kind of failure is left in more than this share of the cases: what is left is long
            tail, and a local rule is likelier to break something else than to help.
        local: let the rule library propose rules for single cases when nothing general is left.
        keep_all: publish every step and never stop early; for showing where more rules turn harmful.
    """

    suites: str = "live_stream_qa"
    scenario: str | None = "qa"
    wording: Wording = Wording.HELDOUT
    episodes: int = Field(default=120, ge=1)
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    steps: int = Field(default=12, ge=0)
    edits: int = Field(default=3, ge=1)
    patience: int = Field(default=3, ge=1)
    min_gain: float = 0.25
    allowed: float = Field(default=8.0, ge=0)
    cases: int = Field(default=5, ge=1)
    tail_share: float = Field(default=0.02, ge=0, le=1)
    local: bool = True
    keep_all: bool = False

    @field_validator("suites")
    @classmethod
    def _known(cls, value: str) -> str:
        chosen(value)
        return value

    @field_validator("seeds")
    @classmethod
    def _differ(cls, value: tuple[int, ...]) -> tuple[int, ...]:
        if len({*value}) < len(value):  # the episodes of a seed would count twice
            raise ValueError(f"seeds must differ, got {value}")
        return value
