"""How many ticks of one second do parametric viewers manage in a CPU-second, by the number present?

Run: ``python benchmarks/bench_viewers.py [--viewers 20 --viewers 10000] [--ticks 600] [--repeats 5]``. A tick is one
second of stream time: everybody comes, leaves, writes in words, clicks, orders, pays and returns as in the preset
``small_room``, with two comments a minute for each 30 viewers. "world" is the audience with its guard alone; "stream"
the whole simulator, in which every act becomes an event; no request is taken.
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Callable
from typing import Annotated

import numpy as np
import typer

from livesim.scenarios.opening import open_stream, room_info
from livesim.scenarios.script import CatalogConfig, Scenario
from livesim.simulator import Simulator
from livesim.world.audience import Guarded
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import RoomMoment, ViewerConfig
from livesim.world.viewing.presets import preset

TALK = 2.0 / 30.0
"""Comments a minute for each viewer. *Source:* the middle of docs/domain.md section 2."""

WARM_UP = 120
"""Ticks before the clock runs: the first minutes of a stream have a rush."""


def room(viewers: float) -> Scenario:
    """A stream of two hours with so many viewers in the mean."""
    size = {"viewers": viewers, "comments_per_min": TALK * viewers}
    numbers = ViewerConfig.model_validate(preset("small_room").model_dump() | size)
    return Scenario(name="bench", catalog=CatalogConfig(items=(8, 8)), viewers=numbers, horizon_s=7200.0)


def world_tick(viewers: float, seed: int) -> Callable[[], None]:
    """One second of the audience alone."""
    scenario = room(viewers)
    stream = open_stream(scenario, seed)
    guard = Guarded(ParametricViewers(scenario.viewers))
    guard.reset(seed, room_info(scenario, stream))
    clock_s = 0.0

    def tick() -> None:
        nonlocal clock_s
        guard.window(RoomMoment(clock_s, stream.on_air, stream.catalog.links), 1.0)
        clock_s += 1.0

    return tick


def stream_tick(viewers: float, seed: int) -> Callable[[], None]:
    """One second of the whole simulator."""
    simulator = Simulator(room(viewers), seed)

    def tick() -> None:
        simulator.spend(1.0)

    return tick


def ticks_per_s(make: Callable[[float, int], Callable[[], None]], viewers: float, ticks: int, seed: int) -> float:
    """Ticks in a CPU-second of this process, after ``WARM_UP``."""
    tick = make(viewers, seed)
    for _ in range(WARM_UP):
        tick()
    start_s = time.process_time()
    for _ in range(ticks):
        tick()
    return ticks / (time.process_time() - start_s)


def main(
    viewers: Annotated[list[int] | None, typer.Option(help="mean number present; repeat for several")] = None,
    ticks: Annotated[int, typer.Option(help="seconds of stream time a run", min=1)] = 600,
    repeats: Annotated[int, typer.Option(help="runs of different seeds; the median counts", min=1)] = 5,
) -> None:
    """Print a line for each number of viewers."""
    print(f"Python {sys.version.split()[0]}, numpy {np.__version__}; {ticks} ticks of 1 s, median of {repeats} seeds")
    print(f"{'viewers':>8} {'world ticks/CPU-s':>18} {'stream ticks/CPU-s':>19} {'peak memory MiB':>16}")
    for number in viewers or (20, 1_000, 10_000, 100_000):
        world, stream = (
            statistics.median(ticks_per_s(make, number, ticks, seed) for seed in range(repeats))
            for make in (world_tick, stream_tick)
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{number:>8} {world:>18,.0f} {stream:>19,.0f} {peak:>16,.0f}")


if __name__ == "__main__":
    typer.run(main)
