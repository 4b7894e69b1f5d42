"""``Cast``: who comes; draws personas and stays as arrays, with factors centred so that the room keeps its means."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from livesim.types import Intent
from livesim.world.behaviour import PERSONAS, TRAITS, Persona, Traits
from livesim.world.viewers import ViewerConfig

_PLAIN = Traits(1.0)


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Viewers who come together: their kind (index into ``Cast.traits``) and how long they stay, seconds."""

    persona: np.ndarray
    stay_s: np.ndarray


class Cast:
    """The kinds of viewers of a room; without a ``Behaviour`` there is one kind.

    Stays are lognormal for each kind. Factors are divided by their mean, and the spread within a kind is what the
    spread between kinds leaves of ``dwell_sigma``: the stays of all keep median and spread of the configuration.

    Args:
        config: the numbers.

    Attributes:
        traits: of each kind, in the order of its index; index 0 is the only one without a ``Behaviour``.
        shares: of those who enter.
        mean_stay_s: of those who enter.
        click, order: chances of each kind; order given click.
        writes: chance of each kind to be one who writes.
        writers: mean number of writers who are present.
    """

    def __init__(self, config: ViewerConfig) -> None:
        behaviour = config.behaviour
        weights = {p: w for p, w in behaviour.personas.items() if w > 0} if behaviour is not None else {}
        self.personas = tuple(p for p in PERSONAS if p in weights)
        self.traits = tuple(TRAITS[p] for p in self.personas) or (_PLAIN,)
        shares = np.array([weights[p] for p in self.personas] or [1.0])
        self.shares = shares / shares.sum()
        log_stay = np.log([t.stay for t in self.traits])
        log_stay -= float(self.shares @ log_stay)
        self._mu = math.log(config.dwell_median_s) + log_stay
        self._sigma = math.sqrt(max(config.dwell_sigma**2 - float(self.shares @ log_stay**2), 0.01))
        if len(self.traits) == 1:
            self._sigma = config.dwell_sigma
        means_s = np.exp(self._mu + self._sigma**2 / 2)
        self.mean_stay_s = float(self.shares @ means_s)
        self._present = self.shares * means_s / self.mean_stay_s
        click = _centred(np.array([t.click for t in self.traits]), self.shares)
        self.click = np.minimum(1.0, config.click * click)
        self.order = np.minimum(
            1.0, config.order * _centred(np.array([t.order for t in self.traits]), self.shares * click)
        )
        talk = _centred(np.array([t.talk for t in self.traits]), self.shares)
        self.writes = np.minimum(1.0, (behaviour.writers if behaviour is not None else 1.0) * talk)
        self.writers = config.viewers * float(self._present @ self.writes)

    def enter(self, rng: np.random.Generator, count: int) -> Arrivals:
        """So many who enter now."""
        persona = self._draw(rng, count, self.shares)
        return Arrivals(persona, np.maximum(rng.lognormal(self._mu[persona], self._sigma, count), 1.0))

    def present(self, rng: np.random.Generator, count: int) -> Arrivals:
        """So many who are there already: long stays are seen more often, each at a random point of its length."""
        persona = self._draw(rng, count, self._present)
        stay_s = rng.lognormal(self._mu[persona] + self._sigma**2, self._sigma, count)
        return Arrivals(persona, np.maximum(stay_s * rng.random(count), 1.0))

    def _draw(self, rng: np.random.Generator, count: int, shares: np.ndarray) -> np.ndarray:
        if len(shares) == 1:
            return np.zeros(count, dtype=np.int64)
        return rng.choice(len(shares), count, p=shares / shares.sum())

    def tilts(self, intents: Sequence[Intent]) -> np.ndarray:
        """Factors of the weights of intents, a row for each kind; centred over those who write."""
        rows = np.array([[traits.intents.get(intent, 1.0) for intent in intents] for traits in self.traits])
        talk = self._present * self.writes
        tilts: np.ndarray = rows / (talk @ rows / talk.sum())
        return tilts

    def is_a(self, persona: int, which: Persona) -> bool:
        """Is this index that kind?"""
        return bool(self.personas) and self.personas[persona] is which


def _centred(factors: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Factors whose weighted mean is 1; those that are all 0 stay so."""
    mean = float(factors @ weights) / float(weights.sum())
    return factors / mean if mean > 0 else factors
