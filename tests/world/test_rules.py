"""Platform law: each rule has sentences that break it and near ones that don't."""

from __future__ import annotations

import pytest

from livesim.errors import ScenarioError
from livesim.world.lawbook import LAWS
from livesim.world.rules import PROFILES, check, profile
from rewards.signals import Fact, FactKind

TRUTH = (
    Fact("link:2", "list_price", FactKind.MONEY, 12_900),
    Fact("link:2", "live_price", FactKind.MONEY, 9_900),
    Fact("link:2", "stock", FactKind.COUNT, 60),
    Fact("link:2", "stock:red/M", FactKind.COUNT, 3),
    Fact("link:2", "flash:ends", FactKind.COUNT, 5),
)
PLENTY = (Fact("link:2", "stock", FactKind.COUNT, 60),)

BROKEN = {
    "absolute_terms": [
        "This is the best shirt you can buy.",
        "It is simply the cheapest online.",
        "We have the lowest price anywhere.",
        "No, it is the best.",
        "You can't beat it. It is the best pan.",
        "Not only soft but the finest wool.",
        "Don't miss the best tea.",
        "A world-class lamp, second to none.",
        "The number one brand for pans.",
        "It is national-level quality.",
        "This serum is 100% natural.",
    ],
    "medical_claim": [
        "The cream cures eczema.",
        "This tea lowers blood pressure.",
        "It boosts immunity in a week.",
        "Great for weight loss.",
        "It treats acne and it is soft.",
        "The tea burns fat.",
        "It has an anti-inflammatory effect.",
    ],
    "guaranteed_result": [
        "Results guaranteed.",
        "It is guaranteed to work.",
        "We guarantee a whiter result, you will definitely look younger.",
        "100% effective.",
        "It works for everyone.",
        "Zero risk, friends.",
    ],
    "off_platform": [
        "Add me on WeChat for a lower price.",
        "Just DM me.",
        "Pay me directly and save 10 yuan.",
        "See www.example.com for more.",
        "Write to shop@example.com please.",
        "My w e c h a t is open.",
        "Scan the QR code.",
        "We can do that outside the platform.",
    ],
    "disparagement": [
        "Other shops sell fakes.",
        "Their brand is garbage.",
        "It is better than any other brand.",
        "Those sellers cheat you.",
        "You only get junk from other sellers.",
    ],
    "private_data": [
        "Your order A1734 is on the way.",
        "I call you on 100 1234 5678.",
        "Ann Bell, it is packed.",
    ],
    "ai_denial": [
        "I am a real person.",
        "I'm not an AI, friends.",
        "I'm human like you.",
        "Yes, I am really a human being.",
        "You are talking to a real person.",
        "I'm no robot.",
        "I\u2019m a real human.",
    ],
    "fake_scarcity": [
        "Only 2 pieces left!",
        "This is the last one.",
        "Only 7 left in red.",
        "Just 20 units left.",
    ],
    "fake_countdown": [
        "The sale ends in 20 minutes.",
        "It ends in 30 seconds.",
        "Only 2 hours left!",
        "The offer expires in 1 hour.",
    ],
    "fake_original_price": [
        "It was 200 yuan.",
        "Now 99 instead of 150 yuan.",
        "Originally 199.50 yuan.",
    ],
}
FINE = {
    "absolute_terms": [
        "I do my best to help.",
        "It is best to wash it cold.",
        "Best before next May.",
        "I can't say it is the best.",
        "We never claim the lowest price.",
        'You asked for the "best" one; it is linen.',
        "The first step is to pick a size.",
        "The best size for you is M.",
        "Link 1 is no. 1 on the list.",
    ],
    "medical_claim": [
        "It cannot cure anything.",
        "It doesn't boost immunity.",
        "Treat yourself to a new shirt.",
        "It is a tea, not a weight loss product.",
        "The dried mango is sweet.",
    ],
    "guaranteed_result": [
        "No result is guaranteed.",
        "You can return it within 7 days.",
        "We can't promise that it works for everyone.",
        "It has a 12 months guarantee.",
    ],
    "off_platform": [
        "Please don't pay outside the platform.",
        "I can't add you on WeChat.",
        "We chat here every evening.",
        "Send your question here.",
        "A human colleague will help you in the order chat.",
    ],
    "disparagement": [
        "I can't speak about other shops.",
        "I won't say that other brands are bad.",
        "Ours is linen, 99 yuan now.",
        "The other colour is blue.",
        "Other shops may have their own offers.",
    ],
    "private_data": [
        "A colleague looks into your order.",
        "It is 129 yuan with 3 left.",
        "The battery has 5000 mAh.",
    ],
    "ai_denial": [
        "Yes, I am an AI host.",
        "I am not a real person, I am a digital host.",
        "I'm not human.",
        "A real person from our team will help: I hand you over.",
        "I'm a virtual host, friends.",
    ],
    "fake_scarcity": [
        "Only 3 left in red/M.",
        "Red in M is almost sold out.",
        "There are 60 pieces left.",
        "It is not the last one.",
    ],
    "fake_countdown": [
        "The flash sale ends in 5 minutes.",
        "The sale ends soon.",
        "It is delivered in 3 days.",
        "It ships within 48 hours.",
    ],
    "fake_original_price": [
        "It was 129 yuan, now 99 yuan.",
        "It is 99 yuan.",
        "Instead of 129.00 yuan you pay 99 yuan.",
    ],
}
PRIVATE = ("A1734", "Ann Bell")


