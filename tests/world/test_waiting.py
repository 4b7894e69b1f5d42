"""The queue of comments: windows, duplicates, and what waited too long."""

from __future__ import annotations

import pytest

from livesim.types import Intent
from livesim.world.viewers import ViewerComment
from livesim.world.waiting import Waiting


def line(viewer: str, text: str) -> ViewerComment:
    return ViewerComment(viewer, text, Intent.GREETING)


def taken(waiting: Waiting) -> list[tuple[str, str]]:
    return [(comment.viewer, comment.text) for comment in waiting.take(0.0).shown]


def test_a_window_closes_so_many_seconds_after_its_first_comment() -> None:
    waiting = Waiting(3.0, 5, 20.0)
    assert waiting.ready_s(0.0) is None
    waiting.add(1.0, line("mia", "a"))
    waiting.add(4.0, line("leo", "b"))
    waiting.add(4.1, line("ana", "c"))
    assert waiting.ready_s(2.0) == 4.0
    assert taken(waiting) == [("mia", "a"), ("leo", "b")]
    assert waiting.ready_s(5.0) == pytest.approx(7.1)


def test_a_crowd_is_cut_at_the_most_and_equal_texts_are_shown_once() -> None:
    waiting = Waiting(3.0, 2, 20.0)
    for viewer, text in (("mia", "666"), ("leo", "666"), ("ana", "b"), ("tom", "c"), ("zoe", "b"), ("ana", "666")):
        waiting.add(1.0, line(viewer, text))
    shown, joined = waiting.take(0.0)
    assert [comment.viewer for comment in shown] == ["mia", "ana"]
    assert [comment.viewer for comment in joined] == ["leo", "zoe"]
    assert taken(waiting) == [("tom", "c")]


def test_the_same_viewer_repeating_within_two_seconds_is_not_queued() -> None:
    waiting = Waiting(0.0, 5, 20.0)
    waiting.add(1.0, line("mia", "a"))
    waiting.add(2.9, line("mia", "a"))
    waiting.add(3.1, line("mia", "a"))
    assert taken(waiting) == [("mia", "a")]
    assert taken(waiting) == [("mia", "a")]
    with pytest.raises(IndexError):
        waiting.take(0.0)


def test_what_waited_too_long_is_dropped() -> None:
    waiting = Waiting(0.0, 5, 10.0)
    waiting.add(1.0, line("mia", "a"))
    waiting.add(6.0, line("leo", "b"))
    assert waiting.ready_s(12.0) == 6.0
    assert waiting.ready_s(30.0) is None
