"""Finds what other packages offer by name: agents and completers, through entry points, so that no arrow points up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points
from typing import Any, cast

from livesim.errors import ConfigError, unknown
from livesim.types import Agent

AGENTS = "livesim.agents"
COMPLETERS = "livesim.completers"


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
