"""``PlayedBy``: who plays the viewers when neither numbers nor written lines do: a log, a model, a plug-in."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, JsonValue, PrivateAttr, model_validator

from livesim.config import StrictModel
from livesim.errors import LiveSimError
from livesim.world.viewers import ViewerConfig, ViewerSimulator
from livesim.world.viewing import sources
from livesim.world.viewing.presets import preset, presets


class PlayedBy(StrictModel):
    """Viewers by kind. In a scenario file it is written ``viewers: {kind: replay, file: chat.json}``.

    Attributes:
        kind: ``replay``, ``llm``, or any name that ``viewers=`` takes: a plug-in, ``demo:ARGUMENT``, ``module:Class``.
        settings: the other fields, of ``replay`` and ``llm``; a name takes none.
    """

    kind: str = Field(min_length=1)
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    _folder: Path = PrivateAttr(default_factory=Path)

    @model_validator(mode="after")
    def _known(self) -> PlayedBy:
        try:
            sources.check(self.kind, self.settings)
        except LiveSimError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def written(self) -> bool:
        """A log or a script: nothing that happens makes anybody say more."""
        return self.kind.partition(":")[0] in ("replay", "script")

    def beside(self, folder: Path) -> None:
        """Relative files are looked for in this folder: the one of the scenario's file."""
        self._folder = folder

    def make(self, numbers: ViewerConfig) -> ViewerSimulator | str:
        """The viewers, or the name that means them.

        Args:
            numbers: of the parametric viewers whose comments a model words.

        Raises:
            ViewerError: a log that cannot be read; names file and line.
        """
        if self.settings:
            return sources.made(self.kind, self.settings, numbers, self._folder)
        return sources.beside(self.kind, self._folder)


def split(data: dict[str, object]) -> dict[str, object]:
    """A scenario's fields with ``viewers`` sorted: numbers stay, lines become ``says``, any other kind ``played_by``.

    Args:
        data: as written in a file: ``viewers`` may be a mapping (with ``kind`` unless it is parametric) or a name.

    Raises:
        ValueError: lines are written twice, or settings stand beside a name.
    """
    viewers = data.get("viewers")
    if isinstance(viewers, str):
        viewers = {"kind": viewers}
    if not isinstance(viewers, dict) or "kind" not in viewers:
        return data
    kind = str(viewers["kind"])
    rest = {name: value for name, value in viewers.items() if name != "kind"}
    data = {name: value for name, value in data.items() if name != "viewers"}
    if kind == "parametric":
        return data | {"viewers": rest}
    if kind in presets():
        return data | {"viewers": preset(kind).model_dump() | rest}
    if kind == "script":
        if data.get("says"):
            raise ValueError("give the lines once: as says, or as viewers of kind script")
        if set(rest) != {"lines"} or not rest["lines"]:
            raise ValueError(f"viewers of kind script hold lines and nothing else, got {sorted(rest) or 'nothing'}")
        return data | {"says": rest["lines"]}
    return data | {"played_by": {"kind": kind, "settings": rest}}
