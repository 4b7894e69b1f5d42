"""Where completions come from: an OpenAI-compatible endpoint, or a script."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from livesim.errors import CompletionError, ConfigError
from livesim.harness.callform import encodable
from livesim.types import Conversation, Role

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion, ChatCompletionMessageParam


class ScriptedCompleter:
    """A completer for tests: a list of texts, or a function of the conversation.

    Args:
        script: texts given out in order (the last one repeats), or a function of one conversation.
        name: for tables.
    """

    def __init__(self, script: Sequence[str] | Callable[[Conversation], str], name: str = "scripted") -> None:
        self.name = name
        self.seen: list[list[dict[str, str]]] = []
        self._script = script
        self._next = 0

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        """The next texts; every conversation is kept in ``seen``."""
        return [self._one(conversation) for conversation in conversations]

    def _one(self, conversation: Conversation) -> str:
        self.seen.append([dict(message) for message in conversation])
        if callable(self._script):
            return self._script(conversation)
        text = self._script[min(self._next, len(self._script) - 1)] if self._script else ""
        self._next += 1
        return text


class OpenAICompleter:
    """Chat completions of any OpenAI-compatible server (needs the ``llm`` extra).

    Threads may share one. A server that takes the role ``tool`` only after calls in its own form, as the strict ones
    do, refuses a conversation of ours; it is asked again with the harness's answers under the role ``user``, and from
    then on so at once.

    Args:
        address: ``URL`` or ``URL#MODEL``, e.g. ``"http://127.0.0.1:8000/v1#tiny"``.
        model: name the server knows, when the address names none; empty: the first one it lists.
        api_key_env: environment variable that holds the key; a server without keys needs none.
        temperature: of the sampling, 0 or more; 0 is greedy.
        max_tokens: of one completion.
        timeout_s: wall seconds that one attempt may wait for the server to connect, or for its next bytes.
        retries: further attempts after a failed one; the client waits longer between them each time.
        stop: texts that end a completion.

    Raises:
        ConfigError: the address is none, or the package openai is not installed.
    """

    def __init__(
        self,
        address: str,
        model: str = "",
        *,
        api_key_env: str = "OPENAI_API_KEY",
        temperature: float = 0.0,
        max_tokens: int = 256,
        timeout_s: float = 60.0,
        retries: int = 2,
        stop: Sequence[str] = (),
    ) -> None:
        self.base_url, named = split_address(address)
        if model and named and model != named:
            raise ConfigError(f"two models are named: {named!r} in the address {address!r}, and {model!r}")
        try:
            from openai import OpenAI
        except ImportError:
            raise ConfigError("an endpoint needs the openai package: pip install 'livesim[llm]'") from None
        self.model = model or named
        self.name = self.model or self.base_url
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.stop = tuple(stop)
        self._key = os.environ.get(api_key_env, "")
        self._client = OpenAI(
            base_url=self.base_url, api_key=self._key or "none", timeout=timeout_s, max_retries=retries
        )
        self._tool_role = Role.TOOL

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        """One completion each, asked for one after the other.

        Args:
            conversations: messages in OpenAI form, each ending before the assistant's turn.
            seed: of the sampling; None leaves it to the server.

        Raises:
            CompletionError: the server gave no completion; names server and model.
        """
        return [self._one(conversation, seed) for conversation in conversations]

    def served_model(self) -> str:
        """The model's name at the server, which is asked for the first one it lists when none was named.

        Raises:
            CompletionError: it lists none.
        """
        import openai

        if not self.model:
            try:
                self.model = next(iter(self._client.models.list())).id
            except (openai.OpenAIError, *_NO_ANSWER) as error:
                raise CompletionError(f"{self.base_url} lists no model; name one: {self._told(error)}") from error
        return self.model

    def _one(self, conversation: Conversation, seed: int | None) -> str:
        import openai

        model = self.served_model()
        try:
            content = self._asked(conversation, model, seed).choices[0].message.content or ""
            return encodable(content)
        except (openai.OpenAIError, *_NO_ANSWER) as error:
            raise CompletionError(f"{self.base_url} ({model}) gave no answer: {self._told(error)}") from error

    def _asked(self, conversation: Conversation, model: str, seed: int | None) -> ChatCompletion:
        import openai

        if self._tool_role is Role.TOOL and any(message["role"] == Role.TOOL for message in conversation):
            try:
                return self._create(conversation, model, seed, Role.TOOL)
            except (openai.BadRequestError, openai.UnprocessableEntityError):
                answer = self._create(conversation, model, seed, Role.USER)
            self._tool_role = Role.USER  # only now: what was refused for another reason is refused again
            return answer
        return self._create(conversation, model, seed, self._tool_role)

    def _create(self, conversation: Conversation, model: str, seed: int | None, tool_role: Role) -> ChatCompletion:
        messages = [
            {**message, "role": str(tool_role) if message["role"] == Role.TOOL else message["role"]}
            for message in conversation
        ]
        return self._client.chat.completions.create(
            model=model,
            messages=cast("list[ChatCompletionMessageParam]", messages),
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            seed=seed,
            stop=list(self.stop) or None,
        )

    def _told(self, error: Exception) -> str:
        """What an error says, without the key: a server may quote the one that it refuses."""
        text = str(error)
        return text.replace(self._key, "***") if self._key else text


_NO_ANSWER = (AttributeError, IndexError, StopIteration, TypeError, ValueError)
"""What reading an answer raises that is no completion: the client hands on a page of HTML, or JSON of another shape."""


def split_address(address: str) -> tuple[str, str]:
    """``URL`` or ``URL#MODEL`` as its URL and model, which is empty when none is named.

    Raises:
        ConfigError: it is neither. "@" and "?" are refused: what they add to a URL would carry secrets into tables and
            logs.
    """
    url, _, model = address.strip().partition("#")
    if "@" in url or "?" in url:
        raise ConfigError(
            'an address holds no "@" and no "?": name the model as URL#MODEL, and put the key into the environment '
            "variable OPENAI_API_KEY"
        )
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number, a bracket left open
        usable = False
    if not usable or any(mark.isspace() for mark in url):
        raise ConfigError(f"an address is URL or URL#MODEL, e.g. http://127.0.0.1:8000/v1#tiny, got {address!r}")
    return url, model
