"""What became of a request that an injected fault hit: recovered, honest, hallucinated, gave up."""

from __future__ import annotations

from enum import StrEnum

from rewards.signals import FaultKind, Signals


class Recovery(StrEnum):
    """What became of a request that an injected fault hit."""

    NONE = "none"  # no fault hit it, or the stream or the turns ended before there was a reply
    RECOVERED = "recovered"  # right and useful all the same
    HONEST = "honest"  # accurate, said that it could not be looked up
    HALLUCINATED = "hallucinated"  # stated something false or unsupported
    GAVE_UP = "gave_up"  # no reply, or one that serves nobody


CUT_SHORT = frozenset({"time", "budget"})
"""Values of ``Signals.end`` that say nothing about the host: see ``livesim.types.RequestEnd``."""


def outcome(signals: Signals, *, accuracy: float, effectiveness: float) -> Recovery:
    """What became of a request, read from its heads so that it can never disagree with them.

    Args:
        signals: of the request. That calls brought what was needed after all is what tells a recovery from an honest
            "I could not look it up".
        accuracy: value of the head.
        effectiveness: value of the head.
    """
    hit = next((i for i, call in enumerate(signals.calls) if call.fault is not None), None)
    if hit is None or (signals.reply is None and signals.end in CUT_SHORT):
        return Recovery.NONE
    if signals.reply is None:
        return Recovery.GAVE_UP
    if accuracy < 1:
        return Recovery.HALLUCINATED
    if effectiveness >= 1 and any(call.ok for call in signals.calls[hit:]) and _had(signals):
        return Recovery.RECOVERED
    return Recovery.HONEST if effectiveness > 0 else Recovery.GAVE_UP


def _had(signals: Signals) -> bool:
    """Calls or the prompt brought the facts of every need that is about facts; a copy in doubt brings none."""
    sources = [call for call in signals.calls if call.ok and call.fault is not FaultKind.CONTRADICTION]
    stated = {(fact.subject, fact.name) for fact in signals.known}
    stated |= {(fact.subject, fact.name) for call in sources for fact in call.facts}
    return all(
        any(all((ref.subject, ref.name) in stated for ref in refs) for refs in need.facts)
        for need in signals.needs
        if need.facts and not need.words
    )
