"""``CaseFile``: a finished request as the judge reads it, and the two tools that look things up in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from agents.factvalue import spoken
from livesim.config import StrictModel
from livesim.harness.prompt import neutralise
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.spec import ToolSpec
from livesim.types import ToolCall
from rewards.signals import CallRecord, Fact, FaultKind, Signals
from rewards.speech import word_count

MOST_LINES = 80
"""Lines that one look-up answers at most."""

Text = Annotated[str, Field(max_length=80)]


class FactArguments(StrictModel):
    """Arguments of ``fact_lookup``."""

    subject: Text = Field(description='whom it is about: "link:2", "shop", "host", "order:A17"')
    name: Text = Field(default="", description='e.g. "final_price" or "stock:red/M"; empty for all')


class LogArguments(StrictModel):
    """Arguments of ``call_log``."""

    tool: Text = Field(default="", description="only calls of this tool; empty for all")


JUDGE_SPECS: Mapping[str, ToolSpec] = MappingProxyType(
    {
        LOAD_SKILL: ToolSpec(LOAD_SKILL, "read a rubric", SPECS[LOAD_SKILL].arguments),
        "fact_lookup": ToolSpec("fact_lookup", "what was true and what the host had been told", FactArguments),
        "call_log": ToolSpec("call_log", "what the host called and how it ended", LogArguments),
    }
)
"""Tools of the judge's own harness."""


class CaseFile:
    """One finished request, open to look-ups. Holds no verdict of anybody else.

    Args:
        signals: what is judged.
    """

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._told: dict[tuple[str, str], list[tuple[str, Fact]]] = {}
        for source, fact in (
            *(("the prompt", fact) for fact in signals.known),
            *((_source(call), fact) for call in signals.calls for fact in call.facts),
        ):
            self._told.setdefault((fact.subject, fact.name), []).append((source, fact))
        self._now = {(fact.subject, fact.name): fact for fact in signals.truth}

    def message(self, head: str) -> str:
        """The user message of a case.

        Args:
            head: ``"accuracy"`` or ``"effectiveness"``.
        """
        s = self._signals
        wants = "; ".join(f"{need.intent} ({need.subject})" for need in s.needs) or "nothing in particular"
        reply = s.reply or ""
        address = f", viewers addressed as {_quoted(s.limits.address)}" if s.limits.address else ""
        return "\n".join(
            [
                f"Decide: {head}.",
                "Items: " + ("; ".join(f"{subject} = {_flat(title)}" for subject, title in s.titles) or "none") + ".",
                *(f"A viewer wrote: {_quoted(comment)}" for comment in s.comments),
                f"They wanted: {wants}.",
                f"The host said ({word_count(reply)} words): {_quoted(reply)}",
                f"Limits: at most {s.limits.reply_words} words{address}.",
            ]
        )

    def answer(self, call: ToolCall) -> str:
        """What ``fact_lookup`` or ``call_log`` answers; never raises."""
        if call.tool == "fact_lookup":
            return self.fact(str(call.arguments.get("subject", "")), str(call.arguments.get("name", "")))
        return self.log(str(call.arguments.get("tool", "")))

    def fact(self, subject: str, name: str = "") -> str:
        """Truth in the second of the reply beside what the host had been told, a line a fact.

        Args:
            subject: as in ``Fact.subject``, or a title, ``"link 2"`` or ``"2"``.
            name: as in ``Fact.name``, or its part before the colon; empty for all.
        """
        subject = self._subject(subject)
        keys = [key for key in {**self._now, **self._told} if key[0] == subject]
        if not keys:
            subjects = dict.fromkeys(key[0] for key in (*self._now, *self._told))
            return f"nothing is known of {_quoted(subject)}; there are: {', '.join(subjects) or 'none'}"
        wanted = name.strip().lower()
        chosen = [key for key in keys if not wanted or wanted in (key[1].lower(), key[1].lower().partition(":")[0])]
        if not chosen:
            return f"no such fact of {subject}; there are: {', '.join(key[1] for key in keys)}"
        return "\n".join(self._line(key) for key in chosen[:MOST_LINES])

    def log(self, tool: str = "") -> str:
        """Every call with its fate, a line each."""
        calls = [call for call in self._signals.calls if not tool or call.tool == tool]
        if not calls:
            return f"no call of {_quoted(tool)} was made" if tool else "no call was made"
        return "\n".join(_call_line(call) for call in calls[:MOST_LINES])

    def _subject(self, text: str) -> str:
        """The subject meant by a title, a bare link number or "link 2"."""
        words = text.strip().lower()
        for subject, title in self._signals.titles:
            if words in (title.lower(), subject, subject.replace(":", " "), subject.partition(":")[2]):
                return subject
        known = {key[0].lower(): key[0] for key in (*self._now, *self._told)}
        return known.get(words, text.strip())

    def _line(self, key: tuple[str, str]) -> str:
        now = self._now.get(key)
        true = f"true: {spoken(now)}" if now is not None else "true: no such thing"
        heard = "; ".join(f"{source} told {spoken(fact)}" for source, fact in self._told.get(key, ()))
        return f"{key[0]} {key[1]}: {true}; {heard or 'not told to the host'}"


def _source(call: CallRecord) -> str:
    """Who stated something; an answer that disowned itself was no ground for a reply."""
    return f"{call.tool} (a copy that named itself doubtful)" if call.fault is FaultKind.CONTRADICTION else call.tool


def _call_line(call: CallRecord) -> str:
    arguments = ", ".join(f"{name}={value}" for name, value in call.arguments.items())
    if call.error:
        fate = f"refused: {call.error}"
    elif call.ok:
        fate = "answered"
    else:
        fate = f"failed: {call.fault}" if call.fault else "refused these arguments"
    return _flat(f"{call.tool or 'unknown tool'}({arguments}): {fate}")


def _quoted(text: str) -> str:
    """Foreign text as one JSON string: it can't end its own quotes, open a role or a call."""
    return json.dumps(neutralise(text), ensure_ascii=False)


def _flat(text: str) -> str:
    return " ".join(neutralise(text).split())
