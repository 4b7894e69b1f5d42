"""``Endpoint``: asks an OpenAI-compatible server for one line, with a deadline and a cache on disk."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from livesim.appending import append_lines
from livesim.errors import ViewerError
from livesim.world.viewing.deadline import DeadlineError, Worker

if TYPE_CHECKING:
    from openai import OpenAI


class SilentError(ViewerError):
    """The server gave no answer in time."""


class Endpoint:
    """One model behind one server. Nothing is opened before the first question.

    Args:
        base_url: of the server.
        model: its name; ``""``: the first that the server lists.
        api_key_env: environment variable with the key.
        temperature: of the sampling.
        max_tokens: of an answer.
        deadline_s: wall seconds for one answer, its second try included.
        cache: file of JSON lines; None: no cache.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        api_key_env: str,
        temperature: float,
        max_tokens: int,
        deadline_s: float,
        cache: str | None,
    ) -> None:
        self._base_url, self._model, self._api_key_env = base_url, model, api_key_env
        self._temperature, self._max_tokens, self._deadline_s = temperature, max_tokens, deadline_s
        self._client: OpenAI | None = None
        self._worker = Worker(f"viewers llm at {base_url}")
        self._cache_path = None if cache is None else Path(cache)
        self._cache = _read_cache(self._cache_path)

    def ask(self, system: str, text: str, seed: int) -> str:
        """The model's answer. Raises SilentError naming the server when it gives none in time.

        The cache knows the model by its name and the server not at all, so that another address finds the same words.
        """
        if not self._model:
            self._model = self._in_time(self._first)
        key = self._key(system, text, seed)
        if key not in self._cache:
            self._cache[key] = self._in_time(partial(self._request, system, text, seed))
            self._keep(key)
        return self._cache[key]

    def _in_time(self, request: Callable[[float], str]) -> str:
        """What a request returns that is given so many seconds, tried twice before the deadline."""
        end_s = time.monotonic() + self._deadline_s
        problem = ""
        for _ in range(2):
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                break
            try:
                # a server that sends a byte now and then never runs into the client's own timeout
                return self._worker.call(partial(request, left_s), left_s)
            except DeadlineError as error:
                problem = str(error)
            except ViewerError:
                raise
            except Exception as error:  # whatever the client raises is the server's or the network's fault
                problem = f"{type(error).__name__}: {error}"
        raise SilentError(
            f"viewers 'llm': {self._base_url} (model {self._model or 'the first'}) gave no comment within "
            f"{self._deadline_s:g} s: {problem or 'no answer'}"
        )

    def _first(self, timeout_s: float) -> str:
        """The name of the first model that the server lists."""
        return next(iter(self._connect(timeout_s).models.list())).id

    def _request(self, system: str, text: str, seed: int, timeout_s: float) -> str:
        answer = self._connect(timeout_s).chat.completions.create(
            model=self._model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": text}],
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            seed=seed,
        )
        return answer.choices[0].message.content or ""

    def _connect(self, timeout_s: float) -> OpenAI:
        if self._client is None:
            try:
                from openai import OpenAI  # late: heavy, and only these viewers need it
            except ImportError as error:
                raise ViewerError("viewers 'llm' need the package openai: pip install 'livesim[llm]'") from error
            key = os.environ.get(self._api_key_env, "") or "none"
            self._client = OpenAI(base_url=self._base_url, api_key=key)
        return self._client.with_options(timeout=timeout_s, max_retries=0)

    def _key(self, system: str, text: str, seed: int) -> str:
        asked = [self._model, system, text, seed, self._temperature, self._max_tokens]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()

    def _keep(self, key: str) -> None:
        if self._cache_path is None:
            return
        try:
            append_lines(self._cache_path, [json.dumps({"key": key, "text": self._cache[key]})])
        except OSError as error:
            raise ViewerError(f"viewers 'llm': the cache {self._cache_path} cannot be written: {error}") from error


def _read_cache(path: Path | None) -> dict[str, str]:
    """Answers of earlier runs; a line that was torn when a run was killed is asked for again."""
    if path is None or not path.is_file():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
            found[str(entry["key"])] = str(entry["text"])
        except (ValueError, TypeError, KeyError):
            continue
    return found
