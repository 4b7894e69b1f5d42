"""What the agent was entitled to say: facts it was told that are still true, by subject and name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from rewards.claims.normal import plain
from rewards.kept import kept
from rewards.signals import DOUBTFUL, CallRecord, Fact, FactKind, FaultKind, Signals

_WORLD_WIDE = ("shop", "host")


class Knowledge:
    """Facts of one request, looked up by subject and name.

    Attributes:
        truth: (subject, name) -> fact, in the second of the reply.
        current: the facts that a tool or the prompt stated and that still hold.
        stale: facts that were stated and no longer hold, never did, or come from a copy that disagrees with the shop.
        comments: what the viewers wrote, normalised.
        asked: option parts of the needs' stock facts, per subject (``{"link:2": ("red", "m")}``).
    """

    def __init__(self, signals: Signals) -> None:
        self.signals = signals
        self.truth = by_name(signals.truth)
        self.current: dict[tuple[str, str], Fact] = {}
        self.stale: list[Fact] = []
        told: list[tuple[Fact, FaultKind | None]] = [(f, None) for f in signals.known]
        told += [(f, call.fault) for call in signals.calls for f in call.facts]
        for fact, fault in told:
            key = (fact.subject, fact.name)
            if fault is not FaultKind.CONTRADICTION and self._holds(fact, fault is FaultKind.STALE):
                self.current[key] = self.truth.get(key, fact)
            else:
                self.stale.append(fact)
        self.by_subject: dict[str, list[Fact]] = {}
        for fact in self.current.values():
            self.by_subject.setdefault(fact.subject, []).append(fact)
        self.titles = {subject: title.lower() for subject, title in signals.titles}
        self.comments = " \n ".join(plain(c).lower() for c in signals.comments)
        self.asked: dict[str, tuple[str, ...]] = {}
        for need in signals.needs:
            refs = [ref for alternative in need.facts for ref in alternative]
            if len(refs) == 1 and refs[0].name.startswith("stock:"):
                self.asked[refs[0].subject] = parts(refs[0].name)

    def unlisted(self, subject: str) -> bool:
        """The room shows which items there are; whatever else is asked for is not to be had."""
        return subject.startswith("link:") and bool(self.truth) and all(whose != subject for whose, _ in self.truth)

    def _holds(self, fact: Fact, doubtful: bool) -> bool:
        truth = self.truth.get((fact.subject, fact.name))
        if truth is None:  # answers to a question of its own (a size, a quantity) are no standing facts
            return fact.name.startswith(("size", "final_price:")) and not doubtful
        if fact.name == "flash:ends":  # the clock runs on between the call and the sentence
            return int(truth.value) > 0 and not doubtful
        if fact.name.startswith("stock") and not doubtful and near(int(truth.value), int(fact.value)):
            return True  # others buy while the host speaks: "about 50" stays right when one of 51 is sold
        return same(truth.value, fact.value)

    def facts(self, subject: str, *names: str) -> list[Fact]:
        """Current facts of a subject by exact name or, for names that end in ``:`` or ``*``, by prefix."""
        return [f for f in self.by_subject.get(subject, ()) if any(fits(f.name, n) for n in names)]

    def with_shop(self, subject: str, *names: str) -> list[Fact]:
        """The same, facts about the shop as a whole included."""
        return self.facts(subject, *names) + (self.facts("shop", *names) if subject != "shop" else [])

    def true(self, subject: str, *names: str) -> list[Fact]:
        """True facts of a subject, whether the agent was told or not."""
        return [f for (s, name), f in self.truth.items() if s == subject and any(fits(name, n) for n in names)]

    def texts(self, subject: str) -> list[str]:
        """Everything current about a subject that is written in words, and its title."""
        found = [text(str(f.value)) for f in self.by_subject.get(subject, ()) if f.kind is FactKind.VALUE]
        title = self.titles.get(subject)
        return [*found, title] if title else found

    def subjects(self) -> tuple[str, ...]:
        """Items and orders that anything is known about."""
        return tuple(s for s in self.by_subject if s not in _WORLD_WIDE)

    def looked(self, subject: str, tools: Iterable[str]) -> bool:
        """One of ``tools`` gave a whole answer about a subject."""
        return any(
            call.ok and call.tool in tools and call.fault not in DOUBTFUL and about(call, subject)
            for call in self.signals.calls
        )


@kept(2)
def known(signals: Signals) -> Knowledge:
    """The knowledge of a request, worked out once for all heads."""
    return Knowledge(signals)


@kept(64)
def by_name(truth: tuple[Fact, ...]) -> Mapping[tuple[str, str], Fact]:
    """The facts of one second by subject and name; they hold for many requests."""
    return MappingProxyType({(fact.subject, fact.name): fact for fact in truth})


def about(call: CallRecord, subject: str) -> bool:
    """A call that was made for a subject, or for none."""
    kind, _, number = subject.partition(":")
    given = call.arguments.get(kind)
    return given is None or str(given).lower() == number.lower()


def fits(name: str, pattern: str) -> bool:
    """``"coupon:"`` fits every name that starts so, ``"coupon:*:off"`` those that also end so."""
    if pattern.endswith(":"):
        return name.startswith(pattern)
    head, star, tail = pattern.partition("*")
    return name.startswith(head) and name.endswith(tail) if star else name == pattern


def near(now: int, told: int) -> bool:
    """Two large numbers of pieces that differ by a few."""
    return min(now, told) >= 10 and abs(now - told) <= 1 + told // 20


def same(a: int | str, b: int | str) -> bool:
    """Equal values; numbers by value, text without case and blanks."""
    return a == b or text(str(a)) == text(str(b))


@lru_cache(maxsize=4096)
def text(value: str) -> str:
    """A fact's text as claims are written: normalised, lower case."""
    return plain(value).lower().strip()


def parts(name: str) -> tuple[str, ...]:
    """``"stock:red/M"`` -> ``("red", "m")``."""
    return tuple(re.split(r"[/\s]+", name.partition(":")[2].lower()))
