"""``script`` viewers: a YAML list of who says what when, with the hidden meaning of each line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator, model_validator

from livesim.config import StrictModel, load_yaml, parse
from livesim.errors import ViewerError, unknown
from livesim.types import Intent
from livesim.world.needs import ABOUT_ITEM
from livesim.world.viewers import RoomInfo, RoomMoment, ViewerComment, Want
from livesim.world.viewing.slots import SLOTS, slot_problem
from livesim.world.viewing.timed import TimedViewers


class ScriptWant(StrictModel):
    """One thing that a line asks for.

    Attributes:
        intent: what is wanted.
        link: link number of the item it is about.
        item: the same by its place in the list, 1 for the first; for catalogues that differ from seed to seed.
        slots: details that the answer depends on, see ``livesim.world.viewers.Want``.
    """

    intent: Intent
    link: int | None = Field(default=None, ge=1)
    item: int | None = Field(default=None, ge=1)
    slots: dict[str, int | str] = Field(default_factory=dict)

    @field_validator("slots")
    @classmethod
    def _known(cls, slots: dict[str, int | str]) -> dict[str, int | str]:
        for name in slots:
            if name not in SLOTS:
                raise ValueError(unknown("slot", name, SLOTS))
        if problem := slot_problem(slots):
            raise ValueError(problem)
        return slots

    @model_validator(mode="after")
    def _one_item(self) -> ScriptWant:
        if self.link is not None and self.item is not None:
            raise ValueError("say either link or item, not both")
        if self.intent in ABOUT_ITEM and self.link is None and self.item is None:
            raise ValueError(f"the intent {self.intent} is about an item: say its link or item")
        if self.intent is Intent.SIZE and not {"height_cm", "weight_kg"} <= set(self.slots):
            raise ValueError("a size question needs the slots height_cm and weight_kg")
        return self


class ScriptLine(ScriptWant):
    """A line of the script.

    Attributes:
        at_s: when, seconds of stream time.
        viewer: who.
        text: what everybody reads; ``{link}`` and ``{title}`` stand for the item's number and title.
        more: further wants of the same line.
    """

    at_s: float = Field(ge=0, le=86_400)
    viewer: str = Field(min_length=1, max_length=60)
    text: str = Field(min_length=1, max_length=2000)
    more: tuple[ScriptWant, ...] = ()


class Script(StrictModel):
    """A whole script; in a file the bare list of lines is enough."""

    kind: Literal["script"] = "script"
    lines: tuple[ScriptLine, ...] = Field(min_length=1)


class ScriptViewers(TimedViewers[ScriptLine]):
    """Says the lines of a script at their seconds, whatever the host does.

    Args:
        script: the script, or the YAML file that holds it.

    Raises:
        ConfigError: the file is missing or wrong; names the line of the script and the field.
    """

    def __init__(self, script: Script | Path | str) -> None:
        self.script = script if isinstance(script, Script) else read_script(Path(script))
        super().__init__(self.script.lines)
        self._links: tuple[int, ...] = ()

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start again. Raises ViewerError when a line is about the sixth item of a list of five."""
        super().reset(seed, room)
        self._links = tuple(item.link for item in room.items)
        for line in self.lines:
            for want in (line, *line.more):
                if want.item is not None and want.item > len(self._links):
                    raise ViewerError(
                        f"script line at {line.at_s} s, {line.viewer}: item {want.item} of {len(self._links)}"
                    )

    def say(self, line: ScriptLine, room: RoomMoment) -> ViewerComment:
        """The comment of a line."""
        first, *more = (Want(want.intent, self._link(want), want.slots) for want in (line, *line.more))
        item = self._items.get(first.link or 0)
        filling = {"link": str(first.link or ""), "title": item.title if item else f"link {first.link}"}
        text = _fill(line.text, filling)
        return ViewerComment(line.viewer, text, first.intent, first.link, first.slots, line.at_s, tuple(more))

    def _link(self, want: ScriptWant) -> int | None:
        return self._links[want.item - 1] if want.item is not None else want.link


def read_script(path: Path) -> Script:
    """The script in a YAML file: a list of lines, or ``{kind: script, lines: [...]}``. Raises ConfigError."""
    data = load_yaml(path)
    return parse(Script, {"lines": data} if isinstance(data, list) else data, str(path))


def _fill(text: str, filling: Mapping[str, str]) -> str:
    for name, value in filling.items():
        text = text.replace("{" + name + "}", value)
    return text
