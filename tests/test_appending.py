"""Lines added to a file that a kill cut short: what was whole stays, what was torn goes, nothing is glued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from livesim.appending import append_lines


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{"new":1}\n'),
        ('{"old":1}\n', '{"old":1}\n{"new":1}\n'),
        ('{"old":1}\n{"torn":', '{"old":1}\n{"new":1}\n'),
        ('{"torn', '{"new":1}\n'),
        ('{"old":1}', '{"old":1}\n{"new":1}\n'),  # whole, only its newline is missing: an editor may leave it so
    ],
)
def test_the_new_line_stands_alone(before: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(before, encoding="utf-8")
    append_lines(path, ['{"new":1}'])
    assert path.read_text(encoding="utf-8") == after


def test_half_a_character_is_torn_too(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes('{"old":"ok"}\n{"torn":"é'.encode()[:-1])
    append_lines(path, ['{"new":"é"}'])
    assert path.read_bytes() == '{"old":"ok"}\n{"new":"é"}\n'.encode()


def test_nothing_to_add_touches_nothing(tmp_path: Path) -> None:
    append_lines(tmp_path / "none.jsonl", [])
    assert list(tmp_path.iterdir()) == []
    append_lines(tmp_path / "deep" / "er" / "one.jsonl", ["1"])
    assert (tmp_path / "deep" / "er" / "one.jsonl").read_text() == "1\n"


def test_a_lone_surrogate_is_written_as_json_writes_it(tmp_path: Path) -> None:
    append_lines(tmp_path / "lines.jsonl", [json.dumps({"reply": "\ud83d!"}, ensure_ascii=False)])
    assert json.loads((tmp_path / "lines.jsonl").read_text(encoding="utf-8")) == {"reply": "\ud83d!"}
