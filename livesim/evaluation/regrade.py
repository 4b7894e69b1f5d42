"""``livesim regrade``: stored requests scored again by another judge, without a replay, and how far the two agree."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from livesim import roster
from livesim.errors import CompletionError, ConfigError
from livesim.evaluation.agreement import Agreement, agreement, same
from livesim.evaluation.counted import counted
from livesim.evaluation.stored import Stored, read_stored
from livesim.whole import write_whole
from rewards.judge import Judge
from rewards.score import HEADS, Scores, score

WARNING = (
    "warning: the judge that trained and the judge that decides are the same ({name}); what training learned to "
    "please it with, it can't see. Choose another one with --judge."
)


@dataclass(frozen=True, slots=True)
class Change:
    """One head of one request that got another value, with the reasons of both."""

    id: str
    head: str
    before: float
    after: float
    why_before: tuple[str, ...]
    why_after: tuple[str, ...]
    reply: str | None


@dataclass(frozen=True, slots=True)
class Regraded:
    """Stored requests beside what the second judge says of them.

    Attributes:
        judge: name of the second judge.
        rows: each request with its new scores.
        lost: request -> why the judge gave no answer; they count nowhere.
    """

    judge: str
    rows: tuple[tuple[Stored, Scores], ...]
    lost: Mapping[str, str]

    def agreement(self, head: str) -> Agreement:
        """How far stored and new values of a head agree."""
        return agreement((old.heads[head], new.heads[head]) for old, new in self.rows if head in old.heads)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Everything that got another value, in the order of the heads."""
        return tuple(
            Change(
                old.id,
                head,
                old.heads[head],
                new.heads[head],
                tuple(old.reasons.get(head, ())),
                new.reasons[head],
                old.signals.reply,
            )
            for head in HEADS
            for old, new in self.rows
            if head in old.heads and not same(old.heads[head], new.heads[head])
        )


Tick = Callable[[int, int], None]
"""Told of progress: requests done, requests in all."""


def regrade(
    stored: Sequence[Stored],
    judge: Judge,
    name: str,
    *,
    most_lost: float = 0.02,
    tick: Tick | None = None,
) -> Regraded:
    """Score every request again.

    Args:
        stored: what ``read_stored`` found.
        judge: decides accuracy and effectiveness; the other heads are computed again by their rules.
        name: of the judge, for the report.
        most_lost: share of requests that the judge may leave unanswered.
        tick: told of progress.

    Raises:
        CompletionError: the judge left more than ``most_lost`` unanswered; with a cache, run again to go on.
    """
    rows: list[tuple[Stored, Scores]] = []
    lost: dict[str, str] = {}
    allowed = int(most_lost * len(stored))
    for done, one in enumerate(stored, start=1):
        try:
            rows.append((one, score(one.signals, judge=judge)))
        except CompletionError as error:
            lost[one.id] = str(error)
            if len(lost) > allowed:
                raise CompletionError(
                    f"{name} left {len(lost)} of {done} requests unanswered (at most {allowed} of {len(stored)} may "
                    f"be); they are not scored. Last: {error}"
                ) from error
        if tick is not None:
            tick(done, len(stored))
    return Regraded(name, tuple(rows), lost)


def same_judge(training: str, final: str) -> bool:
    """Whether two judges are one and the same for all that their names say."""
    return training.strip().rstrip("/").lower() == final.strip().rstrip("/").lower()


def run(
    paths: Sequence[Path],
    judge: str,
    *,
    votes: int = 3,
    cache: Path | None = None,
    trained_with: str = roster.RULES,
    out: Path | None = None,
    show: int = 20,
    tick: Tick | None = None,
) -> str:
    """Carry out the command.

    Args:
        paths: files and folders of stored requests.
        judge: ``rules`` or ``llm:URL[#MODEL]``.
        votes: of a judge that votes.
        cache: folder of its verdicts; default: ``runs/judge``.
        trained_with: the judge whose heads the model was trained on.
        out: JSONL file of all requests with both values.
        show: changed heads printed at most.
        tick: told of progress.

    Returns:
        The report as text.

    Raises:
        ConfigError: wrong names, files or numbers.
        CompletionError: see ``regrade``.
    """
    if show < 0:
        raise ConfigError(f"show must be at least 0, got {show}")
    second = roster.judge(judge, votes, cache or Path("runs") / "judge")
    result = regrade(read_stored(paths), second, judge, tick=tick)
    if out is not None:
        write_whole(out, "".join(line + "\n" for line in to_lines(result)))
    warning = [WARNING.format(name=judge)] if same_judge(trained_with, judge) else []
    return "\n".join([*warning, render(result, show)])


def to_lines(result: Regraded) -> Iterable[str]:
    """One line of JSON a request: stored and new values, reasons where they differ."""
    for old, new in result.rows:
        differ = [head for head in HEADS if not same(old.heads.get(head, new.heads[head]), new.heads[head])]
        line = {
            "id": old.id,
            "source": old.source,
            "judge": result.judge,
            "before": {**old.heads, "total": old.total},
            "after": {**new.heads, "total": new.total},
            "why_before": {head: old.reasons.get(head, ()) for head in differ},
            "why_after": {head: new.reasons[head] for head in differ},
        }
        yield json.dumps(line, ensure_ascii=False)


def render(result: Regraded, show: int = 20) -> str:
    """The report: agreement and confusion by head, means before and after, and what changed.

    Args:
        result: what ``regrade`` gave.
        show: changed heads listed at most.
    """
    count = len(result.rows)
    lost = f", {len(result.lost)} lost" if result.lost else ""
    lines = [f"{counted(count, 'request')} regraded by {result.judge}{lost}"]
    lines.append(f"{'head':<18}{'before':>8}{'after':>8}{'agree':>9}{'kappa':>8}  before>after: count")
    for head in HEADS:
        agree = result.agreement(head)
        if not agree.pairs:
            continue
        before = sum(old.heads[head] for old, _ in result.rows if head in old.heads) / agree.pairs
        after = sum(new.heads[head] for old, new in result.rows if head in old.heads) / agree.pairs
        kappa = "n/a" if math.isnan(agree.kappa) else f"{agree.kappa:.3f}"
        off = {key: n for key, n in agree.confusion.items() if len(agree.confusion) <= 9 or key[0] != key[1]}
        table = ", ".join(f"{a:.3g}>{b:.3g}: {n}" for (a, b), n in list(off.items())[:9])
        lines.append(f"{head:<18}{before:>8.3f}{after:>8.3f}{agree.percent:>8.1f}%{kappa:>8}  {table}")
    if count:
        before = sum(old.total for old, _ in result.rows) / count
        after = sum(new.total for _, new in result.rows) / count
        lines.append(f"{'total':<18}{before:>8.3f}{after:>8.3f}")
    changes = result.changes
    lines.append(f"{counted(len(changes), 'value')} changed" + (":" if changes and show else ""))
    for change in changes[:show]:
        lines.append(f"- {change.id} {change.head} {change.before:.3g} > {change.after:.3g}: {change.reply!r}")
        lines.append(f"    before: {'; '.join(change.why_before) or 'nothing wrong'}")
        lines.append(f"    after:  {'; '.join(change.why_after) or 'nothing wrong'}")
    if len(changes) > show > 0:
        lines.append(f"... and {len(changes) - show} more; all of them with --out FILE")
    lines += [f"lost: {name}: {why}" for name, why in list(result.lost.items())[:5]]
    return "\n".join(lines)
