"""``Card``: counts what goes into a training set while it is made, keeps intents in balance, ends as the data card."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from livesim.rollout import Episode
from livesim.types import JsonValue


@dataclass(slots=True)
class Card:
    """What a training set holds, and what was left out.

    Attributes:
        balance: no intent gets more than so many times its even share of the lessons; 0: they come as they come.
        lengths: tokens of each lesson.
        trained: of these, tokens that are imitated.
        harnesses: hashes of the states that were met.
        original: lessons under the original harness.
        intents: lessons by what viewers wanted (one lesson may have several).
        dimensions: lessons by what was varied in the harness.
        tools: calls by canonical name.
        retries: ``"kept whole"`` and ``"cut out"``: lessons whose teacher was sent back.
        dropped: reason -> episodes that are no lesson.
        variants: what became of each draw of the harness; see ``Variant.count``.
    """

    balance: float = 0.0
    lengths: list[int] = field(default_factory=list)
    trained: int = 0
    harnesses: set[str] = field(default_factory=set)
    original: int = 0
    intents: Counter[str] = field(default_factory=Counter)
    dimensions: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    retries: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    def enough(self, intents: Iterable[str]) -> bool:
        """Whether there is more than a fair part of each of these intents already."""
        most = self.balance * (len(self.lengths) + 1) / max(1, len(self.intents))
        return self.balance > 0 and all(self.intents[intent] + 1 > most for intent in intents)

    def add(self, episode: Episode, ids: Sequence[int], mask: Sequence[int], dimensions: Iterable[str]) -> None:
        """Count a lesson."""
        (request,) = episode.requests
        self.lengths.append(len(ids))
        self.trained += sum(mask)
        self.harnesses.add(episode.harness_hash)
        self.original += episode.original
        self.intents.update(intents(episode))
        self.dimensions.update(dimensions)
        self.tools.update(call.tool for call in request.signals.calls if call.tool)
        self._digest.update(np.asarray([*ids, -1], dtype="<i4").tobytes())

    def plain(self) -> dict[str, JsonValue]:
        """As plain values; ``sha256`` is over the token ids of all lessons in order."""
        lengths = self.lengths or [0]
        shares = {"p50": 50, "p95": 95}
        return {
            "episodes": len(self.lengths),
            "harnesses": len(self.harnesses),
            "original": self.original,
            "augmented": len(self.lengths) - self.original,
            "tokens": sum(self.lengths),
            "trained_tokens": self.trained,
            "tokens_an_episode": {
                "least": min(lengths),
                **{name: float(np.percentile(lengths, share)) for name, share in shares.items()},
                "most": max(lengths),
            },
            "intents": _sorted(self.intents),
            "dimensions": _sorted(self.dimensions),
            "variants": _sorted(self.variants),
            "calls": _sorted(self.tools),
            "retries": _sorted(self.retries),
            "dropped": _sorted(self.dropped),
            "sha256": self._digest.hexdigest(),
        }


def intents(episode: Episode) -> tuple[str, ...]:
    """What the viewers of an episode's requests wanted, each once."""
    return tuple(sorted({str(need.intent) for request in episode.requests for need in request.signals.needs}))


def _sorted(counts: Mapping[str, int]) -> dict[str, JsonValue]:
    return {name: counts[name] for name in sorted(counts)}
