"""``extract``: a reply as typed claims."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rewards.claims.builder import Builder
from rewards.claims.claim import Claim
from rewards.claims.normal import Text, normalise, plain
from rewards.claims.numbers import numeric_claims
from rewards.claims.statements import statements
from rewards.claims.subjects import Subjects, find
from rewards.claims.values import values
from rewards.kept import kept
from rewards.signals import Fact, FactKind, Signals
from rewards.speech import word_count

_COMMON = frozenset(
    {
        "none", "yes", "no", "dry", "fresh", "plain", "natural", "single", "double", "family", "gift", "basic", "plus",
        "pro", "clear", "sand", "honey", "gel", "oil", "foam", "light", "spring", "summer", "autumn", "winter", "all",
    }
)  # fmt: skip
"""Values that are everyday words: on their own they state nothing."""


MAX_CHARS = 2000
"""Characters of a reply that are read; what is longer takes minutes to speak, and both heads give it nothing."""


class Reading:
    """A reply, read: its normalised text, mentions and claims, and how many words are spoken."""

    __slots__ = ("claims", "subjects", "text", "words")

    def __init__(self, text: Text, subjects: Subjects, claims: tuple[Claim, ...], words: int) -> None:
        self.text = text
        self.subjects = subjects
        self.claims = claims
        self.words = words


@kept(1)
def extract(signals: Signals) -> Reading:
    """The claims of a finished request's reply, in order; none when nothing was said.

    The last reading is kept, since both heads of the reply want the same one.
    """
    reply = (signals.reply or "")[:MAX_CHARS]
    default = tuple(dict.fromkeys(n.subject for n in signals.needs if n.subject.startswith(("link:", "order:"))))
    true, told = _true(signals.truth), _vocabulary((*signals.known, *(f for call in signals.calls for f in call.facts)))
    words = true.words | told.words
    usable = tuple(sorted(w for w in words if len(w[1]) > 2 and w[1] not in _COMMON and not w[1][0].isdigit()))
    sizes = any(n.intent == "size" for n in signals.needs)
    after_sales = any(n.intent == "after_sales" or n.subject.startswith("order:") for n in signals.needs)
    topics = true.gifts | told.gifts | {part for name, _ in words for part in name.split("_")}
    named = tuple(sorted(true.orders | told.orders))
    return _read(reply, signals.titles, default, usable, true.options | told.options, topics, named, sizes, after_sales)


class _Vocabulary(NamedTuple):
    """Words that facts bring with them.

    Attributes:
        words: attributes and their values.
        options: parts of option names.
        gifts: words of gifts.
        orders: lower-case order numbers and their subjects.
    """

    words: frozenset[tuple[str, str]]
    options: frozenset[str]
    gifts: frozenset[str]
    orders: frozenset[tuple[str, str]]


def _vocabulary(facts: Iterable[Fact]) -> _Vocabulary:
    words: set[tuple[str, str]] = set()
    options: set[str] = set()
    gifts: set[str] = set()
    orders: set[tuple[str, str]] = set()
    for fact in facts:
        if fact.name.startswith("stock:"):
            options.update(part for part in fact.name[6:].lower().replace("/", " ").split())
        elif fact.kind is FactKind.VALUE and fact.name.startswith("attr:"):
            words.add((fact.name[5:], _plain(str(fact.value))))
        elif fact.name == "gift":
            gifts.update(str(fact.value).lower().split())
        if fact.subject.startswith("order:"):
            orders.add((fact.subject[6:].lower(), fact.subject))
    return _Vocabulary(frozenset(words), frozenset(options), frozenset(gifts), frozenset(orders))


@kept(64)
def _true(truth: tuple[Fact, ...]) -> _Vocabulary:
    """Of all that is true: the same for many requests."""
    return _vocabulary(truth)


@lru_cache(maxsize=4096)
def _plain(value: str) -> str:
    return plain(value).lower()


@lru_cache(maxsize=64)
def _read(
    reply: str,
    titles: tuple[tuple[str, str], ...],
    default: tuple[str, ...],
    words: tuple[tuple[str, str], ...],
    options: frozenset[str],
    topics: frozenset[str],
    orders: tuple[tuple[str, str], ...],
    sizes: bool,
    after_sales: bool,
) -> Reading:
    text = normalise(reply)
    subjects = find(text, titles, default, dict(orders), options | topics)
    builder = Builder(text, subjects, options)
    claims = [*numeric_claims(builder), *statements(builder), *values(builder, words, sizes, after_sales)]
    claims.sort(key=lambda c: c.start)
    return Reading(text, subjects, tuple(claims), word_count(reply))