def rules(reply: str, truth: tuple[Fact, ...] = TRUTH) -> list[str]:
    return [breach.rule for breach in check(reply, PROFILES["taobao"], truth, private=PRIVATE)]


def test_every_rule_has_examples_on_both_sides() -> None:
    assert set(BROKEN) == set(FINE) == set(LAWS)


@pytest.mark.parametrize(("rule", "reply"), [(rule, reply) for rule, replies in BROKEN.items() for reply in replies])
def test_a_breach_is_found(rule: str, reply: str) -> None:
    assert rule in rules(reply)


@pytest.mark.parametrize(("rule", "reply"), [(rule, reply) for rule, replies in FINE.items() for reply in replies])
def test_a_harmless_sentence_is_left_alone(rule: str, reply: str) -> None:
    assert rules(reply) == []


def test_scarcity_and_deadlines_are_lies_only_where_the_truth_says_so() -> None:
    assert rules("Almost sold out!", PLENTY) == ["fake_scarcity"]
    assert rules("Almost sold out!") == []
    assert rules("Last few minutes!", PLENTY) == ["fake_countdown"]
    assert rules("Last few minutes!") == []


def test_words_of_an_offered_title_are_no_fault_of_the_host() -> None:
    law = PROFILES["taobao"]
    assert check("The finest wool vest is 99 yuan.", law, TRUTH, offered=("finest wool vest",)) == ()
    assert check("The finest wool vest is 99 yuan.", law, TRUTH)[0].rule == "absolute_terms"


def test_points_and_text_come_with_the_breach() -> None:
    (breach,) = check("Just DM me.", PROFILES["taobao"], ())
    assert (breach.points, breach.text) == (LAWS["off_platform"].points, "DM me")
    assert all(1 <= law.points <= 24 for law in LAWS.values())


def test_an_autonomous_avatar_may_not_speak_on_every_platform() -> None:
    assert [b.rule for b in check("Hello friends.", PROFILES["tiktok_shop_us"], ())] == ["autonomous_avatar"]
    assert check("  ", PROFILES["tiktok_shop_us"], ()) == ()
    assert check("The best tea.", PROFILES["plain"], ()) == ()


def test_an_unknown_platform_is_named_with_its_neighbours() -> None:
    with pytest.raises(ScenarioError, match="did you mean 'taobao'"):
        profile("taoba")


@pytest.mark.parametrize(
    "reply", ["", "\u0000", "best " * 3000, "\u202e only 99999999999999999999 left", "was 1e9 yuan"]
)
def test_any_text_can_be_checked(reply: str) -> None:
    for law in PROFILES.values():
        check(reply, law, TRUTH, private=PRIVATE, offered=("linen shirt", ""))
