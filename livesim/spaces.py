"""Spaces: any unicode string, assistant turns in both forms, and the observation made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import Space, spaces
from numpy.typing import NDArray

from livesim.types import JsonValue, Turn

MAX_TEXT = 10_000_000
"""Longest text, in characters, that belongs to the spaces of an observation."""

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ 0123456789\n"
_ALPHABET = _LETTERS + ".,:;!?'\"{}[]<>|/\\_-=+*&%$#@~`é中文直播\U0001f525\u200b\u202e"
_TURN_PIECES = (
    "<tool_call>",
    "</tool_call>",
    "<think>",
    "</think>",
    "<|im_start|>",
    "<|im_end|>",
    "system\n",
    '{"name":"load_skill","arguments":{"skill":"price_promo"}}',
    '{"name":"price_check","arguments":{"link":2}}',
    '{"name":"price_check","arguments":{"link":',
    '"arguments":"not an object"}',
    '{"name":null,"arguments":[]}',
    "link 2 is 89 yuan",
    "\x00",
    "\ud83d",
    "```json\n",
)


class UnicodeText(Space[str]):
    """Every unicode string up to a length, the empty one included.

    Gymnasium's ``Text`` needs a finite character set and refuses blanks, Chinese and ``""``; and its membership test
    walks the text, while this one is O(1).

    Args:
        max_length: characters at most.
        sample_length: characters at most of a sampled string.
        seed: of the space's own generator.
    """

    def __init__(
        self, max_length: int = MAX_TEXT, sample_length: int = 64, seed: int | np.random.Generator | None = None
    ) -> None:
        self.max_length = max_length
        self.sample_length = min(sample_length, max_length)
        super().__init__(dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: text has no fixed-size array form."""
        return False

    def sample(self, mask: None = None, probability: None = None) -> str:
        """A random string; ``mask`` and ``probability`` have no meaning here and are ignored."""
        length = int(self.np_random.integers(0, self.sample_length + 1))
        return "".join(_ALPHABET[int(i)] for i in self.np_random.integers(0, len(_ALPHABET), length))

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a string that is not too long."""
        return isinstance(x, str) and len(x) <= self.max_length

    def to_jsonable(self, sample_n: Any) -> list[Any]:
        """The strings themselves."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> Any:
        """The strings themselves."""
        return [str(text) for text in sample_n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnicodeText) and other.max_length == self.max_length

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"UnicodeText({self.max_length})"


class TurnSpace(Space[Turn]):
    """Every assistant turn: raw completion text, or an OpenAI-style assistant message.

    Samples are half plausible, half broken, in both forms: what a random policy and a fuzz test want.
    """

    def __init__(self, pieces: int = 6, seed: int | np.random.Generator | None = None) -> None:
        self.pieces = pieces
        super().__init__(dtype=None, seed=seed)

    @property
    def is_np_flattenable(self) -> bool:
        """False: a turn has no fixed-size array form."""
        return False

    def sample(self, mask: None = None, probability: None = None) -> Turn:
        """A random turn; ``mask`` and ``probability`` have no meaning here and are ignored."""
        rng = self.np_random
        if rng.random() < 0.5:
            return self._text(rng)
        calls: list[JsonValue] = []
        for _ in range(int(rng.integers(0, 3))):
            arguments: JsonValue = '{"link": 2}' if rng.random() < 0.5 else self._text(rng)
            name = ("load_skill", "price_check", "no_such_tool", "")[int(rng.integers(4))]
            calls.append({"id": "c0", "type": "function", "function": {"name": name, "arguments": arguments}})
        content = self._text(rng) if rng.random() < 0.8 else None
        message: dict[str, JsonValue] = {"role": "assistant", "content": content}
        if calls:
            message["tool_calls"] = calls
        return message

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a string or a mapping; what is inside is for the codec to judge."""
        return isinstance(x, (str, Mapping))

    def to_jsonable(self, sample_n: Any) -> list[Any]:
        """Turns as plain JSON values."""
        return [turn if isinstance(turn, str) else dict(turn) for turn in sample_n]

    def from_jsonable(self, sample_n: list[Any]) -> Any:
        """Turns as they were."""
        return list(sample_n)

    def _text(self, rng: np.random.Generator) -> str:
        picks: NDArray[np.int64] = rng.integers(0, len(_TURN_PIECES) + 8, int(rng.integers(0, self.pieces + 1)))
        parts = []
        for pick in picks:
            if pick < len(_TURN_PIECES):
                parts.append(_TURN_PIECES[int(pick)])
            else:
                letters = rng.integers(0, len(_ALPHABET), int(rng.integers(1, 12)))
                parts.append("".join(_ALPHABET[int(i)] for i in letters))
        return "".join(parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TurnSpace)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "TurnSpace()"


MAX_SECONDS = 1e7
MAX_COUNT = 1e6
_COUNTS = ("on_air", "items", "viewers", "comments", "rounds_left")


def observation_space() -> spaces.Dict:
    """``messages``, ``tools`` and ``harness`` as text, ``room`` as numbers."""
    room = {"clock_s": spaces.Box(0.0, MAX_SECONDS, (), np.float64)}
    room |= {name: spaces.Box(0.0, MAX_COUNT, (), np.float64) for name in _COUNTS}
    parts: dict[str, Space[Any]] = {name: UnicodeText() for name in ("messages", "tools", "harness")}
    return spaces.Dict({**parts, "room": spaces.Dict({**room})})


def room_numbers(clock_s: float, **counts: int) -> dict[str, NDArray[np.float64]]:
    """The numbers of ``observation_space()["room"]``, each a fresh array, cut to its bounds."""
    numbers = {"clock_s": min(float(clock_s), MAX_SECONDS)}
    numbers |= {name: min(max(0.0, float(count)), MAX_COUNT) for name, count in counts.items()}
    return {name: np.array(value, dtype=np.float64) for name, value in numbers.items()}
