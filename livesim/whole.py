"""write_whole: a file has all of its new text or is as it was before, wherever a kill hits; pictures by ``drafted``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text file in UTF-8, its folder included, in place of what stood there.

    Raises:
        OSError: the file cannot be written; what stood there still does.
    """
    with drafted(path) as draft:
        draft.write_text(text, encoding="utf-8")


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """A path beside ``path``, with its suffix, to write to; at the end it takes the place of ``path``.

    When the block raises, the draft goes and ``path`` stays as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}.part{path.suffix}")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
