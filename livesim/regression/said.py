"""Whether a reply holds a phrase or the value of a fact, compared as a listener would."""

from __future__ import annotations

import re
from collections.abc import Iterable

from livesim.scenarios.expect import Saying
from rewards.signals import Fact, FactKind


def holds(text: str, phrase: str) -> bool:
    """``phrase`` occurs in ``text`` as whole words, whatever the case and the blanks; ``9 yuan`` is not in 89 yuan."""
    words = r"\s+".join(re.escape(word) for word in phrase.split())
    pattern = rf"(?<!\w)(?<!\d\.){words}(?!\w)(?!\.\d)"
    return re.search(pattern, _plain(text), re.I) is not None


def forms(fact: Fact) -> tuple[str, ...]:
    """Phrases that state the value of a fact; none for a flag, whose words can't be listed."""
    value = fact.value
    if fact.kind is FactKind.FLAG:
        return ()
    if fact.kind is FactKind.MONEY and isinstance(value, int):
        whole, rest = divmod(value, 100)
        return (
            (f"{whole}", f"{whole}.00", f"{whole:,}")
            if not rest
            else (f"{whole}.{rest:02d}",) + ((f"{whole}.{rest // 10}",) if rest % 10 == 0 else ())
        )
    if fact.kind is FactKind.PERCENT:
        return (f"{value}%", f"{value} %", f"{value} percent")
    return (str(value),)


def said(saying: Saying, text: str, truth: Iterable[Fact]) -> bool | None:
    """Whether ``text`` says it; None when the fact does not exist in ``truth`` or is a flag."""
    if saying.phrases:
        return any(holds(text, phrase) for phrase in saying.phrases)
    fact = fact_of(saying, truth)
    if fact is None or not forms(fact):
        return None
    return any(_holds_form(text, form) for form in forms(fact))


def fact_of(saying: Saying, truth: Iterable[Fact]) -> Fact | None:
    """The fact that is meant, or None when there is none."""
    return next((f for f in truth if (f.subject, f.name) == (saying.subject, saying.name)), None)


def _holds_form(text: str, form: str) -> bool:
    if form.endswith("%"):  # no word character at its end
        return re.search(rf"(?<![\w.]){re.escape(form)}", _plain(text)) is not None
    return holds(text, form)


def _plain(text: str) -> str:
    return text.replace("\u2019", "'")
