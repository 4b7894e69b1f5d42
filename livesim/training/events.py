"""The metrics of a stage as TensorBoard events beside their JSON lines; nothing is written where it isn't installed."""

from __future__ import annotations

import json
import math
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

FOLDER = "tensorboard"
"""Beside the stages of a run: ``tensorboard --logdir runs/NAME/tensorboard``."""


class Events:
    """Event file of one stage, ``<run>/tensorboard/<stage>``; begins with the steps that ``metrics.jsonl`` holds.

    It is written anew when a stage goes on: steps that a stopped run did but did not save are forgotten there too.

    Args:
        stage: folder of the stage.
    """

    def __init__(self, stage: Path) -> None:
        self._writer: Any = None
        try:
            from tensorboard.summary.writer.event_file_writer import EventFileWriter
        except ImportError:
            return
        out = stage.resolve().parent / FOLDER / stage.resolve().name
        shutil.rmtree(out, ignore_errors=True)
        self._writer = EventFileWriter(str(out))
        path = stage / "metrics.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            self.add(json.loads(line))

    def add(self, metrics: Mapping[str, float]) -> None:
        """One step; ``metrics["step"]`` is its number."""
        if self._writer is None:
            return
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        shown = [
            Summary.Value(tag=name, simple_value=value)
            for name, value in metrics.items()
            if name not in ("step", "at_s") and math.isfinite(value)
        ]
        self._writer.add_event(Event(step=int(metrics["step"]), wall_time=time.time(), summary=Summary(value=shown)))
        self._writer.flush()

    def __enter__(self) -> Events:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.close()
