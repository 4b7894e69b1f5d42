"""``describe``: what an evaluation or a run ran on, in one line."""

from __future__ import annotations

import os
import platform
from pathlib import Path

GIB = 1024**3


def describe() -> str:
    """Processor, cores that this process may use, memory, system and Python."""
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
