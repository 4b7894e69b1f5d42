"""Finds what other packages offer by name: agents, completers, judges, through entry points, so no arrow points up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

from livesim.errors import ConfigError, unknown
from livesim.types import Agent
from rewards.judge import Judge, RuleJudge

AGENTS = "livesim.agents"
COMPLETERS = "livesim.completers"
JUDGES = "livesim.judges"
RULES = "rules"
"""Name of the judge that is always there."""


def names(group: str = AGENTS) -> tuple[str, ...]:
    """Every name of a group, sorted."""
    return tuple(sorted(_factories(group)))


def agent(name: str) -> Agent:
    """A fresh agent; ``"react:http://..."`` hands what follows the colon to the factory ``react``.

    Raises:
        ConfigError: nobody offers one of this name; says which there are.
    """
    kind, colon, argument = name.partition(":")
    factory = _factory(AGENTS, "agent", kind)
    return cast(Agent, factory(argument) if colon else factory())


def completer(kind: str) -> Callable[..., Any]:
    """The class or function that makes completers of a kind, e.g. ``"vllm"`` or ``"openai"``.

    Raises:
        ConfigError: nobody offers this kind; says which there are.
    """
    return _factory(COMPLETERS, "completer", kind)


def judge(name: str, votes: int = 3, cache: Path | None = None) -> Judge:
    """A judge: ``"rules"``, or a kind and what its factory is handed, e.g. ``"llm:http://127.0.0.1:8000/v1#MODEL"``.

    Args:
        name: ``KIND`` or ``KIND:ARGUMENT``.
        votes: of a judge that votes.
        cache: folder of verdicts already given, for a judge that keeps them.

    Raises:
        ConfigError: nobody offers this kind, or it can't use the argument.
    """
    kind, colon, argument = name.partition(":")
    if kind == RULES:
        if colon:
            raise ConfigError(f"judge {RULES!r} takes nothing behind a colon, got {argument!r}")
        return RuleJudge()
    found = _factories(JUDGES)
    if kind not in found:
        raise ConfigError(unknown("judge", kind, (RULES, *found)))
    return cast(Judge, found[kind](argument, votes, cache))


def _factory(group: str, what: str, name: str) -> Callable[..., Any]:
    found = _factories(group)
    if not found:
        raise ConfigError(
            f"no installed package offers any {what} (entry-point group {group!r}); pip install -e . again"
        )
    if name not in found:
        raise ConfigError(unknown(what, name, sorted(found)))
    return found[name]


def _factories(group: str) -> Mapping[str, Callable[..., Any]]:
    """Name -> factory. An entry point offers a mapping of several, or one factory under its own name."""
    found: dict[str, Callable[..., Any]] = {}
    for point in entry_points(group=group):
        offered = point.load()
        if isinstance(offered, Mapping):
            found.update(offered)
        else:
            found[point.name] = offered
    return found
