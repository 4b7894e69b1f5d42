"""``Builder``: makes claims at a place of a reply, with subjects, option words and negation filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rewards.claims.claim import Bound, Claim, ClaimKind
from rewards.claims.normal import Text
from rewards.claims.subjects import Subjects
from rewards.speech import NO_NOT

_NOT = re.compile(
    r"(?:\bnot\b|n't\b|\bcannot\b|\bno\b|\bnever\b|\bwithout\b|\bnor\b|\bneither\b|\bnone of\b|\binstead of\b"
    r"|\brather than\b|\bisnt\b|\bdoesnt\b|\bdont\b|\bfree of\b|\bzero\b|\bout of (?:the|a)\b|\baway from\b"
    r"|\bavoid\b)"
)
_TAIL_NOT = re.compile(
    r"\s*(?:for [\w ]{1,20}?|on [\w ]{1,20}?|with [\w ]{1,20}?)?\s*(?:is|are|was|were|does|do|comes?)?\s*(?:not"
    r"|n't|isn't|aren't|doesn't)\b"
    r"(?! only)"
)
_SIZE_WORD = re.compile(r"\b(?:in|size)(?: an?| the)? (small|medium|large)\b(?! (?:numbers?|amounts?|quantit|part))")


@dataclass(frozen=True, slots=True)
class Builder:
    """A reply, its mentions, and the words that name options of the listed items (``"red"``, ``"m"``)."""

    text: Text
    subjects: Subjects
    options: frozenset[str]

    def make(
        self,
        kind: ClaimKind,
        start: int,
        end: int,
        *,
        role: str = "",
        low: float = 0.0,
        high: float = 0.0,
        bound: Bound = Bound.EXACT,
        value: str = "",
        negated: bool = False,
    ) -> Claim:
        """A claim for the words in ``[start, end)``."""
        subjects, named, every = self.subjects.of(self.text, start, end)
        return Claim(
            kind=kind,
            quote=self.text.lower[start:end].strip(),
            role=role,
            low=low,
            high=high,
            bound=bound,
            text=value,
            negated=negated,
            subjects=subjects,
            named=named,
            every=every,
            option=self.option(start),
            start=start,
            clause=self.text.clause_number(start),
        )

    def option(self, at: int) -> tuple[str, ...]:
        """Option words in the clause around ``at``, in order; in the sentence when the clause has none."""
        if not self.options:
            return ()
        cased = self._unnamed()
        lower = cased.lower() if len(cased.lower()) == len(cased) else self.text.lower
        for low, high in (self.text.clause(at), self.text.sentence(at)):
            words = re.findall(r"[a-z0-9]+", lower[low:high])
            found = tuple(dict.fromkeys(w for w in words if w in self.options and w not in ("a", "s", "m", "l")))
            # one-letter sizes count only in upper case or beside another option, so that "it's" is no size S
            letters = re.findall(r"(?<!')\b[SML]\b|(?<=[/\s])[sml]\b(?=[\s,.]|$)", cased[low:high])
            letters += [m[1][0] for m in _SIZE_WORD.finditer(lower, low, high)]
            letters = [w.lower() for w in letters if w.lower() in self.options]
            if found or letters:
                return (*found, *dict.fromkeys(letters))
        return ()

    def _unnamed(self) -> str:
        """The reply with its mentions of items blanked, so that the "green" of a green tea is no option."""
        text = self.text.cased
        for mention in self.subjects.mentions:
            text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
        return text

    def denied_after(self, at: int) -> bool:
        """What ends at ``at`` is denied by the next words ("... is not included")."""
        return _TAIL_NOT.match(self.text.lower, at) is not None

    def negated(self, at: int, words: int = 4) -> bool:
        """A negation stands at most ``words`` words before ``at`` in its clause."""
        low, _ = self.text.clause(at)
        before = NO_NOT.sub(" ", self.text.lower[low:at])
        near = " ".join(before.split()[-words:])
        return _NOT.search(near) is not None
