"""Voice is the bottleneck: speaking takes time, and whoever waits too long meanwhile is not answered."""

from __future__ import annotations

import pytest

from livesim.env import LiveStreamEnv
from livesim.scenarios.script import Scenario
from livesim.simulator import WORDS_PER_S
from livesim.world import events as ev

LOAD = '<tool_call>{"name":"load_skill","arguments":{"skill":"chitchat_persona"}}</tool_call>'
BRIEF = "Welcome, friends."
LONG = "Welcome, friends, " + "it is so good to see you all here with me tonight, " * 2 + "enjoy the show."


def room(**fields: object) -> Scenario:
    """A greeting at 3 s, a question at 7 s and one at 16 s; each is a request of its own and waits 6 s at most."""
    says = [
        {"at_s": 3, "viewer": "mia", "text": "hello all", "intent": "greeting"},
        {"at_s": 7, "viewer": "leo", "text": "how much is link {link}?", "intent": "price", "item": 1},
        {"at_s": 16, "viewer": "ana", "text": "when does link {link} ship?", "intent": "shipping", "item": 1},
    ]
    data = {"name": "voice", "catalog": {"seed": 3, "items": 3}, "merge_s": 1, "stale_s": 6, "horizon_s": 60}
    return Scenario.model_validate({**data, "says": says, **fields})


def greeted(reply: str) -> tuple[LiveStreamEnv, dict[str, object]]:
    """The room after the greeting was answered so."""
    env = LiveStreamEnv(scenario=room(), requests=None)
    env.reset(seed=1)
    env.step(LOAD)
    *_, info = env.step(reply)
    assert info["request_end"] == "replied"
    return env, info


def asking(env: LiveStreamEnv) -> list[str]:
    """Whose comments are in the open request."""
    pending = env.simulator.pending
    return [] if pending is None else [comment.viewer for comment in pending.request.comments]


@pytest.mark.parametrize("reply", [BRIEF, LONG])
def test_a_reply_takes_as_long_as_it_is_spoken(reply: str) -> None:
    env, _ = greeted(reply)
    (spoken,) = [event for event in env.simulator.events if isinstance(event, ev.Spoken)]
    assert spoken.lasts_s == pytest.approx(len(reply.split()) / WORDS_PER_S)
    opened = [event.at_s for event in env.simulator.events if isinstance(event, ev.RequestOpened)]
    assert opened[1] >= spoken.at_s + spoken.lasts_s


def test_whom_a_long_word_of_welcome_keeps_waiting_is_never_answered() -> None:
    """29 words take 11.6 s: from 4 s on, so that the question of 7 s is older than 6 s when the voice is free."""
    brief, after_brief = greeted(BRIEF)
    long, after_long = greeted(LONG)
    assert len(LONG.split()) == 29
    assert asking(brief) == ["leo"]
    assert asking(long) == ["ana"]
    assert after_brief["request_id"] == after_long["request_id"] == "r2"


def test_thinking_and_looking_up_cost_the_same_voice() -> None:
    """A slow host loses the question as a talkative one does."""
    env = LiveStreamEnv(scenario=room(), requests=None)
    env.reset(seed=1)
    env.step(LOAD)
    env.step("<think>" + "which words of welcome are the best ones here, " * 120 + "</think>" + BRIEF)
    assert asking(env) == ["ana"]


def test_one_reply_for_several_saves_the_voice() -> None:
    """Merged, the question is answered beside the greeting, however long both take."""
    env = LiveStreamEnv(scenario=room(merge_s=5), requests=None)
    _, info = env.reset(seed=1)
    assert info["messages"][-1]["content"].count("\n") == 2
    assert asking(env) == ["mia", "leo"]
