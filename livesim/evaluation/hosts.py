"""From what a user types to a host: a model folder, the address of an endpoint, or the name of an agent."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from livesim import roster
from livesim.errors import ConfigError, unknown
from livesim.evaluation.lockstep import AgentHost, BatchHost, Host, ThreadHost
from livesim.model_folder import fingerprint
from livesim.types import JsonValue


@dataclass(frozen=True, slots=True)
class HostConfig:
    """How completions are asked for.

    Attributes:
        width: episodes at once; more fill a batch better, fewer answer each request sooner.
        max_tokens: of one turn.
        context_tokens: of a whole request (model folders only).
        temperature: 0 is greedy.
        served: name of the model at an endpoint; empty: the first one it lists.
    """

    width: int = 32
    max_tokens: int = 96
    context_tokens: int = 2048
    temperature: float = 0.0
    served: str = ""


def host(model: str, label: str = "", config: HostConfig | None = None) -> tuple[Host, dict[str, JsonValue]]:
    """Whoever ``model`` stands for, and what identifies it.

    Args:
        model: a folder in Hugging Face form, ``http(s)://...`` of an OpenAI-compatible endpoint, or an agent's name
            (``NAME`` or ``NAME:ARGUMENT``).
        label: for tables; default: a name of its own.
        config: how completions are asked for.

    Raises:
        ConfigError: it is none of the three; says which agents there are.
    """
    config = config or HostConfig()
    asked: dict[str, JsonValue] = {"max_tokens": config.max_tokens, "temperature": config.temperature}
    found: Host
    if model.startswith(("http://", "https://")):
        ends = ("<|im_end|>",)
        completer = roster.completer("openai")(
            model, config.served, temperature=config.temperature, max_tokens=config.max_tokens, stop=ends
        )
        found = ThreadHost(completer, config.width)
        identity: dict[str, JsonValue] = {"model": model, "served": config.served, **asked}
    elif Path(model).is_dir():
        folder = Path(model)
        identity = {"model": fingerprint(folder), "context_tokens": config.context_tokens, **asked}
        completer = roster.completer("vllm")(
            folder,
            max_tokens=config.max_tokens,
            context_tokens=config.context_tokens,
            temperature=config.temperature,
            width=config.width,
        )
        found = BatchHost(completer, config.width)
    elif model.partition(":")[0] in roster.names():
        found = AgentHost(roster.agent(model))
        identity = {"model": f"agent:{model}"}
    elif "://" in model:
        raise ConfigError(f"--model {model!r}: an address begins with http:// or https://")
    elif "/" in model or model.startswith("."):
        raise ConfigError(f"--model {model!r}: there is no such folder")
    else:
        raise ConfigError(
            f"--model {model!r} is no folder, no http(s) address and no agent: "
            + unknown("agent", model, roster.names())
        )
    found.name = label or found.name
    return found, identity
