"""Steps run once, go on where they were, and start anew when what they depend on has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from livesim.pipeline.steps import Clock, Step, Tick, Watcher, run


def chain(log: list[str], data: Any = 1, rate: Any = 1, work: Callable[[str, Path], None] | None = None) -> list[Step]:
    def doing(name: str) -> Callable[[Path, Tick], None]:
        def do(folder: Path, tick: Tick) -> None:
            log.append(name)
            if work is not None:
                work(name, folder)
            tick(0.5)
            (folder / "out.txt").write_text(name)

        return do

    return [
        Step("data", "data", {"n": data}, doing("data")),
        Step("fixed", "fixed SFT", {"rate": rate}, doing("fixed"), ("data",)),
        Step("other", "beside", {}, doing("other")),
        Step("eval", "evaluation", {}, doing("eval"), ("fixed",)),
    ]


def test_a_second_run_does_nothing(tmp_path: Path) -> None:
    log: list[str] = []
    first = run(chain(log), tmp_path)
    assert log == ["data", "fixed", "other", "eval"]
    second = run(chain(log), tmp_path)
    assert len(log) == 4
    assert second == first


def test_a_change_redoes_what_depends_on_it_and_nothing_else(tmp_path: Path) -> None:
    log: list[str] = []
    run(chain(log), tmp_path)
    log.clear()
    run(chain(log, rate=2), tmp_path)
    assert log == ["fixed", "eval"]
    log.clear()
    run(chain(log, data=2, rate=2), tmp_path)
    assert log == ["data", "fixed", "eval"]


def test_a_killed_step_finds_its_half_done_work_again(tmp_path: Path) -> None:
    log: list[str] = []

    def dying(name: str, folder: Path) -> None:
        if name == "fixed":
            (folder / "checkpoint").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(chain(log, work=dying), tmp_path)
    assert log == ["data", "fixed"]
    found: list[str] = []
    run(chain(log, work=lambda name, folder: found.extend(p.name for p in folder.iterdir())), tmp_path)
    assert log == ["data", "fixed", "fixed", "other", "eval"]
    assert found == ["checkpoint"]


def test_the_seconds_of_a_step_that_went_on_are_those_of_all_calls(tmp_path: Path) -> None:
    told: dict[str, float] = {}

    class Listener(Watcher):
        def end(self, step: Step, seconds: float, skipped: bool, clock: Clock) -> None:
            told[step.name] = seconds

    def dying(name: str, folder: Path) -> None:
        if name == "fixed":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(chain([], work=dying), tmp_path)
    assert run(chain([]), tmp_path, Listener()) == told


def test_a_kill_while_old_work_is_thrown_away_leaves_nothing_that_passes_for_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []
    run(chain(log), tmp_path)

    def half(folder: Path) -> None:
        (folder / "out.txt").unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("livesim.pipeline.steps.shutil.rmtree", half)
        with pytest.raises(KeyboardInterrupt):
            run(chain(log, rate=2), tmp_path)
    log.clear()
    run(chain(log), tmp_path)  # the settings of before, whose result is gone
    assert log == ["fixed"]


def test_half_done_work_of_other_settings_is_thrown_away(tmp_path: Path) -> None:
    log: list[str] = []

    def dying(name: str, folder: Path) -> None:
        if name == "fixed":
            (folder / "checkpoint").write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(chain(log, work=dying), tmp_path)
    found: list[str] = []
    run(chain(log, rate=2, work=lambda name, folder: found.extend(p.name for p in folder.iterdir())), tmp_path)
    assert found == []


def test_a_torn_marker_means_not_done(tmp_path: Path) -> None:
    log: list[str] = []
    run(chain(log), tmp_path)
    (tmp_path / "steps" / "other.json").write_text('{"key": ')
    log.clear()
    run(chain(log), tmp_path)
    assert log == ["other"]


def test_needs_must_come_before(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'a'"):
        run([Step("a", "a", {}, lambda f, t: None, ("b",))], tmp_path)


def test_the_watcher_hears_of_every_step_and_its_share(tmp_path: Path) -> None:
    heard: list[Any] = []

    class Listener(Watcher):
        def begin(self, step: Step, number: int, total: int, clock: Clock) -> None:
            heard.append(("begin", step.name, number, total))

        def tick(self, step: Step, share: float, elapsed_s: float, clock: Clock) -> None:
            heard.append(("tick", share))

        def end(self, step: Step, seconds: float, skipped: bool, clock: Clock) -> None:
            heard.append(("end", step.name, skipped))

    run(chain([])[:1], tmp_path, Listener())
    run(chain([])[:1], tmp_path, Listener())
    assert heard == [("begin", "data", 1, 1), ("tick", 0.5), ("end", "data", False), ("end", "data", True)]


def test_what_is_left_by_hand() -> None:
    clock = Clock({"a": 100.0, "b": 50.0, "c": 10.0})
    assert clock.left_s() == 160.0
    clock.took["a"] = 300.0  # with 100 s taken as expected: (300 + 100) / (100 + 100), half as fast
    assert clock.left_s() == 120.0
    # b: planned 100 s; 30 s in, nothing known of its share: 70 left, then c's 20
    assert clock.left_s("b", 30.0, 0.0) == pytest.approx(90.0)
    # half done after 30 s: its own rate says 60 in all, the plan says 100: 80, half of which is left
    assert clock.left_s("b", 30.0, 0.5) == pytest.approx(60.0)
    clock.skipped.add("c")
    assert clock.left_s("b", 30.0, 0.5) == pytest.approx(40.0)
