"""``Wordings``: whether a text says what another one says, in words of one split's pools: the proof of a wording."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool
from livesim.harness.augment.paraphrase import SYNONYMS, WORD
from livesim.harness.augment.pools_frames import NEGATIVE_FRAMES, PLAIN_FRAMES, RULE_FRAMES
from livesim.harness.augment.rules import known

RULE_AROUND = (RULE_FRAMES, NEGATIVE_FRAMES, PLAIN_FRAMES)
"""What may stand around a rule."""


@lru_cache(maxsize=4096)
def renders_rule(rule: str, text: str, split: Split) -> bool:
    """Whether ``text`` is the rule itself, or asks for the same in words of the split."""
    return _same(rule, text) or any(_renders(rule, core, split) for core in unframed(text, RULE_AROUND, split))


def renders_phrase(phrase: str, text: str, pool: Pool | None, frames: Iterable[Pool], split: Split) -> bool:
    """Whether ``text`` is ``phrase`` itself, or one of its pool, framed or bare; without a pool, with synonyms.

    Args:
        phrase: the original's words.
        text: the variant's.
        pool: other words for the phrase, None when there are none.
        frames: what may stand around.
        split: whose words.
    """
    if _same(phrase, text):
        return True
    cores = unframed(text, frames, split)
    return any(core in texts(pool, split) if pool is not None else _synonymous(phrase, core, split) for core in cores)


def unframed(text: str, frames: Iterable[Pool], split: Split) -> Iterator[str]:
    """``text`` in lower case, and what stands inside of each frame of the split that fits around it."""
    low = text.strip().lower()
    yield low
    for pool in frames:
        for frame in texts(pool, split):
            before, _, after = frame.partition("{}")
            if len(low) > len(frame) - 2 and low.startswith(before) and low.endswith(after):
                yield low[len(before) : len(low) - len(after)]


def texts(pool: Pool, split: Split) -> frozenset[str]:
    """Every text of a split in lower case."""
    return _lower(pool.of(split))


@lru_cache(maxsize=2048)
def _lower(templates: tuple[str, ...]) -> frozenset[str]:
    return frozenset(text.lower() for text in Pool(templates, ()).texts(Split.TRAIN))


def _renders(rule: str, core: str, split: Split) -> bool:
    pool = known(rule)
    return core in texts(pool, split) if pool is not None else _synonymous(rule, core, split)


def _same(one: str, other: str) -> bool:
    return one.strip().lower() == other.strip().lower()


def _synonymous(text: str, other: str, split: Split) -> bool:
    return _pattern(text.strip(), split).fullmatch(other) is not None


@lru_cache(maxsize=2048)
def _pattern(text: str, split: Split) -> re.Pattern[str]:
    """The text with every word that has synonyms as a choice of those of the split."""
    parts, end = [], 0
    for match in WORD.finditer(text):
        pool = SYNONYMS.get(match.group().lower())
        if pool is not None:
            parts += [re.escape(text[end : match.start()]), f"(?:{'|'.join(map(re.escape, pool.of(split)))})"]
            end = match.end()
    return re.compile("".join([*parts, re.escape(text[end:])]), re.I)
