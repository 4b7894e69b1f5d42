"""Names that were never seen before: word grammars x naming styles, random strings, typos, misleading words."""

from __future__ import annotations

import re
import zlib
from collections.abc import Collection, Sequence
from enum import StrEnum

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, chance, pick
from livesim.harness.augment.pools_names import PREFIXES, THINGS

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.\-]{0,39}")
"""What a shown name may look like."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789"
_TRIES = 400


class Style(StrEnum):
    """How the words of a name are joined."""

    SNAKE = "snake"
    KEBAB = "kebab"
    CAMEL = "camel"
    PASCAL = "pascal"
    DOTTED = "dotted"
    FLAT = "flat"


STYLES = tuple(Style)


def split_of(name: str) -> Split:
    """The split a generated name belongs to: a checksum decides, so that the two can never share a name."""
    return Split.HELDOUT if zlib.crc32(name.lower().encode()) % 4 == 0 else Split.TRAIN


def styled(words: Sequence[str], style: Style) -> str:
    """Words joined in a style; a word with ``_`` in it counts as several."""
    parts = [part for word in words for part in word.split("_")]
    match style:
        case Style.SNAKE:
            return "_".join(parts)
        case Style.KEBAB:
            return "-".join(parts)
        case Style.DOTTED:
            return ".".join(parts)
        case Style.FLAT:
            return "".join(parts)
        case Style.CAMEL:
            return parts[0] + "".join(part.capitalize() for part in parts[1:])
        case Style.PASCAL:
            return "".join(part.capitalize() for part in parts)


def random_string(rng: np.random.Generator, low: int = 5, high: int = 10) -> str:
    """A string of letters and digits, ``low`` to ``high`` long, that begins with a letter."""
    size = int(rng.integers(low, high + 1)) - 1
    return pick(_LETTERS, rng) + "".join(pick(_LETTERS + _LETTERS + _DIGITS, rng) for _ in range(size))


def abbreviated(word: str) -> str:
    """A word without its inner vowels, at most four letters: ``shipping`` -> ``shpp``."""
    return (word[0] + re.sub(r"[aeiou_]", "", word[1:]))[:4]


def typo(name: str, rng: np.random.Generator) -> str:
    """``name`` with one letter dropped, doubled, replaced or swapped with the next."""
    places = [i for i, mark in enumerate(name) if mark.isalpha() and i > 0] or [0]
    i = pick(places, rng)
    match int(rng.integers(4)):
        case 0:
            return name[:i] + name[i + 1 :]
        case 1:
            return name[: i + 1] + name[i:]
        case 2:
            return name[:i] + pick(_LETTERS, rng) + name[i + 1 :]
        case _:
            return name[:i] + name[i + 1 : i + 2] + name[i] + name[i + 2 :]


class Namer:
    """Draws shown names of one kind of thing for one variant, no name twice.

    Args:
        verbs: what a name may begin with.
        endings: what a name may end with.
        split: whose words are used.
        rng: of this dimension.
        taken: names that must not occur (canonical ones, and those shown elsewhere).
    """

    def __init__(
        self, verbs: Pool, endings: Pool, split: Split, rng: np.random.Generator, taken: Collection[str]
    ) -> None:
        self._verbs, self._endings, self._split, self._rng = verbs, endings, split, rng
        self._taken = {name.lower() for name in taken}
        # Most operators keep to one style; some folders are a jumble.
        self._style = pick(STYLES, rng) if chance(0.6, rng) else None
        self._kind = pick(("words", "words", "random", "things"), rng) if chance(0.4, rng) else None

    def fresh(self, original: str, topics: Pool, misleading: Pool | None = None) -> str:
        """A new name for the thing shown as ``original``.

        Args:
            original: its name so far.
            topics: words that fit it.
            misleading: words of another thing; used in held-out names now and then, where only the description
                still says what the thing is for.
        """
        for _ in range(_TRIES):
            name = self._draft(original, topics, misleading)
            if self._fits(name) and name.lower() != original.lower():
                break
        else:  # a pool too small for this checksum class: random strings always have room
            name = random_string(self._rng)
            while not self._fits(name):
                name = random_string(self._rng)
        self._taken.add(name.lower())
        return name

    def _fits(self, name: str) -> bool:
        return bool(NAME.fullmatch(name)) and name.lower() not in self._taken and split_of(name) is self._split.half

    def _draft(self, original: str, topics: Pool, misleading: Pool | None) -> str:
        rng = self._rng
        if self._split is Split.HELDOUT:
            kind = self._kind or pick(("words", "words", "words", "random", "random", "things", "typo", "swap"), rng)
        else:
            kind = self._kind or pick(("words", "words", "words", "words", "random", "random", "things", "short"), rng)
        if kind == "swap" and misleading is not None:
            return self._worded(misleading)
        match kind:
            case "random":
                return random_string(rng)
            case "things":
                return self._join([pick(THINGS.of(self._split), rng) for _ in range(2)])
            case "typo":
                return typo(original, rng)
            case "short":
                words = [abbreviated(pick(topics.of(self._split), rng)) for _ in range(2)]
                return self._join(words)
            case _:
                return self._worded(topics)

    def _worded(self, topics: Pool) -> str:
        rng, split = self._rng, self._split
        topic = pick(topics.of(split), rng)
        words = pick(
            (
                (pick(self._verbs.of(split), rng), topic),
                (topic, pick(self._endings.of(split), rng)),
                (pick(PREFIXES.of(split), rng), topic),
                (pick(self._verbs.of(split), rng), topic, pick(self._endings.of(split), rng)),
                (topic, pick(topics.of(split), rng)),
            ),
            rng,
        )
        name = self._join(words)
        return name + str(int(rng.integers(2, 10))) if chance(0.1, rng) else name

    def _join(self, words: Sequence[str]) -> str:
        return styled(words, self._style or pick(STYLES, self._rng))
