"""Named presets of the parametric viewers: ``livesim/world/presets/*.yaml``, shipped with the package."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from livesim.config import load_yaml, parse
from livesim.errors import ViewerError, unknown
from livesim.world.viewers import ViewerConfig

FOLDER = Path(__file__).parents[1] / "presets"


class ParametricFile(ViewerConfig):
    """Parametric viewers as a file: ``kind: parametric`` and any fields of ``ViewerConfig``."""

    kind: Literal["parametric"] = "parametric"

    @property
    def numbers(self) -> ViewerConfig:
        """Without the kind."""
        return ViewerConfig.model_validate(self.model_dump(exclude={"kind"}))


@lru_cache(maxsize=1)
def presets() -> tuple[str, ...]:
    """Names, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


@lru_cache(maxsize=64)
def preset(name: str) -> ViewerConfig:
    """The numbers of a preset. Raises ViewerError naming the known ones."""
    if name not in presets():
        raise ViewerError(unknown("preset of viewers", name, presets()))
    path = FOLDER / f"{name}.yaml"
    return parse(ParametricFile, load_yaml(path), str(path)).numbers
