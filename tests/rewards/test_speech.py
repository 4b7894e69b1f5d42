"""One count of words and one test of the address, for hooks and judge alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from livesim.harness import shelf
from livesim.harness.codec import parse
from livesim.harness.hooks.check import Attempt
from livesim.harness.hooks.registry import CHECKS
from rewards import effectiveness
from rewards.signals import Limits, Signals
from rewards.speech import addressed, word_count


@pytest.mark.parametrize(
    ("reply", "count"),
    [("", 0), ("Hello - you two!", 3), ("😀 hi", 1), ("it's 89 yuan.", 3), ("two-for-one", 1), ("… … …", 0)],
)
def test_words_are_what_is_spoken(reply: str, count: int) -> None:
    assert word_count(reply) == count


@pytest.mark.parametrize(
    ("reply", "address", "called"),
    [
        ("Hi Friends!", "friends", True),
        ("My befriendsed fans", "friends", False),
        ("Hello dear\nfriends", "dear friends", True),
        ("Hello", "", True),
        ("Hello", "friends", False),
    ],
)
def test_the_address_is_whole_words(reply: str, address: str, called: bool) -> None:
    assert addressed(reply, address) is called


@pytest.mark.parametrize(
    "reply",
    [
        "Welcome, friends - so good to see you!",  # eight runs, seven words
        "Welcome, friends, so very good to see you all!",
        "Welcome, boyfriends, good to see you!",
        "Welcome in, glad you came!",
    ],
)
def test_hooks_and_judge_agree_on_the_limits(signals: Callable[..., Signals], reply: str) -> None:
    limits = Limits(reply_words=7, address="friends")
    default = shelf.load("default")
    state = dataclasses.replace(default, hooks=dataclasses.replace(default.hooks, limits=limits))
    attempt = Attempt(parse(reply), state)
    sent = all(CHECKS[name].run(attempt, {}) is None for name in ("reply_length", "reply_address"))
    assert sent == (effectiveness.head(signals(reply, ["greeting"], limits=limits)).value == 1.0)
