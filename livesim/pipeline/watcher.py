"""Shows what a pipeline is doing and about how long it will still take."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from livesim.pipeline.steps import Clock, Step, Watcher

EVERY_S = 20.0  # between lines when the output is no terminal


class Lines(Watcher):
    """One line a step on a terminal, rewritten in place; elsewhere (a log) a line now and then.

    Args:
        out: where to; standard error by default, so that the table can be piped.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr
        self._live = self.out.isatty()
        self._place = ""
        self._said_s = 0.0
        self._width = 0

    def begin(self, step: Step, number: int, total: int, clock: Clock) -> None:
        """Say which step starts."""
        self._place = f"[{number}/{total}]"
        self._said_s = 0.0
        self.tick(step, 0.0, 0.0, clock)

    def tick(self, step: Step, share: float, elapsed_s: float, clock: Clock) -> None:
        """Say how far it is, not too often."""
        now_s = time.monotonic()
        if now_s - self._said_s < (0.5 if self._live else EVERY_S):
            return
        self._said_s = now_s
        left_s = clock.left_s(step.name, elapsed_s, share)
        self._say(f"{self._place} {step.title}: {share:4.0%}, {spoken(elapsed_s)}; all done in about {spoken(left_s)}")

    def end(self, step: Step, seconds: float, skipped: bool, clock: Clock) -> None:
        """Say that it is over."""
        self._say(f"{step.title}: done{' before' if skipped else ''} ({spoken(seconds)})", last=True)

    def _say(self, text: str, *, last: bool = False) -> None:
        if not self._live:
            print(text, file=self.out, flush=True)
            return
        blank = " " * max(0, self._width - len(text))
        print(f"\r{text}{blank}", end="\n" if last else "", file=self.out, flush=True)
        self._width = 0 if last else len(text)


def spoken(seconds: float) -> str:
    """``"42 s"`` or ``"3 min 05 s"``."""
    whole = round(seconds)
    return f"{whole} s" if whole < 60 else f"{whole // 60} min {whole % 60:02d} s"
