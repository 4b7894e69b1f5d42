"""The shelf of built-in harnesses: by name, by folder, or a state handed through."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from livesim.errors import HarnessError, unknown
from livesim.harness.folder import load_folder
from livesim.harness.state import HarnessState
from livesim.tools.builtin import SPECS
from livesim.tools.spec import ToolSpec

SHELF = Path(__file__).parent / "library"


def names() -> tuple[str, ...]:
    """Names of the built-in harnesses, sorted."""
    return tuple(sorted(folder.name for folder in SHELF.iterdir() if (folder / "tools.yaml").is_file()))


def load(harness: str | Path | HarnessState, specs: Mapping[str, ToolSpec] = SPECS) -> HarnessState:
    """A harness by name, by folder, or as it is.

    Args:
        harness: which one.
        specs: tools that a folder may show beside the built-in ones.

    Raises:
        HarnessError: no such name or folder, or a folder that cannot be used.
    """
    if isinstance(harness, HarnessState):
        return harness
    if isinstance(harness, str) and harness in names():
        return _built_in(harness)
    path = Path(harness)
    if path.is_dir():
        return load_folder(path, {**SPECS, **specs})
    raise HarnessError(f"{unknown('harness', str(harness), names())}; it is no folder either")


@cache
def _built_in(name: str) -> HarnessState:
    """Frozen, so that it can be read once and shared."""
    return load_folder(SHELF / name)
