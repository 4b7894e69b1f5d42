"""Diagnosis: what went wrong in an evaluation, clustered by kind and place, with cases and a hypothesis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from livesim.evaluation.records import FOUR_HEADS, Record

CASES = 3
"""Cases shown of a cluster."""


class Failure(StrEnum):
    """What went wrong, as far as an edit of the harness could put it right."""

    WRONG_SKILL = "wrong_skill"  # no skill for the intent was loaded
    NEEDLESS_SKILL = "needless_skill"  # a skill more than needed, and the right one among them
    TOOL_MISSED = "tool_missed"  # a needed call was not made
    TOOL_NEEDLESS = "tool_needless"  # a call that nothing needed, though the needed ones were made
    DENIED_RETRIED = "denied_retried"  # called again after it was denied
    RETRIED_TOO_OFTEN = "retried_too_often"  # called again and again, or after it had refused the arguments
    NOT_RETRIED = "not_retried"  # a passing fault was not tried again
    REPEATED = "repeated"  # a call that had gone through was made again
    BAD_CALL = "bad_call"  # a call that reached no tool
    UNREADABLE = "unreadable"  # a turn that could not be read
    NO_REPLY = "no_reply"  # closed without a word
    TOO_LONG = "too_long"  # over the word limit
    NO_ADDRESS = "no_address"  # the form of address is missing
    RAW_DATA = "raw_data"  # markup, raw data or a heap of numbers
    PUT_OFF = "put_off"  # "I'll check", evasive, a bare refusal
    OTHER_ITEM = "other_item"  # another item was answered
    RELATED_ONLY = "related_only"  # a related fact, not the one asked for
    NOT_ANSWERED = "not_answered"  # nothing of use
    NOT_DECLINED = "not_declined"  # should have declined, with a reason
    BESIDE_POINT = "beside_point"  # friendly, but not what was said
    UNSUPPORTED = "unsupported"  # a claim that no tool and no prompt stated
    RULE_BROKEN = "rule_broken"  # a rule of the platform
    OTHER = "other"


BY_INTENT = frozenset(
    {
        Failure.WRONG_SKILL,
        Failure.RELATED_ONLY,
        Failure.NOT_ANSWERED,
        Failure.PUT_OFF,
        Failure.BESIDE_POINT,
        Failure.UNSUPPORTED,
    }
)
"""Kinds that are clustered by intent; TOOL_MISSED and TOOL_NEEDLESS go by tool, all others stand as one."""

_PATTERNS: tuple[tuple[str, str, Failure], ...] = (
    ("skill_selection", r"no skill for (?P<key>\w+) was loaded", Failure.WRONG_SKILL),
    ("skill_selection", r".* (?:serves no intent|covers nothing more|loaded again)", Failure.NEEDLESS_SKILL),
    ("tool_rationality", r"(?P<key>\w+) was needed and not called", Failure.TOOL_MISSED),
    ("tool_rationality", r"(?P<key>\w+) was not needed", Failure.TOOL_NEEDLESS),
    ("tool_rationality", r"(?P<key>\w+) was called \d+ times more", Failure.REPEATED),
    ("tool_rationality", r"\w+ was denied and called again", Failure.DENIED_RETRIED),
    ("tool_rationality", r"\w+ (?:failed and was tried more|had refused these)", Failure.RETRIED_TOO_OFTEN),
    ("tool_rationality", r"\w+ (?:had answered|may have gone through) and was called again", Failure.REPEATED),
    ("tool_rationality", r"\w+: \w+ was not tried again", Failure.NOT_RETRIED),
    ("tool_rationality", r"\d+ unreadable turns", Failure.UNREADABLE),
    ("tool_rationality", r"\w+: (?:\w+|no tool)$", Failure.BAD_CALL),
    ("effectiveness", r"\d+ words, at most", Failure.TOO_LONG),
    ("effectiveness", r"viewers are not addressed", Failure.NO_ADDRESS),
    ("effectiveness", r"raw data|markup|no word|the reply echoes", Failure.RAW_DATA),
    ("effectiveness", r"(?P<key>\w+) about [^:]+(?::\d+)?: (?:another item|does not say that)", Failure.OTHER_ITEM),
    ("effectiveness", r"(?P<key>\w+) about [^ ]+: only a related fact", Failure.RELATED_ONLY),
    (
        "effectiveness",
        r"(?P<key>\w+) about [^ ]+: (?:the answer is put off|put off, with|evasive|no reason|a bare)",
        Failure.PUT_OFF,
    ),
    (
        "effectiveness",
        r"(?P<key>\w+) about [^ ]+: (?:does not decline|declines without|does what)",
        Failure.NOT_DECLINED,
    ),
    ("effectiveness", r"(?P<key>\w+) about [^ ]+: (?:friendly|no friendly)", Failure.BESIDE_POINT),
    ("effectiveness", r"(?P<key>\w+) about [^ ]+: ", Failure.NOT_ANSWERED),
    ("accuracy", r"rule ", Failure.RULE_BROKEN),
    ("accuracy", r".* as .*|.*false or was stated|.*no call failed|.*went through", Failure.UNSUPPORTED),
)
"""Head, beginning of one of its reasons, what it means; the first that fits counts."""

_FOLLOWS = {
    Failure.NEEDLESS_SKILL: (Failure.WRONG_SKILL,),
    Failure.TOOL_MISSED: (Failure.WRONG_SKILL, Failure.OTHER_ITEM),
    Failure.TOOL_NEEDLESS: (Failure.TOOL_MISSED, Failure.WRONG_SKILL, Failure.OTHER_ITEM),
    Failure.NOT_ANSWERED: (Failure.WRONG_SKILL, Failure.TOOL_MISSED),
    Failure.PUT_OFF: (Failure.WRONG_SKILL, Failure.TOOL_MISSED),
    Failure.RELATED_ONLY: (Failure.WRONG_SKILL, Failure.TOOL_MISSED),
}
"""Failure -> those that explain it when they happened in the same request: only the cause is counted."""


@dataclass(frozen=True, slots=True)
class Symptom:
    """One failure of one episode: what, where (an intent, a tool, or ``""``), by which head, in its words."""

    failure: Failure
    key: str
    head: str
    reason: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Episodes that failed in the same way.

    Attributes:
        failure: in which way.
        key: intent or tool that it is about, ``""`` for none.
        records: the episodes.
        of: how many episodes the evaluation had.
        lost: what the heads that it spoils lack to the full, summed over its episodes.
        hypothesis: one sentence: the likely cause.
        contrast: comments of episodes with other intents: what the cluster's own words can be told from.
    """

    failure: Failure
    key: str
    records: tuple[Record, ...]
    of: int
    lost: float
    hypothesis: str
    contrast: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """``"wrong_skill:price"``."""
        return f"{self.failure}:{self.key}" if self.key else str(self.failure)

    @property
    def share(self) -> float:
        """Share of all episodes, 0 to 1."""
        return len(self.records) / max(1, self.of)

    @property
    def intents(self) -> tuple[str, ...]:
        """Intents of its episodes, the most frequent first."""
        return tuple(name for name, _ in Counter(i for r in self.records for i in r.intents).most_common())

    @property
    def cases(self) -> tuple[Record, ...]:
        """Representative episodes: those with the fewest other failures, then in order."""
        ranked = sorted(range(len(self.records)), key=lambda i: (len(symptoms(self.records[i])), i))
        return tuple(self.records[i] for i in ranked[:CASES])


