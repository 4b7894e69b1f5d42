"""Checks of the reply's manner: a skill was loaded, it is plain speech, short enough, and addresses the viewers."""

from __future__ import annotations

import re
from types import MappingProxyType

from livesim.harness.calls import skill_loader
from livesim.harness.hooks.check import Attempt, Check, Finding, Options, Stage
from livesim.harness.state import SkillKind
from rewards.speech import addressed, word_count

_MARKUP = (
    ("markup", re.compile(r"</?\w[^<>\n]*>|<\||\|>|[‹›]|&(?:[a-z]+|#\d+);", re.I)),
    ("JSON", re.compile(r"[{}\[\]]|\"\w+\"\s*:")),
    ("a link to a page", re.compile(r"https?:|\bwww\.|\b\w[\w-]*\.(?:com|cn|net|org|io)\b", re.I)),
    ("markdown", re.compile(r"```|`[^`\n]+`|\*\*|__\w|~~|^\s{0,3}(?:#{1,6}\s|[-*+]\s|\d+\.\s|>\s|\|)", re.M)),
    ("a speaker label", re.compile(r"^\s*(?:system|assistant|user|tool|host|reply|answer)\s*:", re.I | re.M)),
)
_EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]")


def skill_required(attempt: Attempt, options: Options) -> Finding | None:
    """A reply skill was loaded before the reply; without reply skills or a loader there is nothing to ask for."""
    loader = skill_loader(attempt.state)
    reply_skills = {skill.id for skill in attempt.state.skills if skill.kind is SkillKind.REPLY}
    if loader is None or not reply_skills or reply_skills & set(attempt.skills_loaded):
        return None
    return {"loader": loader.name, "parameter": next((p.name for p in loader.params), "")}


def reply_format(attempt: Attempt, options: Options) -> Finding | None:
    """Plain speech: no markup, JSON, address of a page or markdown, since a voice reads it."""
    for what, pattern in _MARKUP:
        if pattern.search(attempt.reply):
            return {"found": what}
    if not options["emoji"] and _EMOJI.search(attempt.reply):
        return {"found": "an emoji"}
    if not re.search(r"\w", attempt.reply) and not _EMOJI.search(attempt.reply):
        return {"found": "nothing that can be spoken"}
    return None


def reply_length(attempt: Attempt, options: Options) -> Finding | None:
    """At most ``limits.reply_words`` words."""
    count, limit = word_count(attempt.reply), attempt.state.limits.reply_words
    return {"words": str(count)} if count > limit else None


def reply_address(attempt: Attempt, options: Options) -> Finding | None:
    """Viewers are called what ``limits.address`` says; the word may stand anywhere, in any case."""
    address = attempt.state.limits.address
    return None if addressed(attempt.reply, address) else {}


REPLYING = (
    Check(
        "skill_required",
        20,
        Stage.REPLY,
        skill_required,
        'Not sent: load a skill first with "{loader}" and the {parameter} that fits.',
        places=("loader", "parameter"),
        always=True,
    ),
    Check(
        "reply_format",
        21,
        Stage.REPLY,
        reply_format,
        "Not sent: the reply is read aloud, so plain words only; it holds {found}.",
        MappingProxyType({"emoji": True}),
        ("found",),
    ),
    Check(
        "reply_length",
        22,
        Stage.REPLY,
        reply_length,
        "Not sent: {words} words, at most {reply_words} are allowed.",
        places=("words",),
    ),
    Check("reply_address", 23, Stage.REPLY, reply_address, 'Not sent: call the viewers "{address}".'),
)
