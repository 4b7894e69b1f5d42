"""How many assistant turns and resets does a CPU-second of the environment give, and where does a turn's time go?

The agent is scripted and costs next to nothing: it loads a skill, checks the price and the stock of the item on air,
and says the price. Everything else is real: drawn viewers, tools, hooks, heads, observation and info. Figures are
medians over repeats that take turns with each other, in seconds of ``time.process_time``. Other work on the machine
slows them down all the same (shared caches and cores), so compare figures of one run only.
"""

from __future__ import annotations

import platform
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TypeAlias
from unittest import mock

import typer

import livesim.env
import livesim.harness.session
from livesim.env import LiveStreamEnv
from livesim.harness.session import Session
from livesim.scenarios.script import CatalogConfig, Scenario
from livesim.simulator import Simulator
from livesim.tally import Ledger
from livesim.tools.toolbox import Toolbox
from livesim.world.audience import Guarded
from livesim.world.viewers import ViewerConfig

HARNESSES = ("default", "compact")

ROOMS: Mapping[str, Sequence[tuple[Any, str]]] = {
    "prompt": ((livesim.harness.session, "system_prompt"), (livesim.harness.session, "request_message")),
    "session": ((Session, "__init__"), (Session, "feed"), (Session, "give")),
    "tools": ((Toolbox, "call"),),
    "viewers": ((Guarded, "window"), (Guarded, "react")),
    "stream": (
        (Simulator, "next_request"),
        (Simulator, "call"),
        (Simulator, "spend"),
        (Simulator, "truth"),
        (Simulator, "check"),
        (Simulator, "speak"),
        (Simulator, "close"),
    ),
    "rewards": ((livesim.env, "score"), (livesim.env, "recovery")),
    "tally": ((livesim.env, "count_tokens"), (Ledger, "__init__"), (Ledger, "result"), (Ledger, "signals")),
    "observation": ((LiveStreamEnv, "_observation"), (LiveStreamEnv, "_info")),
}
"""Where time can go: the functions that open each room; what they call outside of other rooms is theirs."""

Work: TypeAlias = Callable[[int], int]
"""Does the work of one repeat, by its number; returns how many turns or resets that was."""

_LINK = re.compile(r"link (\d+)")
_PRICE = re.compile(r'"after_coupons":"([^"]+)"')


def scripted(messages: Sequence[Mapping[str, str]]) -> str:
    """The next turn of a request, four in all."""
    found = _LINK.search(messages[1]["content"])  # the item on air stands first
    link = found[1] if found else "1"
    turn = sum(message["role"] == "assistant" for message in messages)
    if turn == 0:
        return '<tool_call>{"name":"load_skill","arguments":{"skill":"price_promo"}}</tool_call>'
    if turn == 1:
        return f'<tool_call>{{"name":"price_check","arguments":{{"link":{link}}}}}</tool_call>'
    if turn == 2:
        return f'<tool_call>{{"name":"stock_check","arguments":{{"link":{link}}}}}</tool_call>'
    price = _PRICE.search("".join(message["content"] for message in messages[2:]))
    return f"Friends, link {link} is {price[1]} after coupons." if price else f"Friends, link {link} is on screen."


def room(viewers: float) -> Scenario:
    """Ten minutes with so many viewers; the rest are the defaults."""
    return Scenario(name="bench", catalog=CatalogConfig(items=(6, 6)), viewers=ViewerConfig(viewers=viewers))


def turns(env: LiveStreamEnv, seeds: Sequence[int]) -> int:
    """Play whole episodes; returns how many turns that took."""
    taken = 0
    for seed in seeds:
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(scripted(info["messages"]))
            over = terminated or truncated
            taken += 1
    return taken


def resets(env: LiveStreamEnv, seeds: Sequence[int]) -> int:
    """Open episodes and leave them."""
    for seed in seeds:
        env.reset(seed=seed)
    return len(seeds)


def rates(works: Mapping[str, Work], repeats: int) -> dict[str, list[float]]:
    """Units of work per CPU-second, ``repeats`` times each; the works take turns, so that a busy minute hits all."""
    found: dict[str, list[float]] = {name: [] for name in works}
    for work in works.values():
        work(0)  # what is read or compiled once does not count
    for repeat in range(1, repeats + 1):
        for name, work in works.items():
            start_s = time.process_time()
            done = work(repeat)
            found[name].append(done / (time.process_time() - start_s))
    return found


