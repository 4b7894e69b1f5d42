"""A file of one JSON line a record, appended as they come; a line that a kill cut short is dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from livesim.appending import append_lines
from livesim.errors import ConfigError


class Identified(Protocol):
    """A record with an id that is unique in its file."""

    @property
    def id(self) -> str:
        """Stable from run to run."""


T = TypeVar("T", bound=Identified)


class LineFile(Generic[T]):
    """The records of one file.

    Args:
        path: of the file; it need not be there yet.
        encode: a record as one line, without its newline.
        decode: the record of a line; raises ValueError, TypeError, KeyError or AttributeError when it is none.
    """

    def __init__(self, path: Path, encode: Callable[[T], str], decode: Callable[[str], T]) -> None:
        self.path = path
        self._encode = encode
        self._decode = decode

    def read(self) -> list[T]:
        """What is there, the last record of each id winning, in order of first appearance.

        Raises:
            ConfigError: a line before the last one is broken.
        """
        if not self.path.exists():
            return []
        lines = self.path.read_bytes().split(b"\n")
        records: dict[str, T] = {}
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                record = self._decode(line.decode("utf-8"))
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                if number == len(lines):
                    break  # no newline after it: the process died while writing
                raise ConfigError(f"{self.path}, line {number} is no record: {error}") from None
            records[record.id] = record
        return list(records.values())

    def append(self, records: Iterable[T]) -> None:
        """Add records; each is on disk when the call returns."""
        append_lines(self.path, map(self._encode, records))