def symptoms(record: Record) -> tuple[Symptom, ...]:
    """The failures of one episode, those that another one explains left out."""
    found = _all_symptoms(record)
    kinds = {symptom.failure for symptom in found}
    return tuple(s for s in found if not kinds & set(_FOLLOWS.get(s.failure, ())))


def _all_symptoms(record: Record) -> list[Symptom]:
    if not record.scored:
        return []
    if record.reply is None:
        return [Symptom(Failure.NO_REPLY, "", head, f"closed: {record.request_end}") for head in FOUR_HEADS]
    return [
        _symptom(head, reason)
        for head in FOUR_HEADS
        if record.heads.get(head, 1.0) < 1.0
        for reason in record.reasons.get(head, ())
    ]


def diagnose(records: Sequence[Record]) -> tuple[Cluster, ...]:
    """The clusters of an evaluation, the costliest first.

    Args:
        records: of the dev suites; what the provider lost is left out.
    """
    scored = [record for record in records if record.scored]
    groups: dict[tuple[Failure, str], list[Record]] = {}
    costs: dict[tuple[Failure, str], float] = {}
    for record in scored:
        everything = _all_symptoms(record)
        spoilt: dict[tuple[Failure, str], set[str]] = {}
        for symptom in symptoms(record):
            heads = {s.head for s in everything if symptom.failure in (s.failure, *_FOLLOWS.get(s.failure, ()))}
            spoilt.setdefault((symptom.failure, _cluster_key(symptom, record)), set()).update(heads)
        for place, heads in spoilt.items():
            groups.setdefault(place, []).append(record)
            costs[place] = costs.get(place, 0.0) + sum(1.0 - record.heads[head] for head in heads)
    clusters = [
        Cluster(
            failure,
            key,
            tuple(group),
            len(scored),
            round(costs[failure, key], 6),
            _hypothesis(failure, key, group),
            _contrast(key, scored),
        )
        for (failure, key), group in groups.items()
    ]
    return tuple(sorted(clusters, key=lambda c: (-c.lost, c.name)))


