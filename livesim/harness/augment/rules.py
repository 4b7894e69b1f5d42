"""A rule in other words: exact rewrites of known rules, frames and synonyms for all others."""

from __future__ import annotations

import re

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, chance
from livesim.harness.augment.paraphrase import framed, reworded
from livesim.harness.augment.pools_rules import (
    ADDRESS_RULES,
    IMPERATIVES,
    LENGTH_RULES,
    NEGATIVE_FRAMES,
    PLAIN_FRAMES,
    RULE_FRAMES,
    RULES,
)

_ADDRESS = re.compile(r'(?:Call|Address|Greet)[^{}]*"?\{address\}"?\.?')
_LENGTH = re.compile(r"[^{}.;]{0,40}\{reply_words\} words[^{}.;]{0,20}\.?")
_FIRST = re.compile(r"[A-Za-z']+")


def reworded_rule(text: str, split: Split, rng: np.random.Generator) -> str:
    """``text`` as another sentence that asks for the same; placeholders stay."""
    pool = _pool(text.strip())
    sentence = pool.draw(split, rng) if pool is not None else reworded(text.strip(), split, rng)
    if chance(0.5, rng):
        return sentence
    first = _FIRST.match(sentence)
    word = first.group().lower() if first else ""
    if word in ("never", "don't") or sentence.lower().startswith("do not "):
        return framed(sentence[0].lower() + sentence[1:], NEGATIVE_FRAMES, split, rng, plain_share=0.0)
    if word in IMPERATIVES:
        return framed(sentence[0].lower() + sentence[1:], RULE_FRAMES, split, rng, plain_share=0.0)
    return framed(sentence, PLAIN_FRAMES, split, rng, plain_share=0.0)


def _pool(text: str) -> Pool | None:
    """Rewrites of the very rule, of the two rules that state a limit and nothing else, or None."""
    if text in RULES:
        return RULES[text]
    if _ADDRESS.fullmatch(text):
        return ADDRESS_RULES
    return LENGTH_RULES if _LENGTH.fullmatch(text) else None
