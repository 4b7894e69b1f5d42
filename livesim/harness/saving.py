"""A ``HarnessState`` to a folder: new, or over the one it came from, where what was not edited keeps its bytes."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from livesim.config import load_yaml, parse
from livesim.errors import ConfigError, HarnessError
from livesim.harness.files import HooksFile, LimitsFile, ToolsFile
from livesim.harness.folder import bare, load_folder, read_block, visible
from livesim.harness.skills import rewrite_skill, write_skill
from livesim.harness.state import HarnessState, HookSet, PromptBlock, PromptPipeline
from livesim.harness.views import read_view, write_view
from livesim.harness.yamltext import dumped, replaced
from livesim.tools.builtin import SPECS
from livesim.tools.spec import ToolSpec

Files = dict[str, bytes]
"""Relative path -> content."""


def save_folder(
    state: HarnessState,
    path: Path | str,
    specs: Mapping[str, ToolSpec] = SPECS,
    *,
    source: Path | str | None = None,
) -> None:
    """Write a state as a new folder; loading it gives an equal state under the folder's name.

    Args:
        state: what to write.
        path: folder that is not there yet, or empty.
        specs: the tools there are.
        source: folder that the state was loaded from, before it was edited. Names, order, comments and further files
            come from there, and a file whose content was not edited is copied byte for byte.

    Raises:
        HarnessError: the folder is not empty, or ``source`` cannot be loaded.
    """
    root = Path(path)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise HarnessError(f"{root} is not an empty folder")
    root.mkdir(parents=True, exist_ok=True)
    for name, content in folder_files(state, specs, None if source is None else Path(source)).items():
        _write(root / name, content)


def update_folder(state: HarnessState, path: Path | str, specs: Mapping[str, ToolSpec] = SPECS) -> tuple[str, ...]:
    """Bring a harness folder to a state; only files whose content changes are written. Names the changed files.

    Args:
        state: what the folder shall hold.
        path: a harness folder.
        specs: the tools there are.

    Raises:
        HarnessError: the state cannot be written so that it would be read back; the folder is then as it was.
    """
    root = Path(path)
    files = folder_files(state, specs, root)
    with tempfile.TemporaryDirectory() as trial:
        copy = Path(trial) / (root.resolve().name or "harness")
        for name, content in files.items():
            _write(copy / name, content)
        if load_folder(copy, specs).hash != state.hash:
            raise HarnessError(f"{root}: written and read again the harness is another one; nothing was changed")
    return replace_files(root, files)


def replace_files(root: Path, files: Files) -> tuple[str, ...]:
    """Make ``files`` the files of a folder, hidden ones left alone; names what was written or removed."""
    there = all_files(root)
    changed = [name for name, content in files.items() if there.get(name) != content]
    gone = [name for name in there if name not in files]
    for name in gone:
        (root / name).unlink()
    for name in changed:
        _write(root / name, files[name])
    for folder in sorted((f for f in root.rglob("*") if f.is_dir()), reverse=True):
        if not any(folder.iterdir()) and not _hidden(folder.relative_to(root)):
            folder.rmdir()
    return tuple(sorted((*changed, *gone)))


def folder_files(state: HarnessState, specs: Mapping[str, ToolSpec] = SPECS, source: Path | None = None) -> Files:
    """The files of a state by relative path, those of ``source`` kept where they say the same."""
    texts: Files = {}
    was = None if source is None else load_folder(source, specs)
    old = {} if source is None else all_files(source)
    texts.update({name: old[name] for name in ("README.md", "history.jsonl") if name in old})
    texts.update(_prompt(state.prompt, was.prompt if was else None, source, old))
    texts.update(_skills(state, source, old))
    if was is not None and was.tools == state.tools:
        texts["tools.yaml"] = old["tools.yaml"]
    else:
        entries = [write_view(view, specs) for view in state.tools]
        before = [write_view(view, specs) for view in was.tools] if was else []
        texts["tools.yaml"] = _yaml("tools", entries, before, old.get("tools.yaml"), {}, {}, specs)
    if was is not None and was.hooks == state.hooks:
        texts["hooks.yaml"] = old["hooks.yaml"]
    else:
        hooks, head = _hook_entries(state.hooks), _hook_head(state.hooks)
        had, had_head = (_hook_entries(was.hooks), _hook_head(was.hooks)) if was else ([], {})
        texts["hooks.yaml"] = _yaml("hooks", hooks, had, old.get("hooks.yaml"), head, had_head, specs)
    return texts


def _prompt(prompt: PromptPipeline, was: PromptPipeline | None, source: Path | None, old: Files) -> Files:
    known: dict[str, str] = {}
    blocks: dict[str, PromptBlock] = {}
    for file in visible(source / "prompt") if source else ():
        if file.suffix == ".md":
            block = read_block(file)
            known[block.id], blocks[block.id] = file.name, block
    files: Files = {}
    for block, name in zip(prompt.blocks, _names([b.id for b in prompt.blocks], known, ".md"), strict=True):
        if blocks.get(block.id) == block:
            files[f"prompt/{name}"] = old[f"prompt/{known[block.id]}"]
        else:
            heading = f"# {block.heading}\n" if block.heading else ""
            files[f"prompt/{name}"] = f"{heading}{block.text}\n".encode()
    rendering = {"skill_form": str(prompt.skill_form), "tool_form": str(prompt.tool_form), "heading": prompt.heading}
    forms = None if was is None else (was.skill_form, was.tool_form, was.heading)
    if forms != (prompt.skill_form, prompt.tool_form, prompt.heading):
        files["prompt/rendering.yaml"] = dumped(rendering).encode()
    elif "prompt/rendering.yaml" in old:
        files["prompt/rendering.yaml"] = old["prompt/rendering.yaml"]
    return files


def _skills(state: HarnessState, source: Path | None, old: Files) -> Files:
    known = {bare(folder.name): folder.name for folder in visible(source / "skills")} if source else {}
    files: Files = {}
    for skill, name in zip(state.skills, _names([s.id for s in state.skills], known, ""), strict=True):
        before = f"skills/{known[skill.id]}/" if skill.id in known else ""
        if not before:
            files[f"skills/{name}/SKILL.md"] = write_skill(skill).encode()
            continue
        for path, content in old.items():
            if path.startswith(before):
                files[f"skills/{name}/{path.removeprefix(before)}"] = content
        raw = old[f"{before}SKILL.md"]
        text = raw.decode("utf-8").replace("\r\n", "\n")
        if (new := rewrite_skill(skill, text)) != text:
            files[f"skills/{name}/SKILL.md"] = new.encode()
    return files


def _names(ids: Sequence[str], known: Mapping[str, str], suffix: str) -> list[str]:
    """A file name for each id that sorts as the ids stand; the known ones where that is possible."""
    names: list[str] = []
    for place, one in enumerate(ids):
        low = names[-1] if names else ""
        high = next((known[other] for other in ids[place + 1 :] if other in known), "")
        fitting = [known[one]] if one in known else [*_numbered(one, low, high, suffix), f"{one}{suffix}"]
        name = next((n for n in fitting if low < n and (not high or n < high) and bare(n) == one + suffix), None)
        if name is None:
            return [f"{10 * number:03d}_{other}{suffix}" for number, other in enumerate(ids, start=1)]
        names.append(name)
    if not known:
        return [f"{10 * number:03d}_{other}{suffix}" for number, other in enumerate(ids, start=1)]
    return names


def _numbered(one: str, low: str, high: str, suffix: str) -> list[str]:
    """The id with a number between those of its neighbours, in as many digits."""
    before, after = (re.match(r"(\d+)_", name) for name in (low, high))
    if before is None and after is None:
        return []
    digits = len((before or after or [""])[0]) - 1
    first = int(before.group(1)) if before else 0
    last = int(after.group(1)) if after else first + 20
    return [f"{(first + last) // 2:0{digits}d}_{one}{suffix}"]


def _yaml(
    key: str,
    entries: list[dict[str, object]],
    had: list[dict[str, object]],
    raw: bytes | None,
    head: Mapping[str, object],
    had_head: Mapping[str, object],
    specs: Mapping[str, ToolSpec],
) -> bytes:
    """A YAML file that ends in a list: the old text with the changed values in place where that says the same."""
    whole = dumped({**head, key: entries}).encode()
    if raw is None:
        return whole
    text = raw.decode("utf-8").replace("\r\n", "\n")
    changes = _scalars(had_head, head)
    for before, after in zip(had, entries, strict=False):
        changes += _scalars(before, after)
    for name, old, new in changes:
        text = replaced(text, name, old, new)
    added = entries[len(had) :]
    if added:
        text = f"{text.rstrip()}\n{dumped(added)}"
    return text.encode() if _same(text, whole.decode(), key, specs) else whole


def _scalars(old: object, new: object, name: str = "") -> list[tuple[str, object, object]]:
    """Key, old and new value of every plain value that differs."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return [change for key in old if key in new for change in _scalars(old[key], new[key], str(key))]
    return [] if old == new or isinstance(old, Mapping) or isinstance(new, Mapping) else [(name, old, new)]


