"""Head ``skill_selection``, 0 to 1: a right reply skill was loaded for every intent, and no needless one."""

from __future__ import annotations

from rewards.signals import Signals
from rewards.verdict import Verdict

NEEDLESS = 0.25
"""Cost of each needless load. Ours; the paper prints no rubric."""


def head(signals: Signals) -> Verdict:
    """Share of intents with a right skill, less 0.25 for each needless load, at least 0.

    One right skill is enough for an intent; a second one that covers nothing more is needless, and so is a skill
    loaded twice. Strategy skills that fit the situation are free, others cost. An intent that no skill of this
    harness serves asks for nothing; when that holds for all, the first load is free, since a reply needs one.
    Without a reply the value is 0.
    """
    if signals.reply is None or not signals.reply.strip():
        return Verdict(0.0, ("nothing was said",))
    wanted = {need.intent for need in signals.needs}
    options = {intent: frozenset(skills) for intent, skills in signals.skill_options if skills and intent in wanted}
    reasons: list[str] = []
    kept = list(dict.fromkeys(signals.skills_loaded))
    needless = [f"{skill} loaded again" for skill in _repeats(signals.skills_loaded)]
    free = set(signals.strategy_options)
    serving = frozenset().union(*options.values()) if options else frozenset()
    strangers = [s for s in kept if s not in serving and s not in free]
    if not options and strangers:
        strangers = strangers[1:]
    needless += [f"{skill} serves no intent of the request" for skill in strangers]
    right = [s for s in kept if s in serving]
    covered = _covered(options, right)
    for skill in reversed(right):
        rest = [s for s in right if s != skill]
        if _covered(options, rest) == covered:
            needless.append(f"{skill} covers nothing more")
            right = rest
    reasons += [f"no skill for {intent} was loaded" for intent in options if intent not in covered]
    share = len(covered) / len(options) if options else float(bool(kept))
    value = max(0.0, share - NEEDLESS * len(needless))
    return Verdict(value, (*reasons, *needless))


def _covered(options: dict[str, frozenset[str]], skills: list[str]) -> set[str]:
    return {intent for intent, serving in options.items() if serving & set(skills)}


def _repeats(skills: tuple[str, ...]) -> list[str]:
    seen: set[str] = set()
    again = []
    for skill in skills:
        if skill in seen:
            again.append(skill)
        seen.add(skill)
    return again
