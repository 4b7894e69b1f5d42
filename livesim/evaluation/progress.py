"""``progress``: one bar a suite while an evaluation goes on, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

Tick: TypeAlias = Callable[[str, int, int], None]
"""Told of progress: suite, episodes (or prompts) done, episodes in all."""


@contextmanager
def progress(who: str, totals: Mapping[str, int], *, shown: bool) -> Iterator[Tick]:
    """Bars that a tick moves.

    Args:
        who: plays.
        totals: suite -> episodes (or prompts) in all.
        shown: whether there are any; they need the ``cli`` extra.
    """
    if not shown:
        yield lambda suite, done, total: None
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    name = TextColumn("{task.description}", markup=False)
    with Progress(name, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()) as bars:
        tasks = {suite: bars.add_task(f"{who}: {suite}", total=total) for suite, total in totals.items()}
        yield lambda suite, done, total: bars.update(tasks[suite], completed=done, total=total)
