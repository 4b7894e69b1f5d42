"""``ROSTER``: name -> factory of every agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from agents.completers import OpenAICompleter
from agents.floors import CallEverythingAgent, EchoAgent, SilentAgent
from agents.novice import NoviceAgent
from agents.oracle import OracleAgent
from agents.random import RandomAgent
from agents.react import ReactAgent
from livesim.errors import ConfigError
from livesim.types import Agent


def endpoint(address: str = "") -> Agent:
    """A model behind an OpenAI-compatible endpoint: ``URL`` or ``URL#MODEL``. Raises ConfigError for anything else."""
    try:
        return ReactAgent(OpenAICompleter(address))
    except ConfigError as error:
        raise ConfigError(f"agent 'react': {error}") from None


def novice(heed: str = "") -> Agent:
    """The novice, or with ``novice:0.3`` one that takes notice of three rules in ten. Raises ConfigError."""
    try:
        return NoviceAgent(float(heed or 1.0), f"novice:{heed}" if heed else "novice")
    except ValueError as error:
        raise ConfigError(f"agent 'novice' wants a share, novice:0.3: {error}") from None


def _bare(name: str, make: Callable[[], Agent]) -> Callable[..., Agent]:
    """A factory of an agent that nothing can be said about: a colon behind its name is refused."""

    def factory(argument: str | None = None) -> Agent:
        if argument is not None:
            raise ConfigError(f"agent {name!r} takes nothing behind a colon, got {argument!r}")
        return make()

    return factory


_BARE: Mapping[str, Callable[[], Agent]] = {
    "oracle": OracleAgent,
    "oracle_with_mistakes": lambda: OracleAgent(mistakes=1.0, name="oracle_with_mistakes"),
    "oracle_plain": lambda: OracleAgent(plain=True, name="oracle_plain"),
    "oracle_plain_with_mistakes": lambda: OracleAgent(mistakes=1.0, plain=True, name="oracle_plain_with_mistakes"),
    "random": RandomAgent,
    "silent": SilentAgent,
    "echo": EchoAgent,
    "call_everything": CallEverythingAgent,
}

ROSTER: Mapping[str, Callable[..., Agent]] = MappingProxyType(
    {**{name: _bare(name, make) for name, make in _BARE.items()}, "novice": novice, "react": endpoint}
)
"""A fresh agent for each call of a factory; ``react`` wants an address, ``novice`` may have a share."""
