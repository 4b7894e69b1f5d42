"""Records survive the disk, kills and mixed settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from livesim.errors import ConfigError
from livesim.evaluation.records import CallLine, Record, RecordFile, check_meta, from_line, to_line
from rewards.recovery import Recovery

Make = Callable[..., Record]


def test_a_record_comes_back_equal(record: Make) -> None:
    whole = record(
        7,
        calls=(CallLine("price_check", {"link": 2}, False, fault="timeout"),),
        recovery=Recovery.HONEST,
        changes=("tool price_check is now called q7",),
        messages=({"role": "user", "content": 'emoji \U0001f600 and "quotes"\n'},),
        signals={"reply": None},
        reply=None,
    )
    assert from_line(to_line(whole)) == whole
    assert "\n" not in to_line(whole)


def test_a_half_written_last_line_is_dropped_and_overwritten(record: Make, tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "s.jsonl")
    file.append([record(0), record(1)])
    with file.path.open("a") as out:
        out.write(to_line(record(2))[:40])
    assert [r.task for r in file.read()] == [0, 1]
    file.append([record(3)])
    assert [r.task for r in file.read()] == [0, 1, 3]


@pytest.mark.parametrize(
    "line", ["{}", "7", "{", '{"status": "ok", "recovery": "none", "reasons": []}', '{"status": "fine"}']
)
def test_a_broken_line_inside_the_file_is_an_error_with_its_number(record: Make, tmp_path: Path, line: str) -> None:
    file = RecordFile(tmp_path / "s.jsonl")
    file.path.write_text(line + "\n" + to_line(record(0)) + "\n")
    with pytest.raises(ConfigError, match="line 1 is no record"):
        file.read()


def test_the_last_record_of_an_id_counts(record: Make, tmp_path: Path) -> None:
    file = RecordFile(tmp_path / "s.jsonl")
    file.append([record(0, reward=0.0), record(1), record(0, reward=1.0)])
    assert [(r.task, r.reward) for r in file.read()] == [(0, 1.0), (1, 0.0)]


def test_no_file_holds_no_records(tmp_path: Path) -> None:
    assert RecordFile(tmp_path / "none.jsonl").read() == []


def test_other_settings_are_refused_by_name_and_value(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    check_meta(path, {"seed": 1, "suites": {"a": {"episodes": 3}}})
    check_meta(path, {"suites": {"a": {"episodes": 3}}, "seed": 1})
    with pytest.raises(ConfigError, match="seed: there 1, now 2") as error:
        check_meta(path, {"seed": 2, "suites": {"a": {"episodes": 3}}})
    assert "suites" not in str(error.value)
    with pytest.raises(ConfigError, match=r"suites\.a\.episodes: there 3, now 4"):
        check_meta(path, {"seed": 1, "suites": {"a": {"episodes": 4}}})
