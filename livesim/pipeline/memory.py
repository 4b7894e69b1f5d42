"""``Memory``: how much of it a run took at most."""

from __future__ import annotations

import time

from livesim.evaluation.machine import GIB

EVERY_S = 10.0


class Memory:
    """Samples the memory of this process and everything below it; shared pages count once."""

    def __init__(self) -> None:
        self.peak_gib = 0.0
        self._sampled_s = -EVERY_S

    def sample(self) -> None:
        """Look, at most every ten seconds. Without psutil, or where pages cannot be read, nothing is measured."""
        now_s = time.monotonic()
        if now_s - self._sampled_s < EVERY_S:
            return
        self._sampled_s = now_s
        try:
            import psutil
        except ImportError:
            return
        total = 0
        me = psutil.Process()
        for process in (me, *me.children(recursive=True)):
            try:
                total += getattr(process.memory_full_info(), "pss", 0)
            except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
                continue
        self.peak_gib = max(self.peak_gib, total / GIB)
