"""A harness state as plain JSON values and back, exactly."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, cast

from livesim.errors import HarnessError
from livesim.harness.state import (
    HarnessState,
    HookSet,
    HookSpec,
    ListForm,
    MessageForm,
    ParamView,
    PromptBlock,
    PromptPipeline,
    Skill,
    SkillKind,
    ToolView,
)
from livesim.types import JsonValue
from rewards.signals import Limits

Fields = Mapping[str, Any]  # plain values on their way into typed fields; each constructor below names its own


def to_plain(state: HarnessState) -> dict[str, JsonValue]:
    """The four parts as plain values; the name is no part of them."""
    parts = {name: getattr(state, name) for name in ("skills", "hooks", "prompt", "tools")}
    plain: dict[str, JsonValue] = json.loads(json.dumps(parts, default=_fields, ensure_ascii=False))
    return plain


def state_from_plain(plain: Mapping[str, JsonValue], name: str) -> HarnessState:
    """The state that ``to_plain`` gave, under a name.

    Raises:
        HarnessError: a field that is missing, unknown or of another type.
    """
    try:
        return HarnessState(
            name,
            tuple(_skill(cast(Fields, s)) for s in cast("list[JsonValue]", plain["skills"])),
            _hooks(cast(Fields, plain["hooks"])),
            _prompt(cast(Fields, plain["prompt"])),
            tuple(_view(cast(Fields, v)) for v in cast("list[JsonValue]", plain["tools"])),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise HarnessError(f"this is no harness state: {error!r}") from None


def key_of(path: tuple[str, ...], entry: JsonValue) -> str:
    """The key of an entry of an ordered part: what its path goes on with."""
    fields = cast("dict[str, JsonValue]", entry)
    if path == ("tools",):
        return str(fields["canonical"] or f"?{fields['name']}")
    return str(fields["check" if path == ("hooks", "hooks") else "id"])


def _fields(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
    raise TypeError(f"no plain form for {type(value).__name__}")


def _skill(data: Fields) -> Skill:
    return Skill(
        **{**_text(data, "kind", "intents"), "kind": SkillKind(data["kind"]), "intents": tuple(data["intents"])}
    )


def _view(data: Fields) -> ToolView:
    return ToolView(
        **{
            **_text(data, "params", "kinds", "required"),
            "params": tuple(ParamView(**_text(param)) for param in data["params"]),
            "kinds": tuple(data["kinds"]),
            "required": tuple(data["required"]),
        }
    )


def _prompt(data: Fields) -> PromptPipeline:
    blocks = tuple(PromptBlock(**_text(block)) for block in data["blocks"])
    return PromptPipeline(blocks, ListForm(data["skill_form"]), ListForm(data["tool_form"]), str(data["heading"]))


def _hooks(data: Fields) -> HookSet:
    hooks = tuple(
        HookSpec(**{**_text(hook, "options"), "options": tuple((name, value) for name, value in hook["options"])})
        for hook in data["hooks"]
    )
    exempt = tuple((str(platform), tuple(map(str, names))) for platform, names in data.get("exempt", ()))
    limits, form = Limits(**data["limits"]), MessageForm(data["form"])
    return HookSet(hooks, limits, int(data["rounds"]), int(data["retries"]), form, exempt)


def _text(data: Fields, *others: str) -> dict[str, Any]:
    """The fields but ``others``; each must be text."""
    fields = {name: value for name, value in data.items() if name not in others}
    for name, value in fields.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} must be text, not {value!r}")
    return {**fields, **{name: data[name] for name in others}}
