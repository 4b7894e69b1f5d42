"""What a reply states beside its claims: by a bare "yes" or "no", or by the word that was asked for."""

from __future__ import annotations

import re

from rewards.answers import has_value
from rewards.claims import Claim, ClaimKind, Reading
from rewards.claims.goods import LEXICON, role_of
from rewards.claims.normal import plain
from rewards.signals import FactKind, Need, Signals
from rewards.support.knowledge import by_name

_YES = re.compile(r"^\W*(?:\w+,\s*)?(?:yes|yep|yeah|sure|of course|correct|that's right|it is|it does|indeed)\b")
_NO = re.compile(
    r"^\W*(?:\w+,\s*)?(?:no|nope|sorry,? no|unfortunately not|afraid not|it isn't|it doesn't)\b(?! (?:problem"
    r"|worries))"
)
_ASKED = re.compile(r"(?:^|\W)(?:is|are|can|does|do|will|has|have|got|any|was|did)\b")
_TURNED = re.compile(r"\b(?:pay|cost|charge|extra|myself|human|real person|sold out|gone|run out)\b")
_HARMLESS = re.compile(
    r"\ballergens?\b[\w ,']{0,30}?(?: is| are|:)? none\b|\bno (?:known )?allergens?\b|\ballergen[- ]free\b"
    r"|^\W*(?:\w+,? )?(?:no,? )?(?:nothing(?! (?:to|but|else))|none)\b|\bsafe for (?:everyone|everybody|all)\b"
)
"""Says that an item holds nothing to be wary of, when that was asked."""
_FLAGS = frozenset({"free_shipping", "freight_insurance", "returnable"})


def implied(reading: Reading, signals: Signals) -> tuple[Claim, ...]:
    """What a leading yes or no states, for needs that the reply does not spell out, and an everyday word that answers.

    Flags, stock, and attributes that a comment names ("is it cotton?"). Questions that ask the other way round ("do I
    pay for shipping?", "is it sold out?") are left alone.
    """
    word = _word(reading)
    comments = " ".join(signals.comments).lower()
    found: list[Claim] = [claim for need in signals.needs for claim in _allergens(need, reading)]
    found += [claim for need in signals.needs for claim in _word_asked_for(need, reading, signals)]
    if not word or _TURNED.search(comments):
        return tuple(found)
    for need in signals.needs:
        found += _flag(need, word, reading)
        if need.intent == "attribute" and not any(c.kind is ClaimKind.VALUE for c in reading.claims):
            found += _attributes(need, word, plain(comments))
    return tuple(found)


def answers_yes_no(reading: Reading, signals: Signals) -> bool:
    """A leading yes or no answers a question that can be answered so."""
    return bool(_word(reading)) and any(_ASKED.search(comment.lower()) for comment in signals.comments)


def _word(reading: Reading) -> str:
    lower = reading.text.lower
    return "yes" if _YES.match(lower) else "no" if _NO.match(lower) else ""


def _flag(need: Need, word: str, reading: Reading) -> list[Claim]:
    names = {ref.name.partition(":")[0] for refs in need.facts for ref in refs}
    if len(names) != 1:
        return []
    name = names.pop()
    said = {c.role for c in reading.claims if c.kind is ClaimKind.FLAG} | {
        "stock" for c in reading.claims if c.kind is ClaimKind.COUNT or c.role == "plenty"
    }
    if name in said or name not in (*_FLAGS, "stock"):
        return []
    return [Claim(ClaimKind.FLAG, word, role=name, text=word, subjects=(need.subject,))]


def _allergens(need: Need, reading: Reading) -> list[Claim]:
    asked = any(ref.name == "attr:allergens" for refs in need.facts for ref in refs)
    match = _HARMLESS.search(reading.text.lower) if asked else None
    if match is None or any(claim.role == "allergens" for claim in reading.claims):
        return []
    return [Claim(ClaimKind.VALUE, match[0].strip(), role="allergens", text="no allergens", subjects=(need.subject,))]


def _word_asked_for(need: Need, reading: Reading, signals: Signals) -> list[Claim]:
    """An everyday word ("autumn") that is the value of the attribute asked for: it counts as the answer, so it is one.

    Elsewhere such a word states nothing; here, whoever says it without a look has guessed.
    """
    refs = [ref for alternative in need.facts for ref in alternative]
    if need.intent != "attribute" or len(refs) != 1:
        return []
    fact = by_name(signals.truth).get((refs[0].subject, refs[0].name))
    if fact is None or fact.kind is not FactKind.VALUE:
        return []
    value = plain(str(fact.value)).lower()
    if value == "none" or not has_value(value, reading.text.lower) or value[0].isdigit():
        return []
    if any(claim.kind is ClaimKind.VALUE and (claim.text in value or value in claim.text) for claim in reading.claims):
        return []
    return [
        Claim(ClaimKind.VALUE, value, role=refs[0].name.removeprefix("attr:"), text=value, subjects=(need.subject,))
    ]


def _attributes(need: Need, word: str, comments: str) -> list[Claim]:
    return [
        Claim(
            ClaimKind.VALUE,
            f"{word} ({m[0]})",
            role=role_of(m[0]),
            text=m[0],
            negated=word == "no",
            subjects=(need.subject,),
        )
        for m in LEXICON.finditer(comments)
    ]
