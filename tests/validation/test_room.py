"""The scripted host: luck is shared between hosts, and each quality does what it says."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from livesim.scenarios.script import Scenario
from livesim.types import Intent
from livesim.validation.room import PLAIN, PUSHY, Host, Outcome, play_room
from livesim.world.returns import pressure
from livesim.world.viewers import Heard, MoveKind, RoomInfo, RoomMoment, ViewerAct, ViewerComment, ViewerMove


class Listener:
    """Asks for a size and a material in turn, every fifteen seconds; orders after a right answer, and keeps notes."""

    def __init__(self, notes: list[Heard]) -> None:
        self.notes = notes

    def reset(self, seed: int, room: RoomInfo) -> None:
        self.link = room.on_air

    def window(self, room: RoomMoment, dt_s: float) -> Sequence[ViewerAct]:
        return [
            ViewerComment(f"v{at_s}", f"question {at_s}", intent, self.link, {"topic": "material"}, at_s=at_s)
            for at_s, intent in ((15.0 * n, (Intent.STOCK, Intent.ATTRIBUTE)[n % 2]) for n in range(1, 20))
            if room.clock_s <= at_s < room.clock_s + dt_s
        ]

    def react(self, heard: Heard) -> Sequence[ViewerAct]:
        self.notes.append(heard)
        if not heard.correct:
            return ()
        viewer = heard.comments[0].viewer
        return [ViewerMove(viewer, kind, self.link) for kind in (MoveKind.ORDER, MoveKind.PAY)]


def visit(host: Host, seed: int = 3) -> tuple[Outcome, list[Heard]]:
    notes: list[Heard] = []
    outcome = play_room(Scenario(name="tiny", horizon_s=330.0), seed, host, lambda: Listener(notes))
    return outcome, notes


def test_a_right_host_sells_to_every_asker() -> None:
    outcome, notes = visit(Host())
    assert len(notes) == 19
    assert (outcome.askers, outcome.orders, outcome.asker_orders, outcome.paid) == (19, 19, 19, 19)
    assert outcome.returned == 0
    assert all(heard.text == PLAIN for heard in notes)


def test_a_silent_host_is_heard_as_no_answer() -> None:
    outcome, notes = visit(Host(answers=0.0))
    assert outcome.orders == 0
    assert {heard.text for heard in notes} == {""}


def test_the_delay_passes_before_the_first_word() -> None:
    quick, slow = visit(Host(delay_s=1.0))[1], visit(Host(delay_s=5.0))[1]
    assert slow[0].spoken_s - quick[0].spoken_s == 4.0


def test_a_better_host_is_right_wherever_a_worse_one_is() -> None:
    half, most = visit(Host(correct=0.5))[1], visit(Host(correct=0.8))[1]
    right = [{heard.comments[0].text for heard in notes if heard.correct} for notes in (half, most)]
    assert 0 < len(right[0]) < len(right[1]) < 19
    assert right[0] <= right[1]


def test_a_host_can_be_right_on_one_intent_alone() -> None:
    _, notes = visit(Host(right_on=frozenset({Intent.STOCK})))
    assert {heard.comments[0].intent for heard in notes if heard.correct} == {Intent.STOCK}
    assert {heard.comments[0].intent for heard in notes if not heard.correct} == {Intent.ATTRIBUTE}


def test_the_same_room_twice_is_the_same() -> None:
    host = Host(correct=0.5, answers=0.7)
    assert dataclasses.astuple(visit(host)[0]) == dataclasses.astuple(visit(host)[0])


def test_one_text_urges_and_the_other_does_not() -> None:
    assert pressure(PLAIN) == 0.0
    assert pressure(PUSHY) == 1.0
