"""``play(agent, env, seed) -> Episode``: one episode from reset to end, and the record of it."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import gymnasium as gym

from livesim.env import LiveStreamEnv
from livesim.harness.codec import kept
from livesim.jsontext import as_json
from livesim.types import Agent, End
from rewards.recovery import Recovery, outcome
from rewards.signals import Signals
from rewards.stored import plain, restore


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One assistant turn.

    Attributes:
        text: the raw turn; an OpenAI-style message is kept as its JSON.
        segment: ``"tool"``, ``"reply"`` or ``""`` when it could not be read.
        outcome: what the session made of it.
        stream_s: stream seconds that the turn and what it set off took.
        wall_s: seconds of real time that the agent took; 0 when not recorded.
        faults: injected faults that hit calls of this turn, in order.
        at_s: stream second in which the agent was asked for it.
    """

    text: str
    segment: str
    outcome: str
    stream_s: float
    wall_s: float = 0.0
    faults: tuple[str, ...] = ()
    at_s: float = 0.0


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One closed request.

    Attributes:
        request_id: of the stream.
        messages: the whole conversation, the assistant's raw turns included.
        turns: the assistant's turns in order.
        heads: the four heads and ``length``.
        reasons: per head, why.
        total: the weighted sum.
        end: why it ended (``livesim.types.RequestEnd``).
        signals: what the heads read; a second judge reads the same.
    """

    request_id: str
    messages: tuple[Mapping[str, str], ...]
    turns: tuple[TurnRecord, ...]
    heads: Mapping[str, float]
    reasons: Mapping[str, tuple[str, ...]]
    total: float
    end: str
    signals: Signals

    @property
    def full(self) -> bool:
        """Whether every head but ``length`` is 1."""
        return all(value == 1.0 for name, value in self.heads.items() if name != "length")

    @property
    def recovery(self) -> Recovery:
        """What became of it when a fault hit it."""
        return outcome(self.signals, accuracy=self.heads["accuracy"], effectiveness=self.heads["effectiveness"])


@dataclass(frozen=True, slots=True)
class Episode:
    """One episode as it was played.

    Attributes:
        agent: its name.
        seed: of the reset.
        harness_seed: of the harness variant.
        scenario: name.
        scenario_hash: content hash.
        harness: name.
        harness_hash: content hash of the state in force, variant or not.
        harness_hashes: content hash of each part.
        original: the harness was not augmented.
        tools: the tool views in OpenAI form.
        requests: closed ones in order.
        end: why it ended (``livesim.types.End``).
    """

    agent: str
    seed: int
    harness_seed: int
    scenario: str
    scenario_hash: str
    harness: str
    harness_hash: str
    harness_hashes: Mapping[str, str]
    original: bool
    tools: tuple[Mapping[str, object], ...]
    requests: tuple[RequestRecord, ...]
    end: str

    @property
    def total(self) -> float:
        """Sum of the requests' totals: the episode's return."""
        return sum(request.total for request in self.requests)

    @property
    def heads(self) -> dict[str, float]:
        """Mean of each head over the requests; empty when none was closed."""
        names = self.requests[0].heads if self.requests else ()
        return {name: sum(r.heads[name] for r in self.requests) / len(self.requests) for name in names}

    @property
    def full(self) -> bool:
        """Whether every request has full heads."""
        return bool(self.requests) and all(request.full for request in self.requests)

    def to_json(self, *, wall: bool = True) -> str:
        """One line of JSON.

        Args:
            wall: keep real times; without them the same seed gives the same bytes.
        """
        data = cast(dict[str, Any], plain(self))
        if not wall:
            for request in data["requests"]:
                for turn in request["turns"]:
                    turn["wall_s"] = 0.0
        return as_json(data)

    @classmethod
    def from_json(cls, text: str) -> Episode:
        """The episode that ``to_json`` wrote. Raises ValueError or TypeError for anything else."""
        return restore(cls, json.loads(text))


def play(
    agent: Agent,
    env: gym.Env[Any, Any],
    seed: int,
    options: Mapping[str, Any] | None = None,
    *,
    max_turns: int = 10_000,
) -> Episode:
    """Let ``agent`` play one episode.

    Args:
        agent: sighted agents are handed ``Sight`` before each turn through their method ``see``.
        env: a LiveStreamEnv, wrapped or not.
        seed: of the reset and of the agent.
        options: handed to ``reset``.
        max_turns: assistant turns after which the episode is given up; the environment ends it long before.

    Raises:
        CompletionError: a model endpoint gave no answer; the episode is no zero, it did not happen.
        TypeError: the env is no LiveStreamEnv.
    """
    live = env.unwrapped
    if not isinstance(live, LiveStreamEnv):
        raise TypeError(f"play needs a LiveStreamEnv, got {type(live).__name__}")
    _, info = env.reset(seed=seed, options=None if options is None else dict(options))
    agent.reset(seed)
    opening = info
    requests: list[RequestRecord] = []
    turns: list[TurnRecord] = []
    conversation: list[dict[str, str]] = list(info["messages"])
    for _ in range(max_turns):
        if agent.sighted:
            agent.see(live.sight())  # type: ignore[attr-defined]
        before_s, made = live.clock_s, len(live.calls)
        started_s = time.perf_counter()
        turn = agent.act(info["messages"], info["tools"])
        wall_s = time.perf_counter() - started_s
        request_id = info["request_id"]
        _, _, terminated, truncated, info = env.step(turn)
        text = kept(turn)
        calls = live.signals.calls if info["request_done"] and live.signals else live.calls
        faults = tuple(str(call.fault) for call in calls[made:] if call.fault is not None)
        turns.append(
            TurnRecord(text, info["segment"], info["outcome"], live.clock_s - before_s, wall_s, faults, before_s)
        )
        conversation += [{"role": "assistant", "content": text}, *info["new_messages"]]
        if info["request_done"]:
            requests.append(_closed(request_id, conversation, turns, info, live))
            turns, conversation = [], list(info["messages"])
        if terminated or truncated:
            break
    return Episode(
        agent=agent.name,
        seed=seed,
        harness_seed=opening["harness_seed"],
        scenario=opening["scenario"]["name"],
        scenario_hash=opening["scenario"]["hash"],
        harness=opening["harness"]["name"],
        harness_hash=opening["harness"]["hash"],
        harness_hashes=opening["harness"]["hashes"],
        original=opening["original"],
        tools=tuple(opening["tools"]),
        requests=tuple(requests),
        end=str(info["end"]) if info["end"] != End.RUNNING else str(End.STEP_BUDGET),
    )


def _closed(
    request_id: str,
    conversation: list[dict[str, str]],
    turns: list[TurnRecord],
    info: Mapping[str, Any],
    live: LiveStreamEnv,
) -> RequestRecord:
    if live.signals is None:
        raise RuntimeError("a request ended without signals")
    return RequestRecord(
        request_id=request_id,
        messages=tuple(conversation),
        turns=tuple(turns),
        heads=dict(info["heads"]),
        reasons={name: tuple(lines) for name, lines in info["reasons"].items()},
        total=float(info["total"]),
        end=str(info["request_end"]),
        signals=live.signals,
    )
