"""``LLMJudge``: accuracy and effectiveness by votes of a language model that looks the facts up."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from agents.completers import OpenAICompleter
from agents.judge.cache import VerdictCache, case_key
from agents.judge.casefile import JUDGE_SPECS, CaseFile
from agents.judge.hearing import ALLOWED, Hearing
from livesim.errors import CompletionError, ConfigError
from livesim.harness.folder import load_folder
from livesim.types import Completer
from livesim.world.viewing.deadline import DeadlineError, Worker
from rewards.claims import MAX_CHARS
from rewards.judge import Judgement
from rewards.signals import Signals
from rewards.verdict import Verdict

T = TypeVar("T")

HARNESS = Path(__file__).parent / "harness"
"""The judge's own harness folder."""

TEMPERATURE = 0.6
"""Of votes when there are several; a single vote is greedy."""

MAX_TOKENS = 400
"""Of one turn of the judge."""


class LLMJudge:
    """A judge behind any completer. Satisfies ``rewards.judge.Judge``.

    Each vote on each head is a conversation of its own, so that one head does not colour the other: the model loads
    the rubric, looks facts up in the recorded signals, and gives a verdict. The value is the median of the votes (for
    two values: the majority; a tie counts as the lower). Voting stops as soon as more than half of the votes agree.
    What needs no opinion is decided without asking: silence, a reply too long to be spoken, a rule of the platform
    that the world found broken.

    Args:
        completer: continues the conversations.
        votes: at least 1; odd numbers leave no tie.
        harness: another folder with the judge's tools and a skill ``accuracy*`` and ``effectiveness*``.
        cache: folder of verdicts already given; None keeps none.
        deadline_s: wall seconds that one request may take; then it counts as not answered.

    Raises:
        ConfigError: votes or deadline out of range, or a harness without the two rubrics.
        HarnessError: the harness folder cannot be read.
    """

    def __init__(
        self,
        completer: Completer,
        votes: int = 3,
        *,
        harness: Path | str = HARNESS,
        cache: Path | None = None,
        deadline_s: float = 180.0,
    ) -> None:
        if votes < 1:
            raise ConfigError(f"votes must be at least 1, got {votes}")
        if deadline_s <= 0:
            raise ConfigError(f"deadline_s must be above 0, got {deadline_s}")
        self.completer = completer
        self.votes = votes
        self.name = f"llm:{completer.name}"
        self.deadline_s = deadline_s
        self._state = load_folder(harness, JUDGE_SPECS)
        for head in ALLOWED:
            if not any(skill.id.startswith(head) for skill in self._state.skills):
                raise ConfigError(f"judge harness {harness} has no skill for {head!r}")
        self._cache = VerdictCache(cache)
        self._worker = Worker("llm-judge")

    def judge(self, signals: Signals) -> Judgement:
        """Verdicts with the reasons of the votes that prevailed.

        Raises:
            CompletionError: the model gave no answer in time, or too few usable verdicts. Never a zero instead.
        """
        until_s = time.monotonic() + self.deadline_s
        ballots = {head: _Ballot(head, self.votes, formal(signals, head)) for head in ALLOWED}
        case = CaseFile(signals)
        while open_ := [(ballot, vote) for ballot in ballots.values() for vote in ballot.next()]:
            identity = self._in_time(self._identity, until_s, signals.request_id)
            asking: list[tuple[_Ballot, int, Hearing]] = []
            for ballot, vote in open_:
                kept = self._cache.get(case_key(signals, ballot.head, identity, vote))
                if kept is None:
                    asking.append((ballot, vote, Hearing(self._state, ballot.head, case)))
                else:
                    ballot.given[vote] = kept
            self._hear([(vote, hearing) for _, vote, hearing in asking], until_s, signals.request_id)
            for ballot, vote, hearing in asking:
                ballot.given[vote] = hearing.verdict
                if hearing.verdict is not None:
                    self._cache.put(case_key(signals, ballot.head, identity, vote), hearing.verdict)
        return Judgement(
            accuracy=self._result(ballots["accuracy"], signals),
            effectiveness=self._result(ballots["effectiveness"], signals),
        )

    def _identity(self) -> str:
        """What a verdict depends on beside the case: the model, how it is sampled, and the harness.

        A model that nobody named is asked for, since the next one at the same address may be another.
        """
        if not isinstance(self.completer, OpenAICompleter):
            return f"{self.name} {self._state.hash}"
        sampling = f"{self.completer.temperature:g} {self.completer.max_tokens}"
        return f"llm:{self.completer.served_model()} {sampling} {self._state.hash}"

    def _hear(self, hearings: Sequence[tuple[int, Hearing]], until_s: float, request_id: str) -> None:
        """Carry all hearings on, turn by turn; those of one vote share a seed and go out together."""
        while running := [(vote, hearing) for vote, hearing in hearings if not hearing.over]:
            for vote in dict.fromkeys(vote for vote, _ in running):
                mine = [hearing for v, hearing in running if v == vote]
                conversations = [hearing.messages for hearing in mine]
                ask = partial(self.completer.complete, conversations, seed=vote)
                answers = self._in_time(ask, until_s, request_id)
                if len(answers) != len(mine):
                    raise CompletionError(f"{self.name}: {len(answers)} answers to {len(mine)} conversations")
                for hearing, answer in zip(mine, answers, strict=True):
                    hearing.feed(answer)

    def _in_time(self, ask: Callable[[], T], until_s: float, request_id: str) -> T:
        """What ``ask`` returns. Raises CompletionError when that is not before ``until_s`` of the monotonic clock."""
        left_s = until_s - time.monotonic()
        if left_s <= 0:
            raise CompletionError(f"{self.name}: request {request_id} took longer than {self.deadline_s:g} s")
        try:
            return self._worker.call(ask, left_s)
        except DeadlineError as error:
            raise CompletionError(f"{self.name}: request {request_id}: {error}") from error

    def _result(self, ballot: _Ballot, signals: Signals) -> Verdict:
        verdict = ballot.result()
        if verdict is None:
            raise CompletionError(
                f"{self.name}: request {signals.request_id}: only {len(ballot.usable)} usable verdicts of "
                f"{self.votes} on {ballot.head}"
            )
        return verdict


