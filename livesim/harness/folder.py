"""A harness folder to ``HarnessState`` and back: strict, so that a typo is an error and never a silent default."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import Field

from livesim.config import StrictModel, load_yaml, parse
from livesim.errors import ConfigError, HarnessError, unknown
from livesim.harness.hooks.check import Check
from livesim.harness.hooks.registry import CHECKS
from livesim.harness.prompt import PLACEHOLDER
from livesim.harness.skills import dumped, read_skill, write_skill
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
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.spec import ToolSpec
from rewards.signals import Limits

KINDS = ("integer", "string")


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
    hooks: tuple[HookFile, ...]


def load_folder(path: Path | str, specs: Mapping[str, ToolSpec] = SPECS) -> HarnessState:
    """The harness that a folder holds.

    Args:
        path: folder with ``prompt/*.md``, ``skills/<id>/SKILL.md``, ``tools.yaml`` and ``hooks.yaml``.
        specs: the tools there are; a user's own tools are added to these.

    Raises:
        HarnessError: a file or field that is missing, unknown or wrong, naming it and the nearest allowed one.
    """
    root = Path(path)
    if not root.is_dir():
        raise HarnessError(f"no harness folder {root}")
    _only(root, {"prompt", "skills", "tools.yaml", "hooks.yaml", "README.md"})
    try:
        tools = _tools(parse(ToolsFile, load_yaml(root / "tools.yaml"), str(root / "tools.yaml")), specs, root)
        hooks = _hooks(parse(HooksFile, load_yaml(root / "hooks.yaml"), str(root / "hooks.yaml")), root)
        state = HarnessState(root.resolve().name, _skills(root), hooks, _prompt(root), tools)
    except ConfigError as error:
        raise HarnessError(str(error)) from None
    validate(state, specs)
    return state


def save_folder(state: HarnessState, path: Path | str, specs: Mapping[str, ToolSpec] = SPECS) -> None:
    """Write a state as a folder; loading it gives an equal state under the folder's name.

    Raises:
        HarnessError: the folder exists and is not empty.
    """
    root = Path(path)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise HarnessError(f"{root} is not an empty folder")
    (root / "prompt").mkdir(parents=True)
    for number, block in enumerate(state.prompt.blocks, start=1):
        heading = f"# {block.heading}\n" if block.heading else ""
        _write(root / "prompt" / f"{10 * number:03d}_{block.id}.md", f"{heading}{block.text}\n")
    pipeline = state.prompt
    rendering = {
        "skill_form": str(pipeline.skill_form),
        "tool_form": str(pipeline.tool_form),
        "heading": pipeline.heading,
    }
    _write(root / "prompt" / "rendering.yaml", dumped(rendering))
    for number, skill in enumerate(state.skills, start=1):
        folder = root / "skills" / f"{10 * number:03d}_{skill.id}"
        folder.mkdir(parents=True)
        _write(folder / "SKILL.md", write_skill(skill))
    _write(root / "tools.yaml", dumped({"tools": [_tool_file(view, specs) for view in state.tools]}))
    _write(root / "hooks.yaml", dumped(_hooks_file(state.hooks)))


def validate(state: HarnessState, specs: Mapping[str, ToolSpec] = SPECS) -> None:
    """Check what a single file cannot show: references between the parts, names that occur twice.

    Raises:
        HarnessError: naming the part and the nearest allowed name.
    """
    _distinct("shown tool name", [view.name for view in state.tools])
    _distinct("tool", [view.canonical for view in state.tools if view.canonical])
    _distinct("shown skill name", [skill.name for skill in state.skills])
    _distinct("skill", [skill.id for skill in state.skills])
    _distinct("prompt block", [block.id for block in state.prompt.blocks])
    for view in state.tools:
        _distinct(f"parameter of {view.name}", [param.name for param in view.params])
        if view.canonical and view.canonical not in specs:
            raise HarnessError(unknown("tool", view.canonical, specs))
    if any(skill.kind is SkillKind.REPLY for skill in state.skills) and state.view(LOAD_SKILL) is None:
        raise HarnessError(f"there are reply skills, but no tool {LOAD_SKILL!r} is shown to load them")
    places = ["reply_words", "address", "rounds"]
    places += [f"tool:{view.canonical}" for view in state.tools if view.canonical]
    places += [f"param:{view.canonical}.{p.canonical}" for view in state.tools if view.canonical for p in view.params]
    places += [f"skill:{skill.id}" for skill in state.skills]
    for block in state.prompt.blocks:
        _placeholders(f"prompt block {block.id!r}", block.text, [*places, "skills", "tools"])
    for skill in state.skills:
        _placeholders(f"skill {skill.id!r}", skill.body, places)
    for hook in state.hooks.hooks:
        _hook(hook)
        _placeholders(f"message of hook {hook.check!r}", hook.message, [*places, *CHECKS[hook.check].places])


def _skills(root: Path) -> tuple[Skill, ...]:
    """Skills in the order of their folders' names; a number in front orders and is no part of the id."""
    skills = []
    for folder in sorted((root / "skills").iterdir()) if (root / "skills").is_dir() else []:
        if not folder.is_dir():
            raise HarnessError(f"{folder}: only folders with a SKILL.md belong here")
        _only(folder, {"SKILL.md"})
        skills.append(read_skill(_bare(folder.name), _read(folder / "SKILL.md"), str(folder / "SKILL.md")))
    if not skills:
        raise HarnessError(f"{root / 'skills'}: holds no skill")
    return tuple(skills)


def _prompt(root: Path) -> PromptPipeline:
    folder = root / "prompt"
    blocks = []
    for file in sorted(folder.iterdir()) if folder.is_dir() else []:
        if file.name == "rendering.yaml":
            continue
        if file.suffix != ".md":
            raise HarnessError(f"{file}: only *.md and rendering.yaml belong into prompt/")
        text = _read(file).strip("\n")
        first, _, rest = text.partition("\n")
        heading = first[2:].strip() if first.startswith("# ") else ""
        blocks.append(PromptBlock(_bare(file.stem), heading, (rest if heading else text).strip("\n")))
    if not blocks:
        raise HarnessError(f"{folder}: holds no block *.md")
    file = folder / "rendering.yaml"
    rendering = parse(RenderingFile, load_yaml(file), str(file)) if file.is_file() else RenderingFile()
    return PromptPipeline(tuple(blocks), rendering.skill_form, rendering.tool_form, rendering.heading)


def _tools(file: ToolsFile, specs: Mapping[str, ToolSpec], root: Path) -> tuple[ToolView, ...]:
    where = str(root / "tools.yaml")
    return tuple(_view(entry, specs, where) for entry in file.tools)


def _view(entry: ToolFile, specs: Mapping[str, ToolSpec], where: str) -> ToolView:
    if not entry.tool:
        if not entry.name or not entry.description:
            raise HarnessError(f"{where}: a tool without a canonical name needs name and description")
        params = [(name, param, param.kind or "string", param.required is not False) for name, param in entry.parameters.items()]
        return _built("", entry.name, entry.description, [(n, p, p.description or n, k, r) for n, p, k, r in params])
    if entry.tool not in specs:
        raise HarnessError(f"{where}: {unknown('tool', entry.tool, specs)}")
    own = spec_params(specs[entry.tool])
    strange = [name for name in entry.parameters if name not in own]
    if strange:
        raise HarnessError(f"{where}: {unknown(f'parameter of {entry.tool}', strange[0], own)}")
    order = [*entry.parameters, *(name for name in own if name not in entry.parameters)]
    built = []
    for name in order:
        param = entry.parameters.get(name, ParameterFile())
        description, kind, required = own[name]
        built.append(
            (
                name,
                param,
                param.description if param.description is not None else description,
                param.kind or kind,
                required if param.required is None else param.required,
            )
        )
    description = specs[entry.tool].description if entry.description is None else entry.description
    return _built(entry.tool, entry.name or entry.tool, description, built)


def _built(
    canonical: str, name: str, description: str, params: list[tuple[str, ParameterFile, str, str, bool]]
) -> ToolView:
    views = tuple(ParamView(own, param.name or own, text) for own, param, text, _, _ in params)
    needed = tuple(param.name or own for own, param, _, _, required in params if required)
    return ToolView(canonical, name, description, views, tuple(kind for *_, kind, _ in params), needed)


def spec_params(spec: ToolSpec) -> dict[str, tuple[str, str, bool]]:
    """Canonical parameters of a tool in order: description, JSON type, required."""
    schema = spec.schema()
    properties, needed = schema.get("properties", {}), schema.get("required", [])
    found: dict[str, tuple[str, str, bool]] = {}
    for name, part in properties.items() if isinstance(properties, dict) else ():
        kind = part.get("type") if isinstance(part, dict) else None
        text = part.get("description") if isinstance(part, dict) else None
        if kind not in KINDS:
            raise HarnessError(f"tool {spec.name!r}: parameter {name!r} must be an integer or a string, not {kind!r}")
        found[name] = (str(text or name.replace("_", " ")), str(kind), isinstance(needed, list) and name in needed)
    return found


def default_view(spec: ToolSpec) -> ToolView:
    """The tool under its canonical names, as ``tools.yaml`` shows it when it says nothing else."""
    return _view(ToolFile(tool=spec.name), {spec.name: spec}, spec.name)


def _hooks(file: HooksFile, root: Path) -> HookSet:
    hooks = tuple(HookSpec(h.check, h.message, tuple(sorted(h.options.items()))) for h in file.hooks)
    for hook in hooks:
        try:
            _hook(hook)
        except HarnessError as error:
            raise HarnessError(f"{root / 'hooks.yaml'}: {error}") from None
    limits = Limits(**file.limits.model_dump())
    return HookSet(hooks, limits, file.rounds, file.retries, file.form)


def _hook(hook: HookSpec) -> None:
    if hook.check not in CHECKS:
        raise HarnessError(unknown("check", hook.check, CHECKS))
    check: Check = CHECKS[hook.check]
    for name, value in hook.options:
        if name not in check.options:
            raise HarnessError(unknown(f"option of {hook.check}", name, check.options))
        if type(value) is not type(check.options[name]):
            wanted = type(check.options[name]).__name__
            raise HarnessError(f"option {name!r} of {hook.check!r} must be {wanted}, not {value!r}")


def _tool_file(view: ToolView, specs: Mapping[str, ToolSpec]) -> dict[str, object]:
    own = spec_params(specs[view.canonical]) if view.canonical else {}
    parameters: dict[str, dict[str, object]] = {}
    for param, kind in zip(view.params, view.kinds, strict=True):
        entry: dict[str, object] = {"name": param.name, "description": param.description}
        required = param.name in view.required
        if own.get(param.canonical, ("", "", None))[1:] != (kind, required):
            entry |= {"kind": kind, "required": required}
        parameters[param.canonical] = entry
    shown = {"tool": view.canonical, "name": view.name, "description": view.description}
    return {**shown, "parameters": parameters} if parameters else shown


def _hooks_file(hooks: HookSet) -> dict[str, object]:
    limits = hooks.limits
    return {
        "limits": {name: getattr(limits, name) for name in LimitsFile.model_fields},
        "rounds": hooks.rounds,
        "retries": hooks.retries,
        "form": str(hooks.form),
        "hooks": [
            {"check": h.check, "message": h.message, **({"options": dict(h.options)} if h.options else {})}
            for h in hooks.hooks
        ],
    }


_CANDIDATE = re.compile(r"\{([a-z_]+(?::[\w.-]+)?)\}")


def _placeholders(where: str, text: str, allowed: Iterable[str]) -> None:
    names = list(allowed)
    for word in _CANDIDATE.findall(text):
        if word not in names:
            raise HarnessError(f"{where}: {unknown('placeholder', word, names)}")
    if PLACEHOLDER.fullmatch(text.strip()) is None and re.search(r"\{(skills|tools)\}", text):
        raise HarnessError(f"{where}: a list must stand alone in its block")


def _distinct(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise HarnessError(f"{what} {twice[0]!r} occurs twice")


def _only(folder: Path, allowed: set[str]) -> None:
    for entry in sorted(folder.iterdir()):
        if entry.name not in allowed:
            raise HarnessError(f"{folder}: {unknown('file', entry.name, allowed)}")


def _bare(name: str) -> str:
    """A file or folder name without the number that orders it."""
    return re.sub(r"^\d+_", "", name)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HarnessError(f"no file {path}") from None
    except UnicodeDecodeError:
        raise HarnessError(f"{path} is no UTF-8 text") from None


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
