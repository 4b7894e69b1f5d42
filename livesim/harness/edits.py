"""``Edit``: one change of a harness as an object: what, why, by whom, from hash to hash, as plain data, reversible."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar, cast

from livesim.appending import append_lines
from livesim.errors import HarnessError, unknown
from livesim.harness.plain import key_of, state_from_plain, to_plain
from livesim.harness.state import HarnessState
from livesim.types import JsonValue

HISTORY = "history.jsonl"
"""Name of the optional file of a harness folder that lists the edits made to it, oldest first."""

PARTS = ("skills", "hooks", "prompt", "tools")
LISTS = (("skills",), ("tools",), ("prompt", "blocks"), ("hooks", "hooks"))
"""Paths of the ordered parts whose entries are addressed by their own key."""

Path_ = tuple[str, ...]
T = TypeVar("T")


class Kind(StrEnum):
    """What an operation does."""

    SET = "set"  # one value is replaced
    INSERT = "insert"  # an entry joins an ordered part
    REMOVE = "remove"  # an entry leaves an ordered part
    ORDER = "order"  # the entries of an ordered part are put into another order


@dataclass(frozen=True, slots=True)
class Operation:
    """One plain-data step of an edit.

    Attributes:
        kind: what it does.
        path: from the state to the value: ``("skills", "price_promo", "body")``, ``("hooks", "limits", "address")``.
            Entries of ordered parts go by their key: id of a skill or block, canonical name of a tool (``"?name"``
            for a distractor), name of a check.
        old: the value before; the order of the keys before, at ORDER; None at INSERT.
        new: the value after; the order of the keys after, at ORDER; None at REMOVE.
        at: place of the entry, counted from 0, at INSERT and REMOVE; else -1.
    """

    kind: Kind
    path: Path_
    old: JsonValue = None
    new: JsonValue = None
    at: int = -1

    @property
    def inverse(self) -> Operation:
        """The operation that undoes this one."""
        turned = {Kind.INSERT: Kind.REMOVE, Kind.REMOVE: Kind.INSERT}
        return Operation(turned.get(self.kind, self.kind), self.path, self.new, self.old, self.at)

    @property
    def what(self) -> str:
        """The place in words: ``"skills price_promo body"``."""
        words = {Kind.INSERT: "new ", Kind.REMOVE: "without ", Kind.ORDER: "order of ", Kind.SET: ""}
        return words[self.kind] + " ".join(self.path)


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that can be applied and reverted exactly.

    Attributes:
        why: one sentence: what it is for.
        by: who asked for it: a person's name, ``"rules"``, the name of a model.
        before: hash of the state that it was made for.
        after: hash of the state that it makes of that.
        operations: in order.
    """

    why: str
    by: str
    before: str
    after: str
    operations: tuple[Operation, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the harness that it touches, in the order of ``PARTS``."""
        touched = {operation.path[0] for operation in self.operations}
        return tuple(part for part in PARTS if part in touched)

    @property
    def what(self) -> str:
        """What it touches, in words."""
        return "; ".join(operation.what for operation in self.operations) or "nothing"

    @property
    def inverse(self) -> Edit:
        """The edit that undoes this one."""
        backwards = tuple(operation.inverse for operation in reversed(self.operations))
        return Edit(f"revert: {self.why}", self.by, self.after, self.before, backwards)


def apply(edit: Edit, state: HarnessState, *, strict: bool = True) -> HarnessState:
    """The state after the edit; its name stays.

    Args:
        edit: what to do.
        state: what to do it to.
        strict: the state must be the very one that the edit was made for. Otherwise it is enough that every value
            that is replaced or removed is what the edit says it was.

    Raises:
        HarnessError: another state, a value that is not what the edit expects, or a result that it does not promise.
    """
    if strict and state.hash != edit.before:
        raise HarnessError(f"the edit was made for harness {edit.before}, this is {state.hash}")
    plain = to_plain(state)
    for operation in edit.operations:
        _operate(operation, plain)
    result = state_from_plain(plain, state.name)
    if strict and result.hash != edit.after:
        raise HarnessError(f"the edit promises harness {edit.after}, it made {result.hash}")
    return result


def revert(edit: Edit, state: HarnessState, *, strict: bool = True) -> HarnessState:
    """The state before the edit. Raises HarnessError like ``apply``."""
    return apply(edit.inverse, state, strict=strict)


def edit_between(old: HarnessState, new: HarnessState, *, why: str, by: str) -> Edit:
    """One edit that makes ``new`` of ``old``."""
    return Edit(why, by, old.hash, new.hash, tuple(_differences(old, new)))


def diff(old: HarnessState, new: HarnessState, *, why: str = "", by: str = "") -> tuple[Edit, ...]:
    """The edits from ``old`` to ``new``, one for each entry touched, chained by their hashes; empty when equal.

    Args:
        old: before.
        new: after.
        why: said of each; empty: the edit's own ``what``.
        by: whose change it is.
    """
    groups: dict[Path_, list[Operation]] = {}
    for operation in _differences(old, new):
        groups.setdefault((*operation.path[: _depth(operation.path)], str(_rank(operation))), []).append(operation)
    edits, state = [], old
    for operations in groups.values():
        draft = Edit(why, by, state.hash, "", tuple(operations))
        after = apply(draft, state, strict=False)
        edits.append(dataclasses.replace(draft, why=why or draft.what, after=after.hash))
        state = after
    return tuple(edits)


def set_value(state: HarnessState, path: Sequence[str], new: JsonValue, *, why: str, by: str) -> Edit:
    """The edit that sets one value.

    Args:
        state: what it is for.
        path: see ``Operation.path``.
        new: the value to be.
        why: one sentence.
        by: whose change it is.

    Raises:
        HarnessError: the path leads nowhere (with the nearest), or to a value of another type.
    """
    old = _found(to_plain(state), tuple(path))
    if isinstance(old, (dict, list)) or type(old) is not type(new):
        raise HarnessError(f"{' '.join(path)} is {_kind(old)}; it cannot be set to {_kind(new)} {new!r}")
    draft = Edit(why, by, state.hash, "", (Operation(Kind.SET, tuple(path), old, new),))
    return dataclasses.replace(draft, after=apply(draft, state, strict=False).hash)


def edit_to_plain(edit: Edit) -> dict[str, JsonValue]:
    """The edit as JSON can hold it."""
    plain: dict[str, JsonValue] = json.loads(json.dumps(dataclasses.asdict(edit), ensure_ascii=False))
    return plain


def edit_from_plain(data: JsonValue) -> Edit:
    """The edit that ``edit_to_plain`` gave. Raises HarnessError when it is none."""
    try:
        fields = cast("dict[str, JsonValue]", data)
        operations = cast("list[dict[str, JsonValue]]", fields["operations"])
        made = tuple(
            Operation(
                Kind(str(o["kind"])),
                tuple(str(word) for word in cast("list[JsonValue]", o["path"])),
                o.get("old"),
                o.get("new"),
                int(cast(int, o.get("at", -1))),
            )
            for o in operations
        )
        why, by, before, after = (str(fields[name]) for name in ("why", "by", "before", "after"))
        return Edit(why, by, before, after, made)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise HarnessError(f"this is no edit: {error!r}") from None


def to_line(edit: Edit) -> str:
    """The edit as one line of JSON, without its newline."""
    return json.dumps(edit_to_plain(edit), ensure_ascii=False, sort_keys=True)


def from_line(line: str) -> Edit:
    """The edit of a line. Raises HarnessError when it is none."""
    try:
        return edit_from_plain(json.loads(line))
    except ValueError as error:
        raise HarnessError(f"this is no edit: {error}") from None


def read_edits(path: Path) -> tuple[Edit, ...]:
    """The edits of a JSONL file, oldest first; none when there is no file. Raises HarnessError naming the line."""
    return read_lines(path, from_line)


def read_lines(path: Path, read: Callable[[str], T]) -> tuple[T, ...]:
    """What ``read`` makes of each line of a JSONL file that is not blank; nothing when there is no file.

    Raises:
        HarnessError: a line that ``read`` refuses, by its number.
    """
    if not path.is_file():
        return ()
    found = []
    # Not splitlines: JSON leaves line ends such as U+2028 inside a text as they are.
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                found.append(read(line))
            except (HarnessError, ValueError, TypeError, KeyError, AttributeError) as error:
                raise HarnessError(f"{path}, line {number}: {error}") from None
    return tuple(found)


def append_edits(path: Path, edits: Iterable[Edit]) -> None:
    """Add edits to a JSONL file; without edits none is made."""
    append_lines(path, map(to_line, edits))


def broken_links(edits: Sequence[Edit], state: HarnessState | None = None) -> tuple[str, ...]:
    """Where a history is no chain: an edit that does not start where the one before ended, or an end elsewhere."""
    found = [
        f"edit {number} starts at {edit.before}, the one before ended at {before.after}"
        for number, (before, edit) in enumerate(itertools.pairwise(edits), start=2)
        if edit.before != before.after
    ]
    if state is not None and edits and edits[-1].after != state.hash:
        found.append(f"the last edit ends at {edits[-1].after}, the harness is {state.hash}: edited by hand since")
    return tuple(found)


# -- differences ------------------------------------------------------------------------------------------------------


def _differences(old: HarnessState, new: HarnessState) -> list[Operation]:
    before, after = to_plain(old), to_plain(new)
    return [operation for part in PARTS for operation in _compare((part,), before[part], after[part])]


def _compare(path: Path_, old: JsonValue, new: JsonValue) -> list[Operation]:
    if json.dumps(old) == json.dumps(new):  # unlike ==, this tells 1 from True
        return []
    if path in LISTS:
        return _compare_lists(path, cast("list[JsonValue]", old), cast("list[JsonValue]", new))
    if isinstance(old, dict) and isinstance(new, dict):
        return [o for key in old for o in _compare((*path, key), old[key], new[key])]
    return [Operation(Kind.SET, path, old, new)]


def _compare_lists(path: Path_, old: list[JsonValue], new: list[JsonValue]) -> list[Operation]:
    before = {key_of(path, entry): entry for entry in old}
    after = {key_of(path, entry): entry for entry in new}
    if len(before) < len(old) or len(after) < len(new):  # keys that occur twice lead nowhere: the whole part is set
        return [Operation(Kind.SET, path, old, new)]
    operations = []
    keys = list(before)
    for at in reversed(range(len(keys))):
        if keys[at] not in after:
            operations.append(Operation(Kind.REMOVE, (*path, keys[at]), before[keys[at]], None, at))
            del keys[at]
    for at, key in enumerate(after):
        if key not in before:
            operations.append(Operation(Kind.INSERT, (*path, key), None, after[key], at))
            keys.insert(at, key)
    if keys != list(after):
        operations.append(Operation(Kind.ORDER, path, list(keys), list(after)))
    for key in after:
        if key in before:
            operations += _compare((*path, key), before[key], after[key])
    return operations


def _depth(path: Path_) -> int:
    """How many words of a path name the entry that it is in."""
    for head in LISTS:
        if path[: len(head)] == head:
            return min(len(path), len(head) + 1)
    return min(len(path), 2)


def _rank(operation: Operation) -> int:
    return 0 if operation.kind is Kind.SET else 1


# -- application ------------------------------------------------------------------------------------------------------


def _operate(operation: Operation, plain: dict[str, JsonValue]) -> None:
    path = operation.path
    if not path or path[0] not in PARTS:
        raise HarnessError(unknown("part of a harness", path[0] if path else "", PARTS))
    if operation.kind is Kind.ORDER:
        _reorder(operation, _entries(plain, path))
    elif operation.kind is Kind.INSERT:
        entries = _entries(plain, path[:-1])
        if path[-1] in [key_of(path[:-1], entry) for entry in entries]:
            raise HarnessError(f"{' '.join(path)} is already there")
        entries.insert(operation.at, operation.new)
    elif operation.kind is Kind.REMOVE:
        entries = _entries(plain, path[:-1])
        _expect(operation, _found(plain, path))
        del entries[[key_of(path[:-1], entry) for entry in entries].index(path[-1])]
    else:
        _expect(operation, _found(plain, path))
        _assign(plain, path, operation.new)


def _expect(operation: Operation, value: JsonValue) -> None:
    if value != operation.old:
        raise HarnessError(f"{' '.join(operation.path)} is not what the edit expects: {value!r:.120}")


def _reorder(operation: Operation, entries: list[JsonValue]) -> None:
    keyed = {key_of(operation.path, entry): entry for entry in entries}
    if list(keyed) != operation.old:
        raise HarnessError(f"the order of {' '.join(operation.path)} is not what the edit expects: {', '.join(keyed)}")
    order = [str(key) for key in cast("list[JsonValue]", operation.new)]
    if sorted(order) != sorted(keyed):
        raise HarnessError(f"another order of {' '.join(operation.path)} must hold the same keys")
    entries[:] = [keyed[key] for key in order]


def _entries(plain: JsonValue, path: Path_) -> list[JsonValue]:
    if path not in LISTS:
        raise HarnessError(f"{' '.join(path)} is no ordered part; those are: {', '.join(' '.join(p) for p in LISTS)}")
    return cast("list[JsonValue]", _found(plain, path))


def _found(plain: JsonValue, path: Path_) -> JsonValue:
    value: JsonValue = plain
    for number, word in enumerate(path):
        inner = _members(value, path[:number])
        if word not in inner:
            raise HarnessError(f"{' '.join(path)}: {unknown('step', word, inner)}")
        value = inner[word]
    return value


def _members(value: JsonValue, path: Path_) -> Mapping[str, JsonValue]:
    if isinstance(value, dict):
        return value
    if isinstance(value, list) and path in LISTS:
        return {key_of(path, entry): entry for entry in value}
    return {}


def _assign(plain: dict[str, JsonValue], path: Path_, new: JsonValue) -> None:
    holder = _found(plain, path[:-1])
    if isinstance(holder, dict):
        holder[path[-1]] = new
    else:  # an entry as a whole
        entries = cast("list[JsonValue]", holder)
        entries[[key_of(path[:-1], entry) for entry in entries].index(path[-1])] = new


def _kind(value: JsonValue) -> str:
    names = {bool: "a flag", int: "a number", str: "text", list: "a list", dict: "a group"}
    return names.get(type(value), "nothing")