def _same(text: str, whole: str, key: str, specs: Mapping[str, ToolSpec]) -> bool:
    """Both texts mean the same file."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            meanings = []
            for number, one in enumerate((text, whole)):
                path = Path(folder) / f"{number}.yaml"
                path.write_text(one, encoding="utf-8")
                if key == "tools":
                    tools = parse(ToolsFile, load_yaml(path), "tools.yaml").tools
                    meanings.append(str([read_view(entry, specs, "tools.yaml") for entry in tools]))
                else:
                    meanings.append(str(parse(HooksFile, load_yaml(path), "hooks.yaml")))
        except (ConfigError, HarnessError):
            return False
    return meanings[0] == meanings[1]


def _hook_head(hooks: HookSet) -> dict[str, object]:
    return {
        "limits": {name: getattr(hooks.limits, name) for name in LimitsFile.model_fields},
        "rounds": hooks.rounds,
        "retries": hooks.retries,
        "form": str(hooks.form),
        **({"exempt": {platform: list(names) for platform, names in hooks.exempt}} if hooks.exempt else {}),
    }


def _hook_entries(hooks: HookSet) -> list[dict[str, object]]:
    return [
        {"check": h.check, "message": h.message, **({"options": dict(h.options)} if h.options else {})}
        for h in hooks.hooks
    ]


def all_files(root: Path) -> Files:
    """Every file of a harness folder by relative path, hidden ones and what lies in hidden folders left out."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not _hidden(path.relative_to(root))
    }


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
