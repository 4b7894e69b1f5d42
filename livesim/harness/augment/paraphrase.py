"""Other words for texts that no pool knows: synonyms of single words, frames, first letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import Pool, chance, pick


def _synonyms(table: str) -> dict[str, Pool]:
    pools = {}
    for line in table.strip().splitlines():
        word, train, heldout = (part.strip() for part in line.split(":"))
        pools[word] = Pool(tuple(train.split(",")), tuple(heldout.split(",")))
    return pools


SYNONYMS: Mapping[str, Pool] = MappingProxyType(
    _synonyms(
        """
        never: at no time: under no circumstances
        always: every time: without fail
        questions: asks,comments,requests: inquiries,queries
        question: comment,request,ask: inquiry,query
        viewer: guest,person: onlooker,audience member
        viewers: guests,people: onlookers,the audience
        item: product,goods: article,merchandise
        items: products,goods: articles,merchandise
        price: cost,pricing: charge,tariff
        prices: costs,pricing: charges,tariffs
        coupons: discounts,offers: vouchers,rebates
        short: brief,compact: concise,terse
        friendly: warm,kind: cordial,amiable
        promise: guarantee,assure: vow,pledge
        invent: make up,guess: fabricate,concoct
        status: state,progress: situation,standing
        stock: inventory,supply: holdings,reserves
        shipping: delivery,dispatch: freight,transit
        """
    )
)
"""Single words with others that can stand in their place."""

WORD = re.compile(r"\{[^{}]*\}|[A-Za-z]+")
"""A word that may have synonyms, or a placeholder, which has none."""


def reworded(text: str, split: Split, rng: np.random.Generator) -> str:
    """``text`` with known words replaced; placeholders in braces stay as they are."""

    def other(match: re.Match[str]) -> str:
        word = match.group()
        pool = SYNONYMS.get(word.lower())
        if pool is None:
            return word
        new = pick(pool.of(split), rng)
        return new[0].upper() + new[1:] if word[0].isupper() else new

    return WORD.sub(other, text)


def framed(phrase: str, frames: Pool, split: Split, rng: np.random.Generator, plain_share: float) -> str:
    """``phrase`` in one of the frames, or bare in ``plain_share`` of the draws."""
    if chance(plain_share, rng):
        return phrase
    return frames.draw(split, rng).replace("{}", phrase)


def cased(text: str, case: str) -> str:
    """The first letter in ``"upper"`` or ``"lower"`` case; all-capital first words stay."""
    if len(text) > 1 and text[1].isupper():
        return text
    return text[:1].upper() + text[1:] if case == "upper" else text[:1].lower() + text[1:]
