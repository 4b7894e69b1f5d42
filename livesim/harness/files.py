"""What the YAML files of a harness folder may hold: one strict model a file."""

from __future__ import annotations

from pydantic import Field

from livesim.config import StrictModel
from livesim.harness.state import ListForm, MessageForm


class RenderingFile(StrictModel):
    """``prompt/rendering.yaml``: how lists and headings are written."""

    skill_form: ListForm = ListForm.PURPOSE_FIRST
    tool_form: ListForm = ListForm.PURPOSE_FIRST
    heading: str = Field(default="# {}", pattern=r"\{\}")


class ParameterFile(StrictModel):
    """A parameter in ``tools.yaml``; ``kind`` and ``required`` come from the tool unless it is a distractor."""

    name: str | None = None
    description: str | None = None
    kind: str | None = Field(default=None, pattern="^(integer|string)$")
    required: bool | None = None


class ToolFile(StrictModel):
    """A tool in ``tools.yaml``: the canonical ``tool`` (empty: a distractor), and what is shown of it."""

    tool: str
    name: str | None = None
    description: str | None = None
    parameters: dict[str, ParameterFile] = Field(default_factory=dict)


class ToolsFile(StrictModel):
    """``tools.yaml``: the tools shown, in that order."""

    tools: tuple[ToolFile, ...]


class LimitsFile(StrictModel):
    """``limits`` of ``hooks.yaml``; see ``rewards.signals.Limits``."""

    reply_words: int = Field(default=40, ge=1, le=400)
    address: str = Field(default="", max_length=40)
    tool_thought_tokens: int = Field(default=64, ge=0)
    reply_thought_tokens: int = Field(default=64, ge=0)


class HookFile(StrictModel):
    """A hook in ``hooks.yaml``."""

    check: str
    message: str = ""
    options: dict[str, int | str | bool] = Field(default_factory=dict)


class HooksFile(StrictModel):
    """``hooks.yaml``."""

    limits: LimitsFile = Field(default_factory=LimitsFile)
    rounds: int = Field(default=8, ge=2, le=64)
    retries: int = Field(default=2, ge=0, le=32)
    form: MessageForm = MessageForm.TEXT
    exempt: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    hooks: tuple[HookFile, ...]
