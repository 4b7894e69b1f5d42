"""What one request and its answer came to: everything a head may read, values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class FactKind(StrEnum):
    """How a fact's value is written and compared."""

    MONEY = "money"  # value: int, fen (1/100 yuan)
    PERCENT = "percent"  # value: int, whole percent
    COUNT = "count"  # value: int, pieces
    DAYS = "days"  # value: int, days
    HOURS = "hours"  # value: int, hours
    VALUE = "value"  # value: str, e.g. "linen" or "M"
    FLAG = "flag"  # value: str "yes" or "no"


@dataclass(frozen=True, slots=True)
class Fact:
    """One statement about the world.

    Attributes:
        subject: whom it is about: ``"link:2"``, ``"order:A17"``, ``"shop"``, ``"host"``.
        name: what is stated: ``"final_price"``, ``"stock:red/M"``, ``"attr:material"`` ...
        kind: how the value is compared.
        value: an int in the unit of ``kind``, or text.
    """

    subject: str
    name: str
    kind: FactKind
    value: int | str


@dataclass(frozen=True, slots=True)
class FactRef:
    """A fact by subject and name; its value is looked up in the truth of the moment."""

    subject: str
    name: str


class Answer(StrEnum):
    """What kind of reply serves a need."""

    FACT = "fact"  # state the facts
    SOCIAL = "social"  # a friendly word, no facts needed
    DECLINE = "decline"  # refuse with a reason
    ACTION = "action"  # do something (push a card) and say so
    HANDOFF = "handoff"  # hand to a human and say so


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """One call of a plan: canonical tool and the arguments that matter.

    An argument value of ``None`` means "any valid value".
    """

    tool: str
    arguments: Mapping[str, int | str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Need:
    """What one viewer wants, and what serves it. Hidden from the agent.

    Attributes:
        intent: one of ``livesim.types.Intent``.
        subject: the item it is about (``"link:2"``), or ``"room"`` when it is about none.
        answer: the kind of reply that serves it.
        facts: alternatives; each inner tuple is one sufficient set of facts to state.
        plans: alternatives; each inner tuple is one right sequence of calls. The first is the canonical one.
            ``((),)`` means that no call is needed.
        words: for answers other than FACT: one of these (lower case) must occur in the reply. Empty: any reply.
    """

    intent: str
    subject: str
    answer: Answer
    facts: tuple[tuple[FactRef, ...], ...] = ()
    plans: tuple[tuple[PlannedCall, ...], ...] = ((),)
    words: tuple[str, ...] = ()


class CallError(StrEnum):
    """Why a call never reached a tool."""

    BAD_JSON = "bad_json"  # the call's text is no JSON object
    UNKNOWN_TOOL = "unknown_tool"  # no view has this name
    BAD_ARGUMENTS = "bad_arguments"  # the schema refuses the arguments
    UNKNOWN_SKILL = "unknown_skill"  # load_skill of a name that is not listed
    DISTRACTOR = "distractor"  # a listed tool that does not serve this room
    EXCESS = "excess"  # the same call twice in one turn, or more calls than one turn may make


class FaultKind(StrEnum):
    """How a tool failed; each kind has its own right reaction."""

    TIMEOUT = "timeout"  # retry a read once
    RATE_LIMIT = "rate_limit"  # retry a read once
    UNAVAILABLE = "unavailable"  # retry a read once, then fall back
    PERMISSION_DENIED = "permission_denied"  # never retry: fall back or say so
    MALFORMED = "malformed"  # retry a read once
    PARTIAL = "partial"  # use what is there; look elsewhere for the rest
    STALE = "stale"  # looks like success: only a later contradiction shows it
    CONTRADICTION = "contradiction"  # a copy that says it disagrees with the shop: ask once more, or another tool


DOUBTFUL = frozenset({FaultKind.PARTIAL, FaultKind.STALE, FaultKind.CONTRADICTION})
"""Faults after which a tool answers all the same; asking once more is a way to find out."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One tool call as it happened (skill loads are in ``Signals.skills_loaded``).

    Attributes:
        tool: canonical name, ``""`` when the shown name meant nothing.
        arguments: canonical argument names.
        ok: the tool answered.
        error: set when the call never reached a tool.
        fault: set when an injected fault hit it (also STALE, PARTIAL and CONTRADICTION, where ``ok`` is true).
        facts: what the answer stated, right or wrong.
        mutates: a WRITE tool.
    """

    tool: str
    arguments: Mapping[str, int | str]
    ok: bool
    error: CallError | None = None
    fault: FaultKind | None = None
    facts: tuple[Fact, ...] = ()
    mutates: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """What the harness in force asks of a reply.

    Attributes:
        reply_words: at most so many words.
        address: how viewers must be called in a reply (``"friends"``), ``""`` for no such rule.
        tool_thought_tokens: free reasoning tokens before a call.
        reply_thought_tokens: free reasoning tokens before the reply.
    """

    reply_words: int = 40
    address: str = ""
    tool_thought_tokens: int = 64
    reply_thought_tokens: int = 64


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken rule of the platform: its id, points (minor 1-2, medium 4-8, severe 8-24) and the offending text."""

    rule: str
    points: int
    text: str


@dataclass(frozen=True, slots=True)
class Signals:
    """All that a head may read about one finished request; no live object, no hidden state beyond this.

    Attributes:
        request_id: for messages and logs.
        needs: what the viewers wanted.
        reply: what was spoken, without reasoning; ``None`` when nothing was.
        truth: facts true in the second the reply was spoken (or the request was closed).
        known: facts that the prompt stated; those of tools are in ``calls[i].facts``.
        calls: every tool call in order.
        skills_loaded: canonical ids in order of loading.
        skill_options: per intent of ``needs``: the reply skills of this harness that serve it.
        strategy_options: strategy skills that fit the situation (never required, never needless).
        titles: subject -> title of every listed item.
        limits: in force for this request.
        breaches: rules of the platform that the reply broke.
        blocked: replies that a hook sent back.
        unreadable: turns that could not be parsed.
        tool_thought_tokens: reasoning tokens of turns that called something.
        reply_thought_tokens: reasoning tokens of turns that replied.
        end: why the request ended (``livesim.types.RequestEnd``).
        comments: what the viewers wrote (to tell an echo).
    """

    request_id: str
    needs: tuple[Need, ...]
    reply: str | None
    truth: tuple[Fact, ...]
    known: tuple[Fact, ...]
    calls: tuple[CallRecord, ...]
    skills_loaded: tuple[str, ...]
    skill_options: tuple[tuple[str, tuple[str, ...]], ...]
    strategy_options: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]
    limits: Limits
    breaches: tuple[Breach, ...] = ()
    blocked: int = 0
    unreadable: int = 0
    tool_thought_tokens: int = 0
    reply_thought_tokens: int = 0
    end: str = "replied"
    comments: tuple[str, ...] = ()
