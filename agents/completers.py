"""Where completions come from: an OpenAI-compatible endpoint, or a script."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from livesim.errors import CompletionError, ConfigError

if TYPE_CHECKING:
    from openai import OpenAI

Conversation = Sequence[Mapping[str, str]]
"""Messages in OpenAI form."""


class Completer(Protocol):
    """Anything that continues conversations."""

    name: str

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        """One completion for each conversation, in order.

        Args:
            conversations: messages in OpenAI form, each ending before the assistant's turn.
            seed: of the sampling; None leaves it to the engine.

        Raises:
            CompletionError: the engine gave no answer.
        """


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

    Args:
        base_url: e.g. ``"http://127.0.0.1:8000/v1"``.
        model: name the server knows; empty: the first one it lists.
        key_variable: environment variable that holds the key; a server without keys needs none.
        temperature: of the sampling.
        max_tokens: of one completion.
        timeout_s: wall seconds one request may take.
        retries: further attempts after a failed one; the client waits longer between them each time.
        stop: texts that end a completion.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "",
        *,
        key_variable: str = "OPENAI_API_KEY",
        temperature: float = 0.0,
        max_tokens: int = 256,
        timeout_s: float = 60.0,
        retries: int = 2,
        stop: Sequence[str] = (),
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise ConfigError(f"base_url must start with http:// or https://, got {base_url!r}")
        self.base_url = base_url
        self.model = model
        self.name = model or base_url
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.stop = tuple(stop)
        self._key_variable = key_variable
        self._timeout_s = timeout_s
        self._retries = retries
        self._client: OpenAI | None = None

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        """One completion each, asked for one after the other."""
        return [self._one(conversation, seed) for conversation in conversations]

    def _one(self, conversation: Conversation, seed: int | None) -> str:
        import openai

        client = self._connect()
        try:
            answer = client.chat.completions.create(
                model=self._model(client),
                messages=[dict(message) for message in conversation],  # type: ignore[misc]
                temperature=self.temperature,
                max_tokens=self.max_tokens,
                seed=seed,
                stop=list(self.stop) or None,
            )
        except openai.OpenAIError as error:
            raise CompletionError(f"{self.base_url} ({self.model or 'no model'}) gave no answer: {error}") from error
        if not answer.choices:
            raise CompletionError(f"{self.base_url} ({self.model}) answered without a choice")
        return answer.choices[0].message.content or ""

    def _model(self, client: OpenAI) -> str:
        if not self.model:
            listed = [entry.id for entry in client.models.list()]
            if not listed:
                raise CompletionError(f"{self.base_url} lists no model; name one")
            self.model = listed[0]
        return self.model

    def _connect(self) -> OpenAI:
        if self._client is None:
            try:
                from openai import OpenAI
            except ImportError:
                raise ConfigError("an endpoint needs the openai package: pip install 'livesim[llm]'") from None
            key = os.environ.get(self._key_variable) or "none"
            self._client = OpenAI(
                base_url=self.base_url, api_key=key, timeout=self._timeout_s, max_retries=self._retries
            )
        return self._client
