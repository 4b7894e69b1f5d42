"""What a run ran on, and how much memory it took at most."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

GIB = 1024**3
EVERY_S = 10.0


def describe() -> str:
    """Processor, cores and memory in one line."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((text.partition(":")[2].strip() for text in lines if text.startswith("model name")), model)
    except OSError:
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        memory = f", {os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / GIB:.0f} GiB"
    except (ValueError, OSError):
        memory = ""
    return f"{cores} cores of {model}{memory}, {platform.system()}, Python {platform.python_version()}"


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