@contextmanager
def watched(spent: dict[str, float]) -> Iterator[None]:
    """Add to ``spent`` the seconds inside each room, less those of rooms entered from it."""
    inner: list[float] = [0.0]

    def watch(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            inner.append(0.0)
            start_s = time.process_time()
            try:
                return function(*args, **kwargs)
            finally:
                took_s = time.process_time() - start_s
                spent[name] += took_s - inner.pop()
                inner[-1] += took_s

        return timed

    with ExitStack() as stack:
        for name, doors in ROOMS.items():
            for owner, attribute in doors:
                stack.enter_context(mock.patch.object(owner, attribute, watch(name, getattr(owner, attribute))))
        yield


def shares(env: LiveStreamEnv, seeds: Sequence[int]) -> dict[str, float]:
    """Share of the time of whole episodes by room; ``env`` is what is left: the environment itself and the agent."""
    spent = dict.fromkeys(ROOMS, 0.0)
    start_s = time.process_time()
    with watched(spent):
        turns(env, seeds)
    whole_s = time.process_time() - start_s
    return {**{name: spent[name] / whole_s for name in ROOMS}, "env": 1.0 - sum(spent.values()) / whole_s}


def lines(viewers: float, repeats: int, streams: int, seed: int) -> Iterator[str]:
    """The report, as it becomes known."""
    scenario = room(viewers)
    envs = {name: LiveStreamEnv(scenario, name, requests=None) for name in HARNESSES}

    def work(play: Callable[[LiveStreamEnv, Sequence[int]], int], env: LiveStreamEnv, episodes: int) -> Work:
        return lambda repeat: play(env, _seeds(seed, repeat, episodes))

    works = {f"turns, {name}, whole streams": work(turns, env, streams) for name, env in envs.items()}
    short = LiveStreamEnv(scenario, "default", requests=1)
    works["turns, default, one request a reset"] = work(turns, short, 5 * streams)
    for title, augment in (("no HSA", None), ("HSA train", "train")):
        works[f"resets, default, {title}"] = work(resets, LiveStreamEnv(scenario, "default", augment), 10 * streams)
    yield f"{'per CPU-second':<40}{'median':>9}{'lowest':>9}{'highest':>9}"
    for name, values in rates(works, repeats).items():
        yield f"{name:<40}{statistics.median(values):>9,.0f}{min(values):>9,.0f}{max(values):>9,.0f}"
    yield ""
    parts = {name: shares(env, _seeds(seed, 1, streams)) for name, env in envs.items()}
    yield f"{'share of the time of whole streams':<40}" + "".join(f"{name:>9}" for name in parts)
    for part in (*ROOMS, "env"):
        yield f"{part:<40}" + "".join(f"{share[part]:>8.1%} " for share in parts.values()).rstrip()


def _seeds(seed: int, repeat: int, count: int) -> range:
    """Streams of a repeat; no two repeats share one."""
    return range(seed + repeat * count, seed + (repeat + 1) * count)


def main(
    viewers: Annotated[float, typer.Option(min=1, help="mean number present; comments stay at 6 a minute")] = 20,
    repeats: Annotated[int, typer.Option(min=1, help="medians are over so many")] = 7,
    streams: Annotated[int, typer.Option(min=1, help="ten-minute streams in each repeat")] = 6,
    seed: Annotated[int, typer.Option(min=0, help="of the first stream; another one plays other streams")] = 0,
    out: Annotated[Path | None, typer.Option(help="write the report here too")] = None,
) -> None:
    """Turns and resets per CPU-second with a scripted agent, and the share of each part.

    Whole streams show the cost of a turn (four make a request; a reset is shared by some 200). One request a reset is
    how training plays. Shares name what to look at first: prompt, session, tools, viewers, stream, rewards, tally,
    observation, and env for what is left.

    For a quick look: python benchmarks/bench_env.py --repeats 3 --streams 2
    """
    report = [
        f"{' '.join(['python', *sys.argv])}",
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, Python {platform.python_version()}",
        "",
    ]
    typer.echo("\n".join(report))
    for line in lines(viewers, repeats, streams, seed):
        typer.echo(line)
        report.append(line)
    if out is not None:
        out.write_text("\n".join(report) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