def _contrast(intent: str, records: Iterable[Record]) -> tuple[str, ...]:
    return tuple(text for record in records if intent not in record.intents for text in record.comments)


def _symptom(head: str, reason: str) -> Symptom:
    for of, pattern, failure in _PATTERNS:
        if of == head and (match := re.match(pattern, reason)):
            return Symptom(failure, match.groupdict().get("key") or "", head, reason)
    return Symptom(Failure.OTHER, "", head, reason)


def _cluster_key(symptom: Symptom, record: Record) -> str:
    if symptom.failure in (Failure.TOOL_MISSED, Failure.TOOL_NEEDLESS):
        return symptom.key
    if symptom.failure in BY_INTENT:
        return symptom.key or next(iter(record.intents), "")
    return ""


def _hypothesis(failure: Failure, key: str, records: Iterable[Record]) -> str:
    episodes = list(records)
    loaded = Counter(skill for record in episodes for skill in record.skills_loaded).most_common(1)
    said = {
        Failure.WRONG_SKILL: f"the description of the {key} skill does not sound like these comments"
        + (f"; {loaded[0][0]} was loaded most often instead" if loaded else ""),
        Failure.NEEDLESS_SKILL: "nothing says that one fitting skill is enough",
        Failure.TOOL_MISSED: f"the skill does not say clearly, or not first, that {key} must be called",
        Failure.TOOL_NEEDLESS: f"{key} looks useful from its description, and nothing says which tool is enough",
        Failure.DENIED_RETRIED: "the rule on denied tools is missing or stands where it is overlooked",
        Failure.RETRIED_TOO_OFTEN: "the rule on how often a failing call is made again is missing or overlooked",
        Failure.NOT_RETRIED: "nothing says that a passing failure is worth a second call",
        Failure.REPEATED: "nothing says that an answer once given is enough",
        Failure.BAD_CALL: "names or parameters are hard to copy from the list",
        Failure.UNREADABLE: "the form of a call is not shown clearly",
        Failure.NO_REPLY: "the turns run out before a reply, or a hook blocks it too often",
        Failure.TOO_LONG: "the word limit stands where it is overlooked, and no hook enforces it",
        Failure.NO_ADDRESS: "the form of address stands where it is overlooked, and no hook enforces it",
        Failure.RAW_DATA: "nothing says that the reply is spoken",
        Failure.PUT_OFF: "the answer was at hand and was put off: nothing says to answer in the same reply",
        Failure.OTHER_ITEM: "it is not clear how the item asked about is found",
        Failure.RELATED_ONLY: f"the skill does not say which fact answers a question on {key}",
        Failure.NOT_ANSWERED: f"the skill does not say what to tell on {key}",
        Failure.NOT_DECLINED: "nothing says to decline with a reason",
        Failure.BESIDE_POINT: f"the skill does not say how to react to {key}",
        Failure.UNSUPPORTED: "nothing keeps the host from saying what no tool stated",
        Failure.RULE_BROKEN: "a rule of the platform is neither stated nor checked",
    }
    return said.get(failure, "no hypothesis: look at the cases")
