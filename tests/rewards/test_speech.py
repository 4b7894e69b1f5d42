"""One count of words and one test of the address, for hooks and judge alike."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from livesim.harness import shelf
from livesim.harness.codec import parse
from livesim.harness.hooks.check import Attempt
from livesim.harness.hooks.registry import CHECKS
from livesim.world.rules import PROFILES, check
from rewards import effectiveness
from rewards.signals import Limits, Signals
from rewards.speech import addressed, sent_back, word_count


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
    ("reply", "harmless"),
    [
        ('"The best"? I can\'t say that.', True),
        ('You call it "the best"; that would be unfair to others.', True),
        ("\u201cThe best\u201d is not for me to say.", True),
        ('You asked for "the best", so let me show link 2.', True),
        ('They say "the best", and they are right.', False),
        ('You say "the best", and you are right!', False),
        ('You want "the best"? Fine!', False),
        ('"The best" is what we sell.', False),
        ("People call it 'the best' around here.", False),
        ("It's the best, isn't it?", False),
        ('"The best in town", no doubt about it.', False),
        ('"The best", isn\'t it? And not expensive.', False),
        ('"The best"? Nobody doubts that.', False),
        ('You call it "the best", no question.', False),
        ('You asked for "the best", no worries, here is link 2.', True),
    ],
)
def test_a_quotation_is_harmless_when_it_is_sent_back(reply: str, harmless: bool) -> None:
    assert sent_back(reply, reply.lower().index("best")) is harmless
    banned = CHECKS["compliance"].run(Attempt(parse(reply), shelf.load("default")), CHECKS["compliance"].options)
    assert (banned is None) is harmless
    assert (check(reply, PROFILES["taobao"], ()) == ()) is harmless


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
