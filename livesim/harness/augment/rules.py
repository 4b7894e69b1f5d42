"""A rule in other words: exact rewrites of known rules, frames and synonyms for all others."""

from __future__ import annotations

import re
from typing import TypeAlias

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, chance
from livesim.harness.augment.paraphrase import framed, reworded
from livesim.harness.augment.pools_frames import IMPERATIVES, NEGATIVE_FRAMES, PLAIN_FRAMES, RULE_FRAMES
from livesim.harness.augment.pools_prompt import BLOCK_LINES
from livesim.harness.augment.pools_rules import ADDRESS_RULES, BOTH_RULES, LENGTH_RULES, RULES, TOOL_RULES

_ADDRESS = re.compile(r"(?:Call|Address|Greet)[^{}]*\"?\{address\}\"?\.?")
_LENGTH = re.compile(r"[^{}.;]{0,40}\{reply_words\} words[^{}.;]{0,20}\.?")
_BOTH = re.compile(r"Call viewers \{address\}[;,]? (?:and )?at most \{reply_words\} words\.?")
_TOOL = re.compile(r"(?:Use|Call|Look it up with) \"?\{tool:(?P<tool>[\w.-]+)\}\"?\.?")
_FIRST = re.compile(r"[A-Za-z']+")
_SENTENCES = re.compile(r"(?<=[a-z}\"][.!]) (?=[A-Z\"])")
_MARK = re.compile(r"(?:[-*+•]|\d+[.)])\s+")

Rule: TypeAlias = tuple[str, str]
"""What a rule begins with (``"- "``, ``"1. "``, nothing), and the rule."""


def body_rules(body: str) -> tuple[Rule, ...]:
    """The rules of a skill body: listed lines whole, all others by sentence; headings and blank lines left out."""
    return tuple((sign, part) for sign, text in line_rules(body) for part in ((text,) if sign else sentences(text)))


def line_rules(text: str) -> tuple[Rule, ...]:
    """The lines of a text that ask for something, each as one rule."""
    found: list[Rule] = []
    for line in filter(asks, map(str.strip, text.splitlines())):
        mark = _MARK.match(line)
        found.append((mark.group(), line[mark.end() :]) if mark else ("", line))
    return tuple(found)


def asks(line: str) -> bool:
    """Whether a line is neither blank nor a heading."""
    return bool(line.strip()) and not line.lstrip().startswith("#")


def limits_told(rule: str) -> frozenset[str]:
    """The limits (``address``, ``reply_words``) that a rule states when it does nothing else; else none."""
    pools = {"address": (ADDRESS_RULES, BOTH_RULES), "reply_words": (LENGTH_RULES, BOTH_RULES)}
    return frozenset(limit for limit, stating in pools.items() if known(rule) in stating)


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a line; a line that has a rewrite of its own is left whole."""
    return (text,) if known(text) is not None else tuple(_SENTENCES.split(text))


def reworded_rule(text: str, split: Split, rng: np.random.Generator) -> str:
    """``text`` as another sentence that asks for the same; placeholders stay."""
    text = text.strip()
    if text in BLOCK_LINES:
        return BLOCK_LINES[text].draw(split, rng)
    pool = known(text)
    sentence = reworded(text, split, rng) if pool is None else pool.draw(split, rng)
    if "<tool_call>" in sentence or chance(0.5, rng):
        return sentence
    first = _FIRST.match(sentence)
    word = first.group().lower() if first else ""
    lowered = sentence[:1].lower() + sentence[1:]
    if word == "never" or lowered.startswith("do not "):
        return framed(lowered, NEGATIVE_FRAMES, split, rng, plain_share=0.0)
    if word in IMPERATIVES:
        return framed(lowered, RULE_FRAMES, split, rng, plain_share=0.0)
    return framed(sentence, PLAIN_FRAMES, split, rng, plain_share=0.0)


def known(text: str) -> Pool | None:
    """Rewrites of the very rule, or of the few that every skill has; None when only frames and synonyms are left."""
    if text in RULES or text in BLOCK_LINES:
        return RULES.get(text) or BLOCK_LINES[text]
    if (match := _TOOL.fullmatch(text)) is not None:
        tool = match.group("tool")
        return Pool(
            tuple(template.replace("*", tool) for template in TOOL_RULES.train),
            tuple(template.replace("*", tool) for template in TOOL_RULES.heldout),
        )
    if _ADDRESS.fullmatch(text):
        return ADDRESS_RULES
    if _BOTH.fullmatch(text):
        return BOTH_RULES
    return LENGTH_RULES if _LENGTH.fullmatch(text) else None
