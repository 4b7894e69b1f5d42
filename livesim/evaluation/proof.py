"""``prove``: replay an agent under a harness and its variant; the task is preserved when every head stays the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass

from livesim.env import LiveStreamEnv
from livesim.harness.state import HarnessState
from livesim.rollout import Episode, RequestRecord, play
from livesim.types import Agent


@dataclass(frozen=True, slots=True)
class Proof:
    """What a replay showed.

    Attributes:
        ok: nothing differed.
        reason: the first difference, with its seed and request; empty when there is none.
        requests: how many requests were compared.
    """

    ok: bool
    reason: str = ""
    requests: int = 0


def prove(
    env_factory: Callable[[], LiveStreamEnv],
    agent: Agent,
    original: HarnessState,
    variant: HarnessState,
    seeds: Iterable[int],
) -> Proof:
    """Whether ``variant`` asks for the same task as ``original``.

    Both are played with the same seeds. Where a limit moved, the judge reads the moved limit, so that the heads can be
    held against each other as they are.

    Args:
        env_factory: makes an env; its own harness and augmentation are overridden.
        agent: one that follows whatever harness it is shown: the oracle. Its heads need not be full.
        original: the harness as it was.
        variant: what was made from it.
        seeds: episodes to play.

    Returns:
        The first thing that differs: an agent that could not go on, a call that did not resolve, a turn that could
        not be read, a head, the number of requests, or how one ended.
    """
    compared = 0
    with closing(env_factory()) as env:
        for seed in seeds:
            before = play(agent, env, seed, {"harness": original, "augment": None})
            try:
                after = play(agent, env, seed, {"harness": variant, "augment": None})
            except (RuntimeError, KeyError) as error:  # the agent looked for something that the variant does not show
                return Proof(False, f"seed {seed}: the agent could not play: {error}", compared)
            reason = _difference(before, after)
            if reason:
                return Proof(False, f"seed {seed}: {reason}", compared)
            compared += len(after.requests)
    return Proof(True, "", compared)


def _difference(before: Episode, after: Episode) -> str:
    if len(before.requests) != len(after.requests):
        return f"{len(before.requests)} requests became {len(after.requests)}"
    for old, new in zip(before.requests, after.requests, strict=True):
        reason = _request(old, new)
        if reason:
            return f"request {new.request_id}: {reason}"
    return ""


def _request(old: RequestRecord, new: RequestRecord) -> str:
    """How one request differs; empty when it does not."""
    for call in new.signals.calls:
        if call.error is not None and all(was.error is not call.error for was in old.signals.calls):
            return f"a call of {call.tool or 'an unknown tool'} did not resolve: {call.error}"
    if new.signals.unreadable > old.signals.unreadable:
        return "a turn could not be read"
    if new.end != old.end:
        return f"it ended by {old.end}, now by {new.end}"
    for name, value in old.heads.items():
        if abs(new.heads[name] - value) > 1e-9:
            why = "; ".join(new.reasons.get(name, ()))
            return f"{name} was {value:g} and is {new.heads[name]:g} ({why}); reply {new.signals.reply!r}"
    return ""
