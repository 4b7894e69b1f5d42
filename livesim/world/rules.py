"""Platform law: which sentences a platform forbids, with points; judged by the world, never editable by a harness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from livesim.errors import ScenarioError, unknown
from livesim.world.lawbook import LAWS
from rewards.signals import Breach, Fact


@dataclass(frozen=True, slots=True)
class Profile:
    """The law of one platform.

    Attributes:
        name: as in a scenario.
        autonomous: an avatar without a person in control may speak; otherwise every reply is a breach.
        rules: ids from ``lawbook.LAWS`` that are in force.
        cut_points: points at which the platform cuts the stream.
    """

    name: str
    autonomous: bool = True
    rules: tuple[str, ...] = tuple(LAWS)
    cut_points: int = 24


AUTONOMOUS_POINTS = 12
"""Points of each sentence that an avatar speaks where avatars may not speak alone."""

PROFILES: Mapping[str, Profile] = {
    "taobao": Profile("taobao"),
    "douyin": Profile("douyin", cut_points=16),
    "tiktok_shop_us": Profile("tiktok_shop_us", autonomous=False),
    "plain": Profile("plain", rules=("ai_denial", "medical_claim", "private_data")),
}
"""Profiles by name. *Source:* docs/domain.md section 6; the points are assumptions shaped on a 1-24 scale."""


def profile(name: str) -> Profile:
    """The profile of this name. Raises ScenarioError naming the known ones."""
    try:
        return PROFILES[name]
    except KeyError:
        raise ScenarioError(unknown("platform", name, PROFILES)) from None


def check(
    reply: str, law: Profile, truth: Sequence[Fact], *, private: Sequence[str] = (), offered: Sequence[str] = ()
) -> tuple[Breach, ...]:
    """The rules that a spoken reply breaks, each at most once, in the order of the law book.

    Args:
        reply: what is spoken.
        law: the platform's profile.
        truth: facts of this second, to tell real scarcity and countdowns from invented ones.
        private: texts that must not be spoken, e.g. order numbers and phones.
        offered: titles and texts of the shop's own offers; words in them are no fault of the host.
    """
    text = reply.replace("\u2019", "'")
    for title in offered:
        text = _without(text, title)
    found = []
    if not law.autonomous and reply.strip():
        found.append(Breach("autonomous_avatar", AUTONOMOUS_POINTS, reply[:80]))
    for rule in law.rules:
        entry = LAWS[rule]
        hit = entry.find(text, truth, private)
        if hit is not None:
            found.append(Breach(rule, entry.points, hit))
    return tuple(found)


def _without(text: str, title: str) -> str:
    """``text`` with a title blanked out, whatever its case."""
    at = text.lower().find(title.lower()) if title else -1
    while at >= 0:
        text = text[:at] + " " * len(title) + text[at + len(title) :]
        at = text.lower().find(title.lower(), at + len(title))
    return text
