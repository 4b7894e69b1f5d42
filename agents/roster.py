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
    """A model behind an OpenAI-compatible endpoint: ``URL`` or ``URL#MODEL``. Raises ConfigError without one."""
    url, _, model = address.partition("#")
    if not url:
        raise ConfigError("agent 'react' wants an address: react:http://127.0.0.1:8000/v1 (or ...#MODEL)")
    return ReactAgent(OpenAICompleter(url, model))


ROSTER: Mapping[str, Callable[..., Agent]] = MappingProxyType(
    {
        "oracle": OracleAgent,
        "oracle_with_mistakes": lambda: OracleAgent(mistakes=1.0, name="oracle_with_mistakes"),
        "random": RandomAgent,
        "silent": SilentAgent,
        "echo": EchoAgent,
        "call_everything": CallEverythingAgent,
        "novice": NoviceAgent,
        "react": endpoint,
    }
)
"""A fresh agent for each call of a factory; ``react`` wants an address, all others nothing."""
