"""What every run needs around its steps: a watcher that samples memory, facts for the report."""

from __future__ import annotations

import datetime
from collections.abc import Mapping

from livesim.evaluation.machine import describe
from livesim.pipeline.memory import Memory
from livesim.pipeline.steps import Clock, Step
from livesim.pipeline.watcher import Lines, spoken


class Watch(Lines):
    """The lines, and the memory behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory()

    def tick(self, step: Step, share: float, elapsed_s: float, clock: Clock) -> None:
        """Sample and say."""
        self.memory.sample()
        super().tick(step, share, elapsed_s, clock)


def facts(seconds: Mapping[str, float], memory: Memory) -> tuple[tuple[str, str], ...]:
    """When, where, how long and in how much memory."""
    found = [
        ("date", datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")),
        ("machine", describe()),
        ("all steps", spoken(sum(seconds.values()))),
        *((f"step {name}", spoken(took)) for name, took in seconds.items()),
    ]
    if memory.peak_gib:
        found.append(("most memory in this call", f"{memory.peak_gib:.1f} GiB"))
    return tuple(found)
