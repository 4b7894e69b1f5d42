"""Whom a statement is about: mentions of items and orders in a reply, and attribution to the nearest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from rewards.claims.normal import Text

_LINK = re.compile(
    r"\b(?:links?|items?|products?|number|no\.?)\s*#?\s*(\d{1,4})(?!\d|\.\d|%|\s*(?:yuan|days|hours|left))"
    r"|#(\d{1,4})\b"
)
_MORE = re.compile(
    r"\s*(?:,|and|&|or|,\s*and)\s*#?(\d{1,4})(?!\d|\.\d|%|:\d|\s*(?:yuan|rmb|%|days?|hours?|left|pieces?|percent))"
)
_JOIN = re.compile(r"\s*(?:,|and|&|or|, and|as well as)\s*(?:also\s+)?(?:the\s+|our\s+)?")
_FOR_WORD = re.compile(r"\s*(?:each\s+|more\s+|left\s+)?(?:for|on|is for|off|of)\s+(?:the |our |this |one |a )?")


class Mention(NamedTuple):
    """A stretch of the reply that names a subject."""

    start: int
    end: int
    subject: str


@dataclass(frozen=True, slots=True)
class Subjects:
    """The mentions of a reply in order, and whom unnamed statements are about.

    Attributes:
        mentions: in order, never overlapping.
        default: subjects of the needs.
    """

    mentions: tuple[Mention, ...]
    default: tuple[str, ...]

    def of(self, text: Text, start: int, end: int) -> tuple[tuple[str, ...], bool, bool]:
        """Subjects of the statement at ``[start, end)``, whether they were named, whether all are meant.

        ``"79 yuan for the pan"`` goes to what follows; else the nearest mention before in the sentence, else the
        first one after in it, else the last one of an earlier sentence, else the items of the needs.
        """
        low, high = text.sentence(start)
        before = after = carried = -1
        for i, mention in enumerate(self.mentions):
            if mention.start >= end:
                if mention.start < high:
                    after = i
                break
            if mention.start >= low:
                before = i
            else:
                carried = i
        if after >= 0:
            mention = self.mentions[after]
            gap = text.lower[end : mention.start]
            if _FOR_WORD.fullmatch(gap):
                return (mention.subject,), True, False
        if before >= 0:
            group = self._group(text, before)
            return group, True, len(group) > 1
        if after >= 0:
            return (self.mentions[after].subject,), True, False
        if carried >= 0 and not self.default:
            return (self.mentions[carried].subject,), True, False
        if carried >= 0:
            group = self._group(text, carried)
            return group, True, len(group) > 1
        return self.default, False, False

    def _group(self, text: Text, last: int) -> tuple[str, ...]:
        """The mention and those joined to it by "and": "link 2 and link 3 are ..." is about both."""
        found = [self.mentions[last].subject]
        while last > 0 and _JOIN.fullmatch(text.lower[self.mentions[last - 1].end : self.mentions[last].start]):
            last -= 1
            found.insert(0, self.mentions[last].subject)
        return tuple(dict.fromkeys(found))


@lru_cache(maxsize=256)
def _title_patterns(
    titles: tuple[tuple[str, str], ...], common: frozenset[str]
) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Per title: the whole of it, or its last word where no other title has that and it is no word of ``common``."""
    patterns: list[tuple[re.Pattern[str], str]] = []
    words = [title.lower().split() for _, title in titles]
    for (subject, _title), parts in zip(titles, words, strict=True):
        if not parts:
            continue
        full = r"[\s-]+".join(re.escape(w) for w in parts)
        forms = [rf"{full}(?:e?s)?"]
        head = parts[-1]
        if len(parts) > 1 and len(head) > 2 and head not in common and sum(head in other for other in words) == 1:
            forms.append(rf"(?<!-){re.escape(head)}(?:e?s)?")
        patterns.append((re.compile(rf"\b(?:{'|'.join(forms)})(?!\w)"), subject))
    return tuple(patterns)


def find(
    text: Text,
    titles: tuple[tuple[str, str], ...],
    default: tuple[str, ...],
    orders: Mapping[str, str],
    common: frozenset[str] = frozenset(),
) -> Subjects:
    """All mentions in a reply.

    Args:
        text: the normalised reply.
        titles: subject -> title of every listed item.
        default: subjects of the needs.
        orders: lower-case order number -> subject.
        common: words that name options or attributes here, so that alone they are no item ("34 pieces in peach").
    """
    lower = text.lower
    found: list[Mention] = []
    for match in _LINK.finditer(lower):
        found.append(Mention(match.start(), match.end(), f"link:{int(match[1] or match[2])}"))
        more = _MORE.match(lower, match.end())
        while more and match[0].startswith(("links", "items")):
            found.append(Mention(more.start(1), more.end(), f"link:{int(more[1])}"))
            more = _MORE.match(lower, more.end())
    for pattern, subject in _title_patterns(titles, common):
        found.extend(Mention(m.start(), m.end(), subject) for m in pattern.finditer(lower))
    for number, subject in orders.items():
        at = lower.find(number)
        if at >= 0:
            found.append(Mention(at, at + len(number), subject))
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, -m.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return Subjects(_merged(text, kept), default)


def _merged(text: Text, mentions: list[Mention]) -> tuple[Mention, ...]:
    """``link 2, the linen shirt`` is one mention; so is ``linen shirt (link 2)``."""
    merged: list[Mention] = []
    for mention in mentions:
        if merged and merged[-1].subject == mention.subject:
            gap = text.lower[merged[-1].end : mention.start]
            if len(gap) <= 6 and not any(c.isalnum() for c in gap.replace("the", "").replace("our", "")):
                merged[-1] = Mention(merged[-1].start, mention.end, mention.subject)
                continue
        merged.append(mention)
    return tuple(merged)
