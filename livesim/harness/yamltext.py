"""YAML as a person would write it, and one value of a YAML text replaced with the rest left as it is."""

from __future__ import annotations

import re
from enum import StrEnum

import yaml

_LINE = re.compile(r"^(\s*(?:- )?)([\w-]+):[ \t]+(\S.*)$")


def dumped(value: object) -> str:
    """YAML in the order given, any script readable, long lines unbroken."""
    return yaml.dump(value, Dumper=_Flow, sort_keys=False, allow_unicode=True, width=10_000)


def replaced(text: str, key: str, old: object, new: object) -> str:
    """The text with the first ``key: old`` on a line of its own set to ``new``; as it was when there is none.

    Args:
        text: YAML in block style.
        key: name of the value, at any depth.
        old: what stands there.
        new: what shall stand there, on one line.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        match = _LINE.match(line)
        if match and match.group(2) == key and _value(match.group(3)) == old:
            comment = re.search(r"\s+#.*$", match.group(3)) if match.group(3)[0] not in "'\"" else None
            lines[number] = f"{match.group(1)}{dumped({key: new}).rstrip()}{comment.group() if comment else ''}"
            break
    return "\n".join(lines)


def _value(text: str) -> object:
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return None


class _Flow(yaml.SafeDumper):
    """Block style outside, lists of plain values on one line."""


def _represent_list(dumper: yaml.SafeDumper, value: list[object]) -> yaml.Node:
    plain = all(isinstance(item, str | int | float | bool) and not isinstance(item, StrEnum) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=plain)


_Flow.add_representer(list, _represent_list)
