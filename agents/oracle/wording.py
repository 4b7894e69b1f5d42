"""``Speaker``: a reply from the facts that were told, within the limits of the harness, in many wordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from agents.factvalue import spoken
from agents.oracle import phrasings as say
from agents.oracle.calls import MANY, best_facts
from agents.oracle.statements import CLAUSES, SENTENCES, Parts
from livesim.sight import Sight
from livesim.types import Intent
from rewards.signals import Answer, Fact, FaultKind, Need
from rewards.speech import word_count

Facts = Mapping[tuple[str, str], Fact]

PAIRED = frozenset({Intent.SHIPPING, Intent.PROMOTION})
"""Intents whose answer may state a second fact of the need beside the first."""

TAKEN_OFF = ("coupon:", "threshold:")
"""Facts that state an amount and from where on it is taken off; two of them in one sentence are hard to tell apart."""

TRIES = 16
"""Wordings drawn before the shortest one is taken."""


class Speaker:
    """Words replies; every choice comes from ``rng``.

    Args:
        rng: of the choices.
        plain: no choices: the first wording of everything, items by link, no openings and closings.
    """

    def __init__(self, rng: np.random.Generator, *, plain: bool = False) -> None:
        self._rng = rng
        self._plain = plain
        self._short = False  # of the draft in hand: words are scarce

    def reply(self, sight: Sight, facts: Facts, served: Sequence[bool], *, bare: bool = False) -> str:
        """One reply to all needs, within ``limits.reply_words`` whenever any wording is.

        Args:
            sight: the open request.
            facts: what tools and prompt stated.
            served: for each need, whether its calls gave what was needed.
            bare: no openings and closings; used after a hook sent a reply back.
        """
        limit = sight.limits.reply_words
        drafts = []
        for attempt in range(TRIES):
            bare = bare or self._plain or attempt > TRIES // 3
            self._short = attempt > 2 * TRIES // 3
            text = self._address(self._join(sight, facts, served, bare), sight.limits.address)
            if word_count(text) <= limit:
                return text
            drafts.append(text)
        return min(drafts, key=word_count)

    def _join(self, sight: Sight, facts: Facts, served: Sequence[bool], bare: bool) -> str:
        lost = [n for n, ok in zip(sight.needs, served, strict=True) if not ok and n.answer is Answer.FACT]
        found = [(n, ok) for n, ok in zip(sight.needs, served, strict=True) if n not in lost]
        parts = [self._need(need, sight, facts, ok, bare) for need, ok in found]
        if lost:
            parts.append(self._honest(lost, sight))
        if not parts:
            parts = [self._pick(say.SOCIAL["chitchat"])]
        parts = list(dict.fromkeys(parts))
        if len(parts) == 1 and not bare and not lost:
            parts = [self._dressed(parts[0], sight.needs)]
        return " ".join(f"{_capital(part)}{'' if part.endswith('?') else '.'}" for part in parts)

    def _dressed(self, sentence: str, needs: Sequence[Need]) -> str:
        """With an opening and a closing, when it answers with facts."""
        if not needs or needs[0].answer is not Answer.FACT or sentence.startswith(("sorry", "I ", "yes", "no,")):
            return sentence
        opening, closing = self._pick(say.OPENINGS), self._pick(say.CLOSINGS)
        return f"{opening}{sentence}{closing if '?' not in sentence and ';' not in sentence else ''}"

    def _need(self, need: Need, sight: Sight, facts: Facts, served: bool, bare: bool) -> str:
        item = self._item(need.subject, sight, titled=need.intent != Intent.SHIPPING)
        if need.answer is Answer.SOCIAL:
            asked = any("ai" in word.split() for word in need.words)
            return self._worded(SENTENCES["is_ai"] if asked else say.SOCIAL.get(need.intent, ()), need.words)
        if need.answer is Answer.DECLINE:
            if need.intent in say.DECLINES and need.subject == "room":
                return self._worded(say.DECLINES[need.intent], need.words)
            return self._worded(say.GONE, need.words, item)
        if need.answer is Answer.ACTION:
            lost = say.UNSHOWN if _tried([need], sight) else say.UNSHOWABLE
            return self._worded(say.ACTIONS if served else lost, (), item)
        if need.answer is Answer.HANDOFF:
            lost = say.UNREACHED if _tried([need], sight) else say.UNREACHABLE
            return self._worded(say.HANDOFFS if served else lost, need.words)
        return self._facts(need, sight, item, facts, bare)

    def _facts(self, need: Need, sight: Sight, item: str, facts: Facts, bare: bool) -> str:
        known = best_facts(need, facts)
        if not known:
            return self._honest([need], sight)
        chosen = [*self._choose(need, known, bare)]
        pieces = [self._piece(SENTENCES, chosen[0], item, facts)]
        pieces += [self._piece(CLAUSES, fact, item, facts) for fact in chosen[1:]]
        sentence = " and ".join(piece for piece in pieces if piece)
        if need.intent == Intent.STOCK and chosen[0].value == 0 and not bare:
            left = [self._piece(CLAUSES, fact, item, facts) for fact in _left(chosen[0], facts)]
            sentence = ", but ".join([sentence, *left])
        if need.intent == Intent.COMPARISON:
            return f"{self._pick(say.DECLINES['comparison'])}, but {sentence}"
        if need.words and not _has(sentence, need.words):
            return f"{self._pick(say.NO_OFFERS)}, {sentence}"
        return sentence

    def _choose(self, need: Need, known: list[tuple[Fact, ...]], bare: bool) -> tuple[Fact, ...]:
        """One alternative, and now and then a second one beside it."""
        if self._short:
            return next((one for one in known if one[0].name == "final_price"), known[0])
        first = known[0]
        off = first[0].name.startswith(TAKEN_OFF)
        more = [
            one for one in known[1:] if not set(one) & set(first) and not (off and one[0].name.startswith(TAKEN_OFF))
        ]
        if bare or not more or need.intent not in PAIRED or self._rng.random() < 0.4:
            return first
        return (*first, *more[int(self._rng.integers(min(2, len(more))))])

    def _piece(self, table: Parts, fact: Fact, item: str, facts: Facts) -> str:
        """One fact as a sentence or clause; a coupon's amount is joined with what it starts from."""
        base, rest = _split(fact.name)
        stem = fact.name.rpartition(":")[0]
        other = facts.get((fact.subject, f"{stem}:over")) if fact.name.endswith(":off") else None
        if other is not None:
            key = base.removesuffix(":off")
            template = self._pick(table[key])
            return template.format(item=item, off=spoken(fact), over=spoken(other))
        special = "final_price=less" if base == "final_price" and _reduced(fact, facts) else f"{base}={fact.value}"
        options = table.get(special) or table.get(base)
        if not options:
            return f"{fact.name.replace('_', ' ')} of {item} is {spoken(fact)}"
        return self._pick(options).format(
            item=item,
            value=spoken(fact),
            count=f"about {fact.value}" if isinstance(fact.value, int) and fact.value >= MANY else str(fact.value),
            option=rest,
            pieces=rest,
            name=rest.replace("_", " "),
            be="are" if _many(rest) else "is",
        )

    def _honest(self, needs: Sequence[Need], sight: Sight) -> str:
        """What could not be looked up, all in one sentence, with the reason and the next step."""
        topics = [f"{_topic(need)} of {self._item(need.subject, sight, titled=False)}" for need in needs]
        pool = say.UNEQUIPPED
        if _disputed(needs, sight):
            pool = say.DISPUTED
        elif _tried(needs, sight):
            pool = say.HONEST
        text = self._pick(pool).format(topics=" and the ".join(dict.fromkeys(topics)))
        compared = any(need.intent == Intent.COMPARISON for need in needs)
        return f"{self._pick(say.DECLINES['comparison'])}. {_capital(text)}" if compared and not self._short else text

    def _item(self, subject: str, sight: Sight, *, titled: bool = True) -> str:
        """The item as it is spoken of: by link, or by title where that is wanted and reads well."""
        if not subject.startswith("link:"):
            return ""
        link = subject.removeprefix("link:")
        title = next((item.title for item in sight.room.items if str(item.link) == link), "")
        by_title = self._rng.random() < 0.25  # drawn in any case, so that one word more moves no other choice
        named = by_title and titled and not self._plain and title and not _many(title)
        return f"the {title}" if named else f"link {link}"

    def _worded(self, options: Sequence[str], words: Sequence[str], item: str = "") -> str:
        """One of the options that holds one of the words; a word in front of one when none does."""
        fitting = [text for text in options if not words or _has(text, words)]
        if fitting:
            return self._pick(fitting).replace("{item}", item)
        return f"{words[0]}, {self._pick(options)}".replace("{item}", item)

    def _address(self, text: str, address: str) -> str:
        if not address:
            return text
        ahead = self._rng.random() < 0.6 and not self._plain
        if ahead or not text.endswith("."):
            head = text if text.startswith(("I ", "I'")) else text[:1].lower() + text[1:]
            return f"{_capital(address)}, {head}"
        return f"{text[:-1]}, {address}."

    def _pick(self, options: Sequence[str]) -> str:
        """Any option; the shortest when words are scarce."""
        if self._short:
            return min(options, key=word_count)
        if self._plain:
            return options[0]
        return options[int(self._rng.integers(len(options)))]


