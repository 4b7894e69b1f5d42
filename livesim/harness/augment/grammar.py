"""Small text grammars: ``[a|b]`` is a choice; a ``Pool`` holds one for training and a disjoint one for held-out use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np

from livesim.harness.augment.config import Split

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pool:
    """Templates of the two halves. Texts may hold harness placeholders such as ``{reply_words}``.

    Attributes:
        train: what training may see.
        heldout: what only an evaluation may see.
        wide: what ``Split.TRAIN_WIDE`` has besides ``train``.
    """

    train: tuple[str, ...]
    heldout: tuple[str, ...]
    wide: tuple[str, ...] = ()

    def of(self, split: Split) -> tuple[str, ...]:
        """The templates of one split."""
        if split is Split.HELDOUT:
            return self.heldout
        return self.train if split is Split.TRAIN else self.train + self.wide

    def draw(self, split: Split, rng: np.random.Generator) -> str:
        """One text of a split; templates with more texts are drawn more often."""
        return draw(self.of(split), rng)

    def texts(self, split: Split) -> frozenset[str]:
        """Every text of a split."""
        return frozenset(text for template in self.of(split) for text in expand(template))


@lru_cache(maxsize=4096)
def expand(template: str) -> tuple[str, ...]:
    """Every text that a template stands for. ``"[a|b] c"`` gives ``("a c", "b c")``; brackets may nest."""
    start = template.find("[")
    if start < 0:
        return (" ".join(template.split(" ")),)
    end, options = _options(template, start)
    texts: dict[str, None] = {}
    for option in options:
        for text in expand(template[:start] + option + template[end:]):
            texts[text] = None
    return tuple(texts)


def draw(templates: Sequence[str], rng: np.random.Generator) -> str:
    """One text of these templates, each template weighted by the root of its number of texts."""
    weights = np.sqrt([len(expand(template)) for template in templates])
    template = templates[int(rng.choice(len(templates), p=weights / weights.sum()))]
    return pick(expand(template), rng)


def words(text: str) -> tuple[str, ...]:
    """A blank-separated list as a tuple, for pools of single words."""
    return tuple(text.split())


def pick(options: Sequence[T], rng: np.random.Generator) -> T:
    """One of the options, all equally likely."""
    return options[int(rng.integers(len(options)))]


def chance(share: float, rng: np.random.Generator) -> bool:
    """True in this share of the draws; always takes one number from the generator."""
    return bool(rng.random() < share)


def shuffled(items: Sequence[T], rng: np.random.Generator) -> tuple[T, ...]:
    """The items in another order."""
    return tuple(items[int(i)] for i in rng.permutation(len(items)))


def _options(template: str, start: int) -> tuple[int, list[str]]:
    """The choice that opens at ``start``: the index behind it, and its options."""
    depth, options, last = 0, [], start + 1
    for i in range(start, len(template)):
        mark = template[i]
        if mark == "[":
            depth += 1
        elif mark == "|" and depth == 1:
            options.append(template[last:i])
            last = i + 1
        elif mark == "]":
            depth -= 1
            if depth == 0:
                return i + 1, [*options, template[last:i]]
    raise ValueError(f"no closing bracket in {template!r}")
