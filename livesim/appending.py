"""append_lines: lines added to a JSONL file that a kill may have cut short, without gluing them to the torn one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Add lines, each a JSON value without its newline; they are on disk when the call returns.

    What stands behind the last newline is closed off where it is a whole JSON value (a file edited by hand), and cut
    away where it is not (a process died while it wrote). Without lines the file is left alone, or not made.

    Raises:
        OSError: the file cannot be written.
    """
    text = "".join(f"{line}\n" for line in lines)
    if not text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        file.seek(0)
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if _is_json(data[whole:]):
            text = "\n" + text
        else:
            file.truncate(whole)
        file.write(text.encode("utf-8", "backslashreplace"))  # lone surrogates as JSON writes them
        file.flush()
        os.fsync(file.fileno())


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True