def _split(name: str) -> tuple[str, str]:
    """The template key of a fact's name, and what is special in it: ``"stock:red/M"`` -> ``("stock:", "red/M")``."""
    if name.startswith("coupon:"):
        return f"coupon:{name.rpartition(':')[2]}", ""
    head, colon, rest = name.partition(":")
    if head in ("attr", "stock", "size", "final_price") and colon:
        return f"{head}:", rest
    return name, ""


def _tried(needs: Sequence[Need], sight: Sight) -> bool:
    """Whether a tool that could serve one of the needs was called and failed."""
    failed = {call.tool for call in sight.calls if not call.ok or call.fault is not None}
    return any(call.tool in failed for need in needs for plan in need.plans for call in plan)


def _disputed(needs: Sequence[Need], sight: Sight) -> bool:
    """Whether tools answered for one of the needs, but from copies that the shop contradicts."""
    copies = {call.tool for call in sight.calls if call.fault is FaultKind.CONTRADICTION}
    return any(call.tool in copies for need in needs for plan in need.plans for call in plan)


def _topic(need: Need) -> str:
    """What a need asks for, as a noun."""
    if need.intent == Intent.ATTRIBUTE:
        names = [ref.name.removeprefix("attr:") for refs in need.facts for ref in refs]
        return names[0].replace("_", " ") if len(names) == 1 else "details"
    return say.TOPICS.get(need.intent, "details")


def _left(sold_out: Fact, facts: Facts) -> list[Fact]:
    """The option with the most pieces left, when it was told and there is one."""
    options = [
        fact
        for (subject, name), fact in facts.items()
        if subject == sold_out.subject
        and name.startswith("stock:")
        and "gift" not in name  # "gift has 3 pieces left" sounds like a present
        and isinstance(fact.value, int)
        and fact.value > 0
    ]
    return [max(options, key=lambda fact: (int(fact.value), fact.name))] if options else []


def _reduced(price: Fact, facts: Facts) -> bool:
    """Whether the list price was told too, and is higher."""
    listed = facts.get((price.subject, "list_price"))
    return listed is not None and int(listed.value) > int(price.value)


def _many(noun: str) -> bool:
    """Whether a noun looks like a plural."""
    return noun.endswith("s") and not noun.endswith("ss")


def _has(text: str, words: Sequence[str]) -> bool:
    low = text.lower()
    return any(word in low for word in words)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
