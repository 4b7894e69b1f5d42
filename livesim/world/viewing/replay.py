"""``replay`` viewers: the comments of a recorded stream, at their own pace, in this room."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from livesim.config import StrictModel
from livesim.types import Intent
from livesim.world.needs import ABOUT_ITEM
from livesim.world.viewers import ItemInfo, RoomInfo, RoomMoment, ViewerComment, Want
from livesim.world.viewing.intents import guess
from livesim.world.viewing.logs.load import Cut, load_log
from livesim.world.viewing.logs.records import Columns, Said
from livesim.world.viewing.logs.report import LoadReport
from livesim.world.viewing.timed import TimedViewers


class ReplayConfig(StrictModel):
    """What is replayed.

    Attributes:
        file: the export; a relative path starts at the configuration file, if there is one.
        format: one of ``livesim.world.viewing.logs.formats.FORMATS``, or ``"auto"``.
        columns: for tables.
        start_s: begin so many seconds after the first comment.
        end_s: stop there, counted likewise.
        speed: 2 replays twice as fast.
        keep_names: show the names of the log; otherwise viewers are numbered, also where they are mentioned.
    """

    kind: Literal["replay"] = "replay"
    file: str = Field(min_length=1)
    format: str = "auto"
    columns: Columns = Columns()
    start_s: float = Field(default=0.0, ge=0)
    end_s: float | None = Field(default=None, gt=0)
    speed: float = Field(default=1.0, gt=0, le=1000)
    keep_names: bool = False

    @model_validator(mode="after")
    def _forward(self) -> ReplayConfig:
        if self.end_s is not None and self.end_s <= self.start_s:
            raise ValueError(f"end_s {self.end_s} must lie after start_s {self.start_s}")
        return self


class ReplayViewers(TimedViewers[Said]):
    """Says the comments of a log at their seconds, whatever the host does.

    A log without labels says nothing of what its writers meant: ``intents.guess`` makes a need only where a rule is
    sure, and the rest is small talk. Which share that is, ``sure_share`` says after the stream.

    Args:
        config: what to replay, or the file of the log.
        folder: where relative files start.

    Raises:
        ViewerError: the log cannot be read; names the file and the line.
    """

    def __init__(self, config: ReplayConfig | Path | str, folder: Path | None = None) -> None:
        self.config = config if isinstance(config, ReplayConfig) else ReplayConfig(file=str(config))
        log = load_log(
            (folder or Path()) / self.config.file,
            format_name=self.config.format,
            columns=self.config.columns,
            cut=Cut(self.config.start_s, self.config.end_s, self.config.speed, self.config.keep_names),
        )
        super().__init__(log.comments)
        self.report: LoadReport = log.report
        self._said = self._sure = 0

    @property
    def sure_share(self) -> float:
        """Share of the comments so far whose intent was a label or a sure guess; 1 before the first."""
        return self._sure / self._said if self._said else 1.0

    def reset(self, seed: int, room: RoomInfo) -> None:
        """Start again from the first comment."""
        super().reset(seed, room)
        self._said = self._sure = 0

    def say(self, line: Said, room: RoomMoment) -> ViewerComment:
        """The comment in this room: its label, or what it most likely wants."""
        wants, sure = self._labelled(line, room) or guess(line.text, self._listed(room), room.on_air)
        self._said += 1
        self._sure += sure
        first, *more = wants
        return ViewerComment(line.name, line.text, first.intent, first.link, first.slots, line.at_s, tuple(more))

    def _listed(self, room: RoomMoment) -> dict[int, ItemInfo]:
        return {link: self._items[link] for link in room.listed if link in self._items}

    def _labelled(self, line: Said, room: RoomMoment) -> tuple[tuple[Want, ...], bool] | None:
        if line.intent is None:
            return None
        guessed = next(
            (w for w in guess(line.text, self._listed(room), room.on_air).wants if w.intent is line.intent), None
        )
        link = line.link
        if link is None and line.intent in ABOUT_ITEM:
            link = guessed.link if guessed else room.on_air
            if not link:
                return None
        slots = guessed.slots if guessed else {}
        if line.intent is Intent.SIZE and "height_cm" not in slots:
            return None  # without a body there is no right size
        return (Want(line.intent, link, slots),), True