class _Ballot:
    """The votes on one head."""

    def __init__(self, head: str, votes: int, decided: Verdict | None) -> None:
        self.head = head
        self.given: dict[int, Verdict | None] = {}
        self._votes = votes
        self._decided = decided

    @property
    def usable(self) -> list[Verdict]:
        return [verdict for verdict in self.given.values() if verdict is not None]

    @property
    def majority(self) -> int:
        return self._votes // 2 + 1

    def next(self) -> range:
        """Votes still to be asked for now: a bare majority at first, then one by one until the value is settled."""
        done = len(self.given)
        values = [verdict.value for verdict in self.usable]
        settled = any(values.count(value) >= self.majority for value in values)
        if self._decided is not None or settled or done >= self._votes:
            return range(0)
        return range(done, min(self._votes, max(self.majority, done + 1)))

    def result(self) -> Verdict | None:
        """The median with the reasons of those who gave it; None with fewer than a majority of usable votes."""
        if self._decided is not None:
            return self._decided
        if len(self.usable) < self.majority:
            return None
        value = statistics.median_low([verdict.value for verdict in self.usable])
        agree = [verdict for verdict in self.usable if verdict.value == value]
        reasons = dict.fromkeys(reason for verdict in agree for reason in verdict.reasons)
        return Verdict(value, (*reasons, f"{len(agree)} of {len(self.usable)} votes"))


def formal(signals: Signals, head: str) -> Verdict | None:
    """What needs no opinion, as the rules have it; None when the model has to decide."""
    if signals.reply is None or not signals.reply.strip():
        return Verdict(0.0, ("nothing was said",))
    if len(signals.reply) > MAX_CHARS:
        return Verdict(0.0, (f"{len(signals.reply)} characters are too long to be spoken and checked",))
    if head == "accuracy" and signals.breaches:
        return Verdict(0.0, tuple(f"rule {breach.rule}: {breach.text[:60]!r}" for breach in signals.breaches))
    return None


def from_address(address: str, votes: int = 3, cache: Path | None = None) -> LLMJudge:
    """A judge behind an endpoint: ``URL`` or ``URL#MODEL``.

    Args:
        address: e.g. ``"http://127.0.0.1:8000/v1#big-model"``; without a model the first one listed is taken.
        votes: of the judge, at least 1.
        cache: folder of verdicts already given; None keeps none.

    Raises:
        ConfigError: no such address, or no votes.
    """
    try:
        completer = OpenAICompleter(address, temperature=TEMPERATURE if votes > 1 else 0.0, max_tokens=MAX_TOKENS)
    except ConfigError as error:
        raise ConfigError(f"judge 'llm': {error}") from None
    return LLMJudge(completer, votes, cache=cache)
