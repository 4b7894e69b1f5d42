"""``Conversation``: one request as token ids that only grow; the same code for SFT, RL and evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from livesim.errors import TrainingError

_PROBE = "probe-of-the-turn-boundary"


class Tokenizer(Protocol):
    """What is used of a Hugging Face tokenizer."""

    eos_token_id: int

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        """Ids of ``text``; special tokens written out in it become themselves."""

    def decode(self, token_ids: Sequence[int], *, skip_special_tokens: bool) -> str:
        """Text of ids."""

    def apply_chat_template(
        self, conversation: Sequence[Mapping[str, str]], *, tokenize: bool, add_generation_prompt: bool
    ) -> str:
        """The whole conversation as text."""


@dataclass(slots=True)
class Conversation:
    """The tokens of one request, in the order in which the model sees and samples them.

    What was sampled is appended as it is and never encoded again; what the environment writes is rendered by the
    model's own chat template and only its difference to what is there already is encoded. So a template of any
    family works, and the ids of an SFT row, of a rollout and of a served conversation are the same.

    Attributes:
        tokenizer: of the model.
        ids: everything so far.
        mask: 1 for each token the model wrote (its end token included), 0 for everything else.
        prompt_tokens: how many ids came before the first turn.
        turns: start and end (exclusive) of every turn of the model in ``ids``.
    """

    tokenizer: Tokenizer
    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    prompt_tokens: int = 0
    turns: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def start(cls, tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]]) -> Conversation:
        """A conversation that waits for its first turn.

        Args:
            tokenizer: of the model.
            messages: system and user message in OpenAI form.
        """
        text = tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        ids = tokenizer.encode(text, add_special_tokens=False)
        return cls(tokenizer, ids, [0] * len(ids), len(ids))

    def sampled(self, ids: Sequence[int]) -> str:
        """Append a turn as the model sampled it; returns its text without the end token."""
        return self._turn(list(ids))

    def said(self, text: str) -> None:
        """Append a turn that is given as text (a teacher's), with its end token."""
        self._turn([*self.tokenizer.encode(text, add_special_tokens=False), self.tokenizer.eos_token_id])

    def heard(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """Append what the environment answered and the header of the next turn; returns the ids that were added."""
        closed = bool(self.turns) and self.ids[-1] == self.tokenizer.eos_token_id
        text = boundary(self.tokenizer, messages, closed=closed)
        added = self.tokenizer.encode(text, add_special_tokens=False)
        self.ids += added
        self.mask += [0] * len(added)
        return added

    def answer(self) -> tuple[list[int], list[int]]:
        """Ids and mask of everything after the prompt."""
        return self.ids[self.prompt_tokens :], self.mask[self.prompt_tokens :]

    def _turn(self, ids: list[int]) -> str:
        start = len(self.ids)
        self.ids += ids
        self.mask += [1] * len(ids)
        self.turns.append((start, len(self.ids)))
        body = ids[:-1] if ids and ids[-1] == self.tokenizer.eos_token_id else ids
        return self.tokenizer.decode(body, skip_special_tokens=False)


def boundary(tokenizer: Tokenizer, messages: Sequence[Mapping[str, str]], *, closed: bool) -> str:
    """The text between the last sampled token and the first token of the next turn.

    Args:
        tokenizer: whose template is asked.
        messages: what the environment answered.
        closed: the turn ended with its end token; otherwise it was cut, and the end token is part of the text.

    Raises:
        TrainingError: the template alters an assistant's text, or closes a turn with another token than the end token.
    """
    before = [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": _PROBE},
    ]
    old = tokenizer.apply_chat_template(before, tokenize=False, add_generation_prompt=False)
    new = tokenizer.apply_chat_template([*before, *messages], tokenize=False, add_generation_prompt=True)
    # Only what follows the turn matters: a template may render the turn itself otherwise once it is an old one (drop
    # its reasoning, say); the tokens that were sampled stay as they are.
    _, probe, tail = old.rpartition(_PROBE)
    _, again, text = new.rpartition(_PROBE)
    if not probe or not again:
        raise TrainingError("the chat template does not print an assistant's turn as it is given")
    end = tokenizer.decode([tokenizer.eos_token_id], skip_special_tokens=False)
    if not tail.startswith(end):
        raise TrainingError(f"the chat template closes a turn with {tail[:20]!r}, the end token is {end!r}")
    return text[len(end) :] if closed else text
