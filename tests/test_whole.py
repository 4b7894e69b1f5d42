"""A file that is written anew is whole or as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from livesim.whole import drafted, write_whole


def test_a_text_takes_the_place_of_what_stood_there(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table.txt"
    for text in ("first\n", "zweite, 2 Zeilen\n€\n"):
        write_whole(path, text)
        assert path.read_text(encoding="utf-8") == text
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("stop", [ValueError, KeyboardInterrupt])
def test_what_stood_there_stays_until_the_draft_is_whole(tmp_path: Path, stop: type[BaseException]) -> None:
    path = tmp_path / "curve.png"
    path.write_text("old", encoding="utf-8")

    def drawn() -> None:
        with drafted(path) as draft:
            draft.write_text("ne", encoding="utf-8")
            assert (draft.suffix, draft.parent) == (".png", tmp_path)  # what draws reads the format off the suffix
            assert path.read_text(encoding="utf-8") == "old"
            raise stop

    with pytest.raises(stop):
        drawn()
    assert path.read_text(encoding="utf-8") == "old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_text_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "meta.json"
    write_whole(path, "{}\n")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "half \ud83d")
    assert path.read_text(encoding="utf-8") == "{}\n"
    assert [*tmp_path.iterdir()] == [path]
