"""Runs are resumable, the host's places are always taken, and a failing provider is never a zero."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from livesim.errors import CompletionError, ConfigError
from livesim.evaluation import lockstep, suites
from livesim.evaluation.lockstep import AgentHost, BatchHost, Live, ThreadHost, options, play
from livesim.evaluation.records import Record, Status
from livesim.evaluation.run import Evaluation, evaluate, load
from livesim.evaluation.suites import Case, Setting, Suite
from livesim.types import Conversation, Turn
from livesim.world.viewers import Wording


class Parity:
    """Right on even seeds; may fail on chosen batches or conversations."""

    def __init__(self, fail_at: Sequence[int] = (), fail_seed: int = -1) -> None:
        self.name = "parity"
        self.batches: list[int] = []
        self._fail_at, self._fail_seed = fail_at, fail_seed
        self._open: list[Conversation] = []
        self._tickets = 0

    def submit(self, conversation: Conversation, *, seed: int | None = None) -> int:
        self._open.append(conversation)
        self._tickets += 1
        return self._tickets

    def collect(self) -> dict[int, str]:
        asked, self._open = self._open, []
        first = self._tickets - len(asked) + 1
        return dict(enumerate(self.complete(asked), start=first))

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        self.batches.append(len(conversations))
        if len(self.batches) - 1 in self._fail_at:
            raise CompletionError("503")
        return [self._one(c) for c in conversations]

    def _one(self, conversation: Conversation) -> str:
        number = int(conversation[1]["content"].split()[1])
        if number == self._fail_seed:
            raise CompletionError("reset by peer")
        if len(conversation) == 2:
            return "load"
        return "right" if number % 2 == 0 else "wrong"


def cases(count: int) -> list[Case]:
    return [Case(id=f"{i:04d}", suite="tiny", task=i, seed=i) for i in range(count)]


TINY = Suite("tiny", "T0", "a test", lambda setting: tuple(cases(setting.episodes)))


def run(out: Path, make: Any, episodes: int = 10, completer: Parity | None = None, width: int = 4) -> Evaluation:
    host: BatchHost[Live] = BatchHost(completer or Parity(), width)
    return evaluate(host, [TINY], {"tiny": Setting(episodes=episodes)}, out, make=make)


def stable(records: Sequence[Record]) -> list[tuple[Any, ...]]:
    return [(r.id, r.status, r.reward, dict(r.heads), r.reply, r.messages, r.steps, r.stream_s) for r in records]


def test_batches_are_as_wide_as_the_host_until_the_cases_run_out(tiny_room: Any) -> None:
    completer = Parity()
    records = [r for ended in play(cases(10), BatchHost(completer, 4), tiny_room) for r in ended]
    assert completer.batches == [4, 4, 4, 4, 2, 2]
    assert [r.seed for r in records] == list(range(10))
    assert [r.score for r in records] == [100.0, 0.0] * 5
    assert records[0].messages == (
        {"role": "system", "content": "s"},
        {"role": "user", "content": "seed 0"},
        {"role": "assistant", "content": "load"},
        {"role": "tool", "content": "skill body"},
        {"role": "assistant", "content": "right"},
    )
    assert [s.outcome for s in records[0].steps] == ["skill", "reply"]
    assert records[0].stream_s == 3.0


def test_whoever_has_ended_makes_room_for_the_next_at_once(tiny_room: Any) -> None:
    class OneByOne(Parity):
        """Only the youngest conversation gets its answer; the others stay open."""

        def __init__(self) -> None:
            super().__init__()
            self.open: dict[int, Conversation] = {}
            self.seen: list[int] = []

        def submit(self, conversation: Conversation, *, seed: int | None = None) -> int:
            self.open[super().submit(conversation)] = conversation
            return self._tickets

        def collect(self) -> dict[int, str]:
            self.seen.append(len(self.open))
            ticket = max(self.open)
            return {ticket: self._one(self.open.pop(ticket))}

    engine = OneByOne()
    records = [r for ended in play(cases(6), BatchHost(engine, 4), tiny_room) for r in ended]
    assert [r.seed for r in records] == [3, 4, 5, 2, 1, 0]
    assert engine.seen == [4, 4, 4, 4, 4, 4, 3, 3, 2, 2, 1, 1]


def test_every_env_is_closed_also_when_the_caller_stops(tiny_room: Any) -> None:
    tiny_room.closed = 0
    playing = play(cases(10), BatchHost(Parity(), 4), tiny_room)
    next(playing)
    playing.close()
    assert tiny_room.closed == 4


def test_a_killed_run_goes_on_where_it_was_and_ends_the_same(
    tiny_room: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(tmp_path / "whole", tiny_room)

    class Killed(BaseException):
        pass

    real, seen = lockstep._advance, []

    def dying(*args: Any) -> Any:
        seen.append(1)
        if len(seen) > 11:
            raise Killed
        return real(*args)

    monkeypatch.setattr(lockstep, "_advance", dying)
    with pytest.raises(Killed):
        run(tmp_path / "half", tiny_room)
    monkeypatch.setattr(lockstep, "_advance", real)
    kept = len((tmp_path / "half" / "tiny.jsonl").read_text().splitlines())
    assert 0 < kept < 10
    completer = Parity()
    again = run(tmp_path / "half", tiny_room, completer=completer)
    assert sum(completer.batches) == 2 * (10 - kept)
    assert stable(again.records["tiny"]) == stable(whole.records["tiny"])
    assert again.summaries["tiny"].score == whole.summaries["tiny"].score


def test_a_finished_run_asks_nobody_and_can_be_loaded(tiny_room: Any, tmp_path: Path) -> None:
    first = run(tmp_path, tiny_room)
    completer = Parity()
    second = run(tmp_path, tiny_room, completer=completer)
    assert completer.batches == []
    assert stable(second.records["tiny"]) == stable(first.records["tiny"])
    assert stable(load(tmp_path).records["tiny"]) == stable(first.records["tiny"])


def test_records_are_loaded_in_the_order_of_the_cases_whichever_ended_first(
    tiny_room: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(suites._SUITES, "tiny", TINY)
    first = run(tmp_path, tiny_room)
    file = tmp_path / "tiny.jsonl"
    file.write_text("".join(reversed(file.read_text().splitlines(keepends=True))))
    assert stable(load(tmp_path).records["tiny"]) == stable(first.records["tiny"])


def test_a_failed_batch_loses_its_episodes_and_a_rerun_retries_them(tiny_room: Any, tmp_path: Path) -> None:
    first = run(tmp_path, tiny_room, completer=Parity(fail_at=[1]))
    assert [r.status for r in first.records["tiny"]].count(Status.INFRASTRUCTURE_ERROR) == 4
    assert first.summaries["tiny"].episodes == 6
    with pytest.raises(CompletionError, match=r"4 of 10 episodes of 'parity' got no completion \(limit 2%\).*503"):
        first.check()
    first.check(limit=0.5)
    second = run(tmp_path, tiny_room)
    second.check(limit=0.0)
    assert second.summaries["tiny"].episodes == 10


def test_in_threads_one_failure_loses_one_episode(tiny_room: Any) -> None:
    host: ThreadHost[Live] = ThreadHost(Parity(fail_seed=3), 4)
    records = [r for ended in play(cases(8), host, tiny_room) for r in ended]
    lost = [r for r in records if not r.scored]
    assert [(r.seed, r.error) for r in lost] == [(3, "reset by peer")]


def test_a_stopped_run_does_not_wait_for_answers_under_way() -> None:
    code = """
