"""``Sight``: the hidden half of an open request, handed to sighted agents only."""

from __future__ import annotations

from dataclasses import dataclass

from livesim.harness.state import HarnessState
from livesim.types import Intent, RoomView
from rewards.signals import Answer, CallRecord, Fact, Limits, Need


@dataclass(frozen=True, slots=True)
class Sight:
    """The hidden half of the open request: what only a sighted agent is handed.

    Attributes:
        request_id: changes when a new request opens.
        needs: what the viewers want.
        harness: the state in force; shown names are in its views and skills.
        skill_options: per intent: canonical ids of the reply skills that serve it.
        calls: every call of this request so far.
        skills_loaded: canonical ids in order of loading.
        truth: facts true in this second.
        known: facts that the prompt states.
        limits: in force for this request.
        comments: what the viewers wrote.
        room: the public room.
        blocked: replies sent back by a hook so far.
        rounds_left: assistant turns left for this request.
    """

    request_id: str
    needs: tuple[Need, ...]
    harness: HarnessState
    skill_options: tuple[tuple[str, tuple[str, ...]], ...]
    calls: tuple[CallRecord, ...]
    skills_loaded: tuple[str, ...]
    truth: tuple[Fact, ...]
    known: tuple[Fact, ...]
    limits: Limits
    comments: tuple[str, ...]
    room: RoomView
    blocked: int = 0
    rounds_left: int = 0


def serving(state: HarnessState, need: Need) -> tuple[str, ...]:
    """Canonical ids of the reply skills that serve a need.

    Whoever hands over to a human may do so by the skill for that, whatever was asked.
    """
    more = state.skills_for(Intent.AFTER_SALES) if need.answer is Answer.HANDOFF else ()
    return tuple(dict.fromkeys((*state.skills_for(need.intent), *more)))
