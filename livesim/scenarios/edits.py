"""``HarnessEdit``: what operators change in the harness while a stream runs, as plain data in canonical names."""

from __future__ import annotations

from pydantic import Field, model_validator

from livesim.config import StrictModel


class Rewording(StrictModel):
    """A piece of text that is written anew.

    Attributes:
        where: ``skill:<id>`` (its body), ``block:<id>`` (of the system prompt) or ``hook:<check>`` (its message).
        old: the text that stands there now; the empty text stands for the end, so that ``new`` is added as a line.
        new: what stands there afterwards; empty takes the old text out.
    """

    where: str = Field(pattern=r"^(skill|block|hook):[\w-]+$")
    old: str = ""
    new: str = ""

    @model_validator(mode="after")
    def _sane(self) -> Rewording:
        if self.old == self.new:
            raise ValueError("old and new are the same: nothing would change")
        return self


class HarnessEdit(StrictModel):
    """One edit of the harness. It takes hold when the next request opens; the open one keeps what it was shown.

    All names are canonical, so that an edit fits every variant of a harness; what is shown may differ.

    Attributes:
        rename_tools: tool -> its new shown name.
        rename_parameters: ``tool.parameter`` -> its new shown name.
        rename_skills: skill -> its new shown name.
        describe_tools: tool -> its new description.
        describe_skills: skill -> its new description.
        hide_tools: not shown any more.
        hide_skills: not shown any more.
        reword: texts of skills, prompt blocks and hooks.
        reply_words: new limit.
        address: what viewers are called from now on; ``""`` for no such rule.
        rounds: assistant turns per request.
        retries: blocked replies and unreadable turns per request.
    """

    rename_tools: dict[str, str] = Field(default_factory=dict)
    rename_parameters: dict[str, str] = Field(default_factory=dict)
    rename_skills: dict[str, str] = Field(default_factory=dict)
    describe_tools: dict[str, str] = Field(default_factory=dict)
    describe_skills: dict[str, str] = Field(default_factory=dict)
    hide_tools: tuple[str, ...] = ()
    hide_skills: tuple[str, ...] = ()
    reword: tuple[Rewording, ...] = ()
    reply_words: int | None = Field(default=None, ge=1, le=400)
    address: str | None = None
    rounds: int | None = Field(default=None, ge=1, le=64)
    retries: int | None = Field(default=None, ge=0, le=16)

    @model_validator(mode="after")
    def _something(self) -> HarnessEdit:
        if not self.model_dump(exclude_defaults=True):
            raise ValueError(f"an edit changes something; name one of: {', '.join(sorted(type(self).model_fields))}")
        for old in self.rename_parameters:
            if old.count(".") != 1:
                raise ValueError(f"rename_parameters: write tool.parameter, got {old!r}")
        return self

    def describe(self) -> str:
        """What changes, in one line."""
        parts = [f"{old} is shown as {new}" for names in (self.rename_tools, self.rename_parameters, self.rename_skills)
                 for old, new in names.items()]  # fmt: skip
        parts += [f"{name} is described anew" for name in (*self.describe_tools, *self.describe_skills)]
        parts += [f"{name} is hidden" for name in (*self.hide_tools, *self.hide_skills)]
        parts += [f"{entry.where} is reworded" for entry in self.reword]
        for name in ("reply_words", "address", "rounds", "retries"):
            value = getattr(self, name)
            parts += [] if value is None else [f"{name} is {value!r}"]
        return "; ".join(parts)