import threading, types
from livesim.evaluation.lockstep import ThreadHost
class Hanging:
    name = "hanging"
    def complete(self, conversations):
        threading.Event().wait()
host = ThreadHost(Hanging(), 2)
host.ask(types.SimpleNamespace(messages=[]))
raise KeyboardInterrupt
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert "KeyboardInterrupt" in done.stderr


def test_in_threads_what_is_no_provider_error_is_raised(tiny_room: Any) -> None:
    class Broken(Parity):
        def complete(self, conversations: Sequence[Conversation]) -> list[str]:
            raise ZeroDivisionError("a bug")

    with pytest.raises(ZeroDivisionError, match="a bug"):
        [*play(cases(2), ThreadHost(Broken(), 2), tiny_room)]


def test_other_settings_in_the_same_folder_are_refused(tiny_room: Any, tmp_path: Path) -> None:
    run(tmp_path, tiny_room, episodes=4)
    with pytest.raises(ConfigError, match="choose another --out"):
        run(tmp_path, tiny_room, episodes=6)


def test_an_agent_plays_one_at_a_time_and_a_sighted_one_looks_first(tiny_room: Any) -> None:
    log: list[str] = []

    class Looker:
        name, sighted = "looker", True

        def reset(self, seed: int) -> None:
            log.append(f"reset {seed}")

        def see(self, sight: object) -> None:
            log.append("see")

        def act(self, messages: Any, tools: Any) -> Turn:
            log.append(f"act {len(messages)}")
            return "right"

    records = [r for ended in play(cases(2), AgentHost(Looker()), tiny_room) for r in ended]
    assert log == ["reset 0", "see", "act 2", "see", "act 4", "reset 1", "see", "act 2", "see", "act 4"]
    assert all(r.strict for r in records)


def test_a_reset_is_told_all_of_a_case_and_viewers_use_heldout_wordings() -> None:
    plain = options(cases(1)[0])
    assert set(plain) == {"scenario", "harness", "harness_seed"}
    case = Case(
        "a", "s", 0, 1, harness="compact", scenario="qa", augment="heldout:hook", harness_seed=5, faults="stress"
    )
    told = options(case)
    scenario = told.pop("scenario")
    assert told == {"harness": "compact", "augment": "heldout:hook", "harness_seed": 5, "faults": "stress"}
    assert scenario.name == "qa"
    assert scenario.viewers.wording is Wording.HELDOUT
    noisy = options(replace(case, noise=1.0))["scenario"]
    assert noisy.viewers.typo_share == 1.0
    assert noisy.viewers.model_copy(update={"typo_share": scenario.viewers.typo_share}) == scenario.viewers
