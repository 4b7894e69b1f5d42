"""``VerdictCache``: verdicts on disk under a hash of all they depend on, one small file each."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from pathlib import Path

from livesim.errors import ConfigError
from rewards.signals import Signals
from rewards.stored import plain
from rewards.verdict import Verdict

FORMAT = 1
"""Raised when old verdicts no longer count."""


def case_key(signals: Signals, head: str, judge: str, vote: int) -> str:
    """Hash of everything that a verdict depends on; the request's id is no part of it, equal cases share one.

    Args:
        signals: the case.
        head: what is decided.
        judge: model, sampling and harness of the judge.
        vote: which of its votes, from 0.
    """
    content = plain(signals)
    if isinstance(content, dict):
        content.pop("request_id")
    whole = {"format": FORMAT, "head": head, "judge": judge, "vote": vote, "signals": content}
    return hashlib.sha256(json.dumps(whole, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


class VerdictCache:
    """A folder of verdicts. A file that can't be read counts as absent; writing is atomic.

    Args:
        folder: made when the first verdict is kept; None: nothing is kept.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, key: str) -> Verdict | None:
        """The verdict kept under a key."""
        if self._folder is None:
            return None
        try:
            data = json.loads(self._path(self._folder, key).read_text(encoding="utf-8"))
            return Verdict(float(data["value"]), tuple(str(reason) for reason in data["reasons"]))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def put(self, key: str, verdict: Verdict) -> None:
        """Keep a verdict. Raises ConfigError naming the folder when it cannot be written."""
        if self._folder is None:
            return
        path = self._path(self._folder, key)
        text = json.dumps({"value": verdict.value, "reasons": verdict.reasons}, ensure_ascii=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # a draft of its own: two runs may keep the same verdict at once
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(path)
        except OSError as error:
            raise ConfigError(f"verdicts cannot be kept in {self._folder}: {error}") from error

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / key[:2] / f"{key[2:]}.json"
