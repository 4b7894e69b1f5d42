"""Whom the host answers next: the oldest by default, else whom a discipline names of what everybody can see."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from livesim.env import LiveStreamEnv
from livesim.errors import ServingError
from livesim.scenarios.script import Scenario
from livesim.types import Intent
from livesim.world import events as ev
from livesim.world.serving import DISCIPLINES, Queued, Serving, buyers, discipline, newest
from livesim.world.viewers import ViewerComment
from livesim.world.waiting import Waiting


def waiting() -> Waiting:
    queue = Waiting(merge_s=2.0, merge_max=3, stale_s=60.0)
    for at_s, viewer, text, intent, link in (
        (0.0, "mia", "hello all", Intent.GREETING, 0),
        (1.0, "leo", "how much is link 2?", Intent.PRICE, 2),
        (9.0, "ana", "when does link 3 ship?", Intent.SHIPPING, 3),
        (10.0, "tom", "how much is link 2?", Intent.PRICE, 2),
        (14.0, "eva", "lovely dress", Intent.CHITCHAT, 0),
    ):
        queue.add(at_s, ViewerComment(viewer, text, intent, link=link, at_s=at_s))
    return queue


def order(serve: Serving, clock_s: float = 20.0) -> list[list[str]]:
    """Whose comments the requests hold, one after the other, until nobody waits; whoever joined stands behind a bar."""
    queue, found = waiting(), []
    while queue.ready_s(clock_s) is not None:
        window = queue.take(clock_s, serve)
        found.append([c.viewer for c in window.shown] + ["|"] * bool(window.joined) + [c.viewer for c in window.joined])
    return found


def test_disciplines_differ_in_whom_they_take_first() -> None:
    assert order(DISCIPLINES["oldest"]) == [["mia", "leo"], ["ana", "tom"], ["eva"]]
    assert order(newest) == [["eva"], ["tom", "ana", "|", "leo"], ["mia"]]
    assert order(buyers) == [["tom", "ana", "|", "leo"], ["eva"], ["mia"]]


@given(
    wrote=st.lists(st.tuples(st.integers(0, 30), st.sampled_from("abc"), st.sampled_from(("hi", "666", "how much?")))),
    picks=st.lists(st.integers(0, 10_000), min_size=1),
    most=st.integers(1, 3),
)
def test_whatever_is_chosen_nobody_is_lost_or_taken_twice(
    wrote: list[tuple[int, str, str]], picks: list[int], most: int
) -> None:
    queue = Waiting(merge_s=2.0, merge_max=most, stale_s=60.0)
    for at_s, viewer, text in sorted(wrote):
        queue.add(at_s, ViewerComment(viewer, text, Intent.CHITCHAT, at_s=at_s))
    left = queue.counts.waiting
    while queue.ready_s(40.0) is not None:
        window = queue.take(40.0, lambda waiting: picks[len(waiting) % len(picks)] % len(waiting))
        times = [float(comment.at_s or 0.0) for comment in window.shown]
        assert 1 <= len(times) <= most
        assert all(abs(at_s - times[0]) <= 2.0 for at_s in times)
        assert left - queue.counts.waiting >= len({(c.viewer, c.text, c.at_s) for c in (*window.shown, *window.joined)})
        assert queue.counts.waiting < left
        left = queue.counts.waiting
    assert left == queue.counts.stale == 0


def test_a_discipline_sees_names_words_and_waiting_times_and_nothing_else() -> None:
    seen: list[Sequence[Queued]] = []

    def look(queue: Sequence[Queued]) -> int:
        seen.append(queue)
        return 1

    waiting().take(20.0, look)
    assert seen[0][1] == ("leo", "how much is link 2?", 19.0)
    assert Queued._fields == ("viewer", "text", "waited_s")


LOAD = '<tool_call>{"name":"load_skill","arguments":{"skill":"chitchat_persona"}}</tool_call>'
WELCOME = "Welcome, it is so nice to see you here, friends."


def room(stale_s: float = 60) -> Scenario:
    says = [
        {"at_s": 3, "viewer": "mia", "text": "hello all", "intent": "greeting"},
        {"at_s": 6, "viewer": "leo", "text": "hi there", "intent": "greeting"},
        {"at_s": 7, "viewer": "ana", "text": "how much is link {link}?", "intent": "price", "item": 1},
        {"at_s": 8, "viewer": "eva", "text": "good evening", "intent": "greeting"},
    ]
    data = {"name": "serve", "catalog": {"seed": 3, "items": 3}, "merge_s": 0.5, "stale_s": stale_s, "horizon_s": 90}
    return Scenario.model_validate({**data, "says": says})


def answered(serve: str | Serving) -> list[str]:
    """Who is answered, in order, by a host who says ten words to each."""
    env = LiveStreamEnv(room(), requests=None, serve=serve)
    env.reset(seed=1)
    found = []
    while env.simulator.pending is not None:
        found += [comment.viewer for comment in env.simulator.pending.request.comments]
        env.step(LOAD)
        env.step(WELCOME)
    return found


def test_an_env_serves_as_it_is_told() -> None:
    assert answered("oldest") == ["mia", "leo", "ana", "eva"]
    assert answered("newest") == ["mia", "eva", "ana", "leo"]
    assert answered("buyers") == ["mia", "ana", "eva", "leo"]
    assert answered(lambda queue: min(range(len(queue)), key=lambda i: queue[i].viewer)) == ["mia", "ana", "eva", "leo"]


def test_a_function_of_a_module_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_order.py").write_text("def last(queue):\n    return len(queue) - 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_order", raising=False)
    assert answered("my_order:last") == answered("newest")


@pytest.mark.parametrize(
    ("serve", "told"),
    [
        ("newset", "unknown serve 'newset'; allowed: buyers, newest, oldest; did you mean 'newest'"),
        ("no_such_module:f", "No module named"),
        (":f", "or 'module:function'"),
        ("livesim.world.serving:nothing", "has no attribute 'nothing'"),
        ("livesim.world.serving:BUYING", "frozenset, not a function"),
    ],
)
def test_what_is_no_discipline_is_refused_at_once(serve: str, told: str) -> None:
    with pytest.raises(ServingError, match=told):
        LiveStreamEnv(serve=serve)


@pytest.mark.parametrize(
    ("serve", "told"),
    [
        (lambda queue: 1 / 0, "'<lambda>' failed on 3 comments: ZeroDivisionError"),
        (lambda queue: 7, "chose comment 7 of 3"),
        (lambda queue: -1, "chose comment -1 of 3"),
        (lambda queue: "first", "TypeError"),
    ],
)
def test_a_discipline_that_fails_is_named(serve: Serving, told: str) -> None:
    with pytest.raises(ServingError, match=told):
        answered(serve)


def test_after_a_failure_every_step_says_the_same_until_a_reset() -> None:
    failing = [True]

    def unsure(queue: Sequence[Queued]) -> int:
        return 99 if failing[0] else 0

    env = LiveStreamEnv(room(), requests=None, serve=unsure)
    env.reset(seed=1)
    env.step(LOAD)
    for turn in (WELCOME, WELCOME, LOAD):
        with pytest.raises(ServingError, match="'unsure' chose comment 99 of 3"):
            env.step(turn)
    failing[0] = False
    env.reset(seed=1)
    env.step(LOAD)
    assert env.step(WELCOME)[-1]["request_id"] == "r2"


def test_what_became_of_the_comments_is_counted() -> None:
    """A reply takes 4 s of voice: whoever wrote at 8 s has waited more than 8 s when the third one ends."""
    env = LiveStreamEnv(room(stale_s=8), requests=None)
    env.reset(seed=1)
    seen = []
    while env.end == "running":
        env.step(LOAD)
        seen.append(env.step(WELCOME)[-1]["queue"])
    spoken = [event.at_s for event in env.simulator.events if isinstance(event, ev.Spoken)]
    assert [counts["answered"] for counts in seen] == [1, 2, 3]
    assert seen[-1] == {
        "answered": 3,
        "stale": 1,
        "waiting": 0,
        "mean_wait_s": round((sum(spoken) - 3 - 6 - 7) / 3, 3),
    }


def test_the_default_is_the_oldest_and_the_same_seed_gives_the_same_stream() -> None:
    def first(queue: Sequence[Queued]) -> int:
        return 0

    choices: tuple[str | Serving, ...] = ("oldest", first, "buyers", "buyers")
    streams = []
    for env in (
        LiveStreamEnv("flash_sale", requests=8),
        *(LiveStreamEnv("flash_sale", requests=8, serve=c) for c in choices),
    ):
        env.reset(seed=5)
        while env.end == "running":
            env.step("")
        streams.append(env.simulator.events)
    assert streams[0] == streams[1] == streams[2] != streams[3] == streams[4]
    assert any(isinstance(event, ev.Commented) for event in streams[3])


def test_a_discipline_that_hangs_is_named_and_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("livesim.world.serving.DEADLINE_S", 0.2)

    def sleeper(queue: Sequence[Queued]) -> int:
        while True:
            time.sleep(0.01)

    with pytest.raises(ServingError, match=r"'sleeper' failed on 3 comments: DeadlineError: no answer within 0\.2 s"):
        answered(sleeper)


def test_the_checker_of_gymnasium_finds_nothing() -> None:
    check_env(LiveStreamEnv("tiny", serve="buyers"), skip_render_check=True)


def test_a_discipline_can_be_learnt_from() -> None:
    assert discipline(buyers) is buyers
    assert buyers([Queued("a", "how much is it?", 30.0), Queued("b", "nice", 1.0), Queued("c", "in stock?", 2.0)]) == 2
