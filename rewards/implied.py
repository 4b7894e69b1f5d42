"""A bare "yes" or "no" read as the answer to a yes/no question."""

from __future__ import annotations

import re

from rewards.claims import Claim, ClaimKind, Reading
from rewards.signals import FactKind, Signals

_YES = re.compile(r"^\W*(?:\w+,\s*)?(?:yes|yep|yeah|sure|of course|correct|that's right|it is|it does)\b")
_NO = re.compile(
    r"^\W*(?:\w+,\s*)?(?:no|nope|sorry,? no|unfortunately not|afraid not|it isn't|it doesn't)\b(?! (?:problem|worries))"
)
_TURNED = re.compile(r"\b(?:pay|cost|charge|extra|myself|human|real person|sold out|gone)\b")
_FLAGS = frozenset({"free_shipping", "freight_insurance", "returnable"})


def implied(reading: Reading, signals: Signals) -> tuple[Claim, ...]:
    """Flags that a leading yes or no states, for needs whose flag the reply does not spell out.

    Questions that ask the other way round ("do I pay for shipping?") are left alone.
    """
    lower = reading.text.lower
    word = "yes" if _YES.match(lower) else "no" if _NO.match(lower) else ""
    if not word or _TURNED.search(" ".join(signals.comments).lower()):
        return ()
    said = {claim.role for claim in reading.claims if claim.kind is ClaimKind.FLAG}
    kinds = {(f.subject, f.name): f.kind for f in signals.truth}
    found = []
    for need in signals.needs:
        names = {ref.name for refs in need.facts for ref in refs}
        if len(names) == 1 and names <= _FLAGS and not names & said:
            name = names.pop()
            if kinds.get((need.subject, name), FactKind.FLAG) is FactKind.FLAG:
                found.append(
                    Claim(ClaimKind.FLAG, word, role=name, text=word, subjects=(need.subject,), start=0, clause=0)
                )
    return tuple(found)
