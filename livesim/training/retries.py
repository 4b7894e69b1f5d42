"""Failed steps of a teacher: turns that the harness sent back. Few are worth showing, none is worth imitating."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from livesim.harness.codec import OPEN
from livesim.harness.session import OutcomeKind
from livesim.rollout import RequestRecord
from rewards.score import HEADS


def failed(request: RequestRecord) -> tuple[int, ...]:
    """Numbers of the turns that were sent back, counting from 0."""
    return tuple(i for i, turn in enumerate(request.turns) if turn.outcome == OutcomeKind.FEEDBACK)


def fit(request: RequestRecord) -> bool:
    """Whether a request is worth imitating: without its failed steps, every head but ``length`` is full.

    A step that went wrong costs tool rationality for good, so a request with one never has full heads by itself.
    """
    if request.full:
        return True
    sent_back = [request.turns[i].text for i in failed(request)]
    wrong = [call for call in request.signals.calls if call.error is not None]
    if not sent_back or len(wrong) > sum(text.count(OPEN) for text in sent_back):
        return False  # nothing went wrong, or also in a turn that was carried out
    right = replace(
        request.signals,
        calls=tuple(call for call in request.signals.calls if call.error is None),
        unreadable=0,
    )
    return all(head.function(right).value == 1.0 for head in HEADS.values())


def without(request: RequestRecord) -> tuple[Mapping[str, str], ...]:
    """The conversation as it would have gone without the failed steps and what the harness said to them."""
    dropped, kept, turn = set(failed(request)), [], -1
    for message in request.messages:
        turn += message["role"] == "assistant"
        if turn not in dropped:
            kept.append(message)
    return tuple(kept)
