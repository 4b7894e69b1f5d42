"""A harness folder to ``HarnessState``: strict, so that a typo is an error and never a silent default."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from livesim.config import load_yaml, parse
from livesim.errors import ConfigError, HarnessError, unknown
from livesim.harness.files import HooksFile, RenderingFile, ToolsFile
from livesim.harness.hooks.registry import CHECKS
from livesim.harness.prompt import PLACEHOLDER
from livesim.harness.skills import read_skill
from livesim.harness.state import (
    HarnessState,
    HookSet,
    HookSpec,
    PromptBlock,
    PromptPipeline,
    Skill,
    SkillKind,
)
from livesim.harness.views import read_view
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.spec import ToolSpec
from rewards.signals import Limits


def load_folder(path: Path | str, specs: Mapping[str, ToolSpec] = SPECS) -> HarnessState:
    """The harness that a folder holds.

    Args:
        path: folder with ``prompt/*.md``, ``skills/<id>/SKILL.md``, ``tools.yaml`` and ``hooks.yaml``; a README.md and
            a history.jsonl may lie beside them, hidden files are left alone. What lies beside a SKILL.md (scripts,
            references) is the skill's own; see ``skill_files``.
        specs: the tools there are; a user's own tools are added to these.

    Raises:
        HarnessError: a file or field that is missing, unknown or wrong, naming it and the nearest allowed one.
    """
    root = Path(path)
    if not root.is_dir():
        raise HarnessError(f"no harness folder {root}")
    _only(root, {"prompt", "skills", "tools.yaml", "hooks.yaml", "README.md", "history.jsonl"})
    try:
        file = root / "tools.yaml"
        entries = parse(ToolsFile, load_yaml(file), str(file)).tools
        tools = tuple(read_view(entry, specs, str(file)) for entry in entries)
        hooks = _hooks(parse(HooksFile, load_yaml(root / "hooks.yaml"), str(root / "hooks.yaml")), root)
        state = HarnessState(root.resolve().name, _skills(root), hooks, _prompt(root), tools)
    except ConfigError as error:
        raise HarnessError(str(error)) from None
    validate(state, specs)
    return state


def validate(state: HarnessState, tools: Collection[str] = SPECS) -> None:
    """Check what a single file cannot show: references between the parts, names that occur twice.

    Args:
        state: to check.
        tools: canonical names that there are.

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
        if view.canonical and view.canonical not in tools:
            raise HarnessError(unknown("tool", view.canonical, tools))
    if any(skill.kind is SkillKind.REPLY for skill in state.skills) and state.view(LOAD_SKILL) is None:
        raise HarnessError(f"there are reply skills, but no tool {LOAD_SKILL!r} is shown to load them")
    places = ["reply_words", "address", "rounds"]
    places += [f"tool:{view.canonical}" for view in state.tools if view.canonical]
    places += [f"param:{view.canonical}.{p.canonical}" for view in state.tools if view.canonical for p in view.params]
    places += [f"skill:{skill.id}" for skill in state.skills]
    for block in state.prompt.blocks:
        _placeholders(f"prompt block {block.id!r}", block.text, [*places, "skills", "tools"])
    for skill in state.skills:
        _placeholders(f"skill {skill.id!r}", skill.body, places, foreign=True)
    for hook in state.hooks.hooks:
        _hook(hook)
        _placeholders(f"message of hook {hook.check!r}", hook.message, [*places, *CHECKS[hook.check].places])
    for _, names in state.hooks.exempt:
        _exempt(names, state.hooks.hooks)


def skill_files(path: Path | str) -> dict[str, tuple[str, ...]]:
    """Skill id -> what lies beside its SKILL.md (``scripts/``, ``references/`` ...), for people; the host sees none.

    Args:
        path: a harness folder.
    """
    return {
        bare(folder.name): tuple(
            str(file.relative_to(folder).as_posix())
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name != "SKILL.md"
        )
        for folder in visible(Path(path) / "skills")
    }


def read_block(file: Path) -> PromptBlock:
    """The block of a Markdown file; a first line ``# ...`` is its heading."""
    text = _read(file).removeprefix("\ufeff").strip("\n")
    first, _, rest = text.partition("\n")
    heading = first[2:].strip() if first.startswith("# ") else ""
    return PromptBlock(bare(file.stem), heading, (rest if heading else text).strip("\n"))


def visible(folder: Path) -> list[Path]:
    """What a folder holds, in order, hidden files left out; nothing when there is no folder."""
    return sorted(entry for entry in folder.iterdir() if entry.name[0] != ".") if folder.is_dir() else []


def bare(name: str) -> str:
    """A file or folder name without the number that orders it."""
    return re.sub(r"^\d+_", "", name)


def _skills(root: Path) -> tuple[Skill, ...]:
    """Skills in the order of their folders' names; a number in front orders and is no part of the id."""
    skills = []
    for folder in visible(root / "skills"):
        if not folder.is_dir():
            raise HarnessError(f"{folder}: only folders with a SKILL.md belong here")
        skills.append(read_skill(bare(folder.name), _read(folder / "SKILL.md"), str(folder / "SKILL.md")))
    if not skills:
        raise HarnessError(f"{root / 'skills'}: holds no skill")
    return tuple(skills)


def _prompt(root: Path) -> PromptPipeline:
    folder = root / "prompt"
    blocks = []
    for file in visible(folder):
        if file.name == "rendering.yaml":
            continue
        if file.suffix != ".md":
            raise HarnessError(f"{file}: only *.md and rendering.yaml belong into prompt/")
        blocks.append(read_block(file))
    if not blocks:
        raise HarnessError(f"{folder}: holds no block *.md")
    file = folder / "rendering.yaml"
    rendering = parse(RenderingFile, load_yaml(file), str(file)) if file.is_file() else RenderingFile()
    return PromptPipeline(tuple(blocks), rendering.skill_form, rendering.tool_form, rendering.heading)


def _hooks(file: HooksFile, root: Path) -> HookSet:
    hooks = tuple(HookSpec(h.check, h.message, tuple(sorted(h.options.items()))) for h in file.hooks)
    exempt = tuple(sorted(file.exempt.items()))
    try:
        for hook in hooks:
            _hook(hook)
        for _, names in exempt:
            _exempt(names, hooks)
    except HarnessError as error:
        raise HarnessError(f"{root / 'hooks.yaml'}: {error}") from None
    limits = Limits(**file.limits.model_dump())
    return HookSet(hooks, limits, file.rounds, file.retries, file.form, exempt)


def _hook(hook: HookSpec) -> None:
    if hook.check not in CHECKS:
        raise HarnessError(unknown("check", hook.check, CHECKS))
    check = CHECKS[hook.check]
    for name, value in hook.options:
        if name not in check.options:
            raise HarnessError(unknown(f"option of {hook.check}", name, check.options))
        if type(value) is not type(check.options[name]):
            wanted = type(check.options[name]).__name__
            raise HarnessError(f"option {name!r} of {hook.check!r} must be {wanted}, not {value!r}")


def _exempt(names: Iterable[str], hooks: Iterable[HookSpec]) -> None:
    """Only what runs can be lifted, and no check that always does."""
    checks = [CHECKS[hook.check] for hook in hooks if not CHECKS[hook.check].always]
    known = [check.name for check in checks]
    known += [f"{check.name}.{name}" for check in checks for name in check.switches]
    for name in names:
        if name not in known:
            raise HarnessError(unknown("exemption", name, known))


_CANDIDATE = re.compile(r"\{([a-z_]+(?::[\w.-]+)?)\}")


def _placeholders(where: str, text: str, allowed: Iterable[str], *, foreign: bool = False) -> None:
    """Refuse unknown placeholders. A ``foreign`` text may hold plain words in braces that look like none of ours."""
    names = list(allowed)
    for word in _CANDIDATE.findall(text):
        if word not in names and (not foreign or ":" in word or difflib.get_close_matches(word, names[:3], n=1)):
            raise HarnessError(f"{where}: {unknown('placeholder', word, names)}")
    if PLACEHOLDER.fullmatch(text.strip()) is None and re.search(r"\{(skills|tools)\}", text):
        raise HarnessError(f"{where}: a list must stand alone in its block")


def _distinct(what: str, names: list[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise HarnessError(f"{what} {twice[0]!r} occurs twice")


def _only(folder: Path, allowed: set[str]) -> None:
    for entry in visible(folder):
        if entry.name not in allowed:
            raise HarnessError(f"{folder}: {unknown('file', entry.name, allowed)}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HarnessError(f"no file {path}") from None
    except UnicodeDecodeError:
        raise HarnessError(f"{path} is no UTF-8 text") from None
