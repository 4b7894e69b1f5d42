"""``edit_folder``: edits made to a harness folder and taken back byte for byte, noted in its ``history.jsonl``.

A file that an edit rewrites can lose what no state holds: comments, blank lines, line ends, files beside a skill. What
the inverse edit would not write again is kept with the edit, and put back when the edit is taken back, unless one of
these files was changed by other hands since.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from livesim.errors import HarnessError
from livesim.harness.edits import HISTORY, Edit, apply, edit_from_plain, edit_to_plain, read_lines
from livesim.harness.folder import load_folder, validate
from livesim.harness.saving import Files, all_files, folder_files, replace_files, update_folder
from livesim.harness.state import HarnessState
from livesim.tools.builtin import SPECS
from livesim.tools.spec import ToolSpec

_BYTES = "surrogateescape"  # text where it is text, and still every byte where it is not


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that an edit's inverse would not write again: its bytes before (None: no such file), its hash after."""

    was: bytes | None
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """An edit as the history notes it, with what it lost by relative path."""

    edit: Edit
    lost: Mapping[str, Kept] = field(default_factory=dict)


def edit_folder(
    folder: Path,
    edits: Sequence[Edit] = (),
    *,
    revert: int = 0,
    note: bool = True,
    specs: Mapping[str, ToolSpec] = SPECS,
) -> tuple[HarnessState, tuple[str, ...]]:
    """Take back edits of the folder's history, then make new ones; the state, and the files that changed.

    Args:
        folder: a harness folder.
        edits: in order, each made for the state that the one before it makes.
        revert: how many of the history's last edits are taken back first.
        note: bring ``history.jsonl`` up to date.
        specs: the tools there are.

    Raises:
        HarnessError: an edit that does not fit, or a state that cannot be written; the folder is then as it was.
    """
    history = read_history(folder / HISTORY)
    if revert > len(history):
        raise HarnessError(f"the history holds {len(history)} edits, {revert} cannot be reverted")
    kept, undone = history[: len(history) - revert], history[len(history) - revert :]
    with tempfile.TemporaryDirectory() as trial:
        copy = Path(trial) / (folder.resolve().name or "harness")
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(".*"))
        state = load_folder(copy, specs)
        for group in _groups([entry.edit.inverse for entry in reversed(undone)], state, specs):
            state = group[-1][1]
            _take_back(state, undone[-len(group)].lost, copy, specs)
            undone = undone[: -len(group)]
        made: list[Entry] = []
        for group in _groups(edits, state, specs):
            before, state = state, group[-1][1]
            old = all_files(copy)
            update_folder(state, copy, specs)
            lost = _lost(before, old, copy, specs)
            made += [Entry(edit, {} if number else lost) for number, (edit, _) in enumerate(group)]
        if note:
            write_history(copy / HISTORY, (*kept, *made))
        changed = replace_files(folder, all_files(copy))
    return state, tuple(name for name in changed if name != HISTORY)


def read_history(path: Path) -> tuple[Entry, ...]:
    """The entries of a history, oldest first; none when there is no file. Raises HarnessError naming the line."""
    return read_lines(path, _entry)


def write_history(path: Path, entries: Iterable[Entry]) -> None:
    """Write a history; without entries there is no file."""
    lines = [_line(entry) + "\n" for entry in entries]
    if lines:
        path.write_text("".join(lines), encoding="utf-8", newline="\n")
    else:
        path.unlink(missing_ok=True)


def _groups(
    edits: Sequence[Edit], state: HarnessState, specs: Mapping[str, ToolSpec]
) -> list[list[tuple[Edit, HarnessState]]]:
    """The edits with the states that they make; those that only make a harness together stand together."""
    groups: list[list[tuple[Edit, HarnessState]]] = [[]]
    for number, edit in enumerate(edits, start=1):
        state = apply(edit, state)
        groups[-1].append((edit, state))
        try:
            validate(state, specs)
        except HarnessError:
            if number == len(edits):
                raise
            continue
        groups.append([])
    return groups[:-1]


def _take_back(state: HarnessState, lost: Mapping[str, Kept], copy: Path, specs: Mapping[str, ToolSpec]) -> None:
    """Bring the folder to the state before an edit, with the bytes that the edit lost where nobody touched them."""
    untouched = {name: _hash(content) for name, content in all_files(copy).items()}
    update_folder(state, copy, specs)
    if any(untouched.get(name, "") != file.after for name, file in lost.items()):
        return
    files = all_files(copy)
    for name, file in lost.items():
        files.pop(name, None)
        if file.was is not None:
            files[name] = file.was
    replace_files(copy, files)


def _lost(before: HarnessState, old: Files, copy: Path, specs: Mapping[str, ToolSpec]) -> dict[str, Kept]:
    """What going back to ``before`` would not write as it was."""
    back, now = folder_files(before, specs, copy), all_files(copy)
    names = sorted({*old, *back} - {HISTORY})
    return {name: Kept(old.get(name), _hash(now.get(name))) for name in names if old.get(name) != back.get(name)}


def _hash(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()[:12]


def _line(entry: Entry) -> str:
    plain = edit_to_plain(entry.edit)
    if entry.lost:
        plain["lost"] = {
            name: {"was": None if file.was is None else file.was.decode("utf-8", _BYTES), "after": file.after}
            for name, file in entry.lost.items()
        }
    return json.dumps(plain, ensure_ascii=bool(entry.lost), sort_keys=True)


def _entry(line: str) -> Entry:
    plain = json.loads(line)
    lost = {
        str(name): Kept(None if file["was"] is None else file["was"].encode("utf-8", _BYTES), str(file["after"]))
        for name, file in plain.get("lost", {}).items()
    }
    return Entry(edit_from_plain(plain), lost)
