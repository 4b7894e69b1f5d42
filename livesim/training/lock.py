"""One process a run at a time."""

from __future__ import annotations

import fcntl
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from livesim.errors import ConfigError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run's folder; the kernel drops it when the process dies, however it dies.

    Raises:
        ConfigError: another process holds it; names that one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise ConfigError(f"{holder} works on {folder}; wait for it or choose another name") from None
        file.truncate(0)
        file.write(f"process {os.getpid()} on {platform.node()}\n")
        file.flush()
        yield
