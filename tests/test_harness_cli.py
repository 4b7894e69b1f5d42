"""The commands of ``livesim harness``: they say what is there, and edit folders so that it can be taken back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from livesim.cli import app
from livesim.errors import LiveSimError
from livesim.harness import shelf
from livesim.harness.folder import load_folder

COMPACT = shelf.load("compact")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "compact"))


def run(*words: object, code: int = 0) -> str:
    result: Result = CliRunner().invoke(app, ["harness", *(str(word) for word in words)])
    if result.exception is not None and isinstance(result.exception, LiveSimError):
        raise result.exception
    assert result.exit_code == code, result.output
    return result.output


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_hash_names_the_whole_and_the_parts():
    lines = dict(reversed(line.split()) for line in run("hash", "compact").splitlines())
    assert lines == {"harness": COMPACT.hash, **COMPACT.hashes}


def test_show_names_everything(folder):
    said = run("show", folder)
    assert all(skill.id in said for skill in COMPACT.skills)
    assert all(view.canonical in said for view in COMPACT.tools)
    assert COMPACT.hash in said
    assert "not checked on plain: compliance.absolute_terms, " in run("show", "default")
    assert '=> "price_check" (link: integer)' in run("show", "compact", "--prompt")
    assert run("show", "compact", "--skill", "item_qa").startswith('Use "faq_search"')


def test_a_copy_is_the_same_byte_for_byte(tmp_path):
    run("copy", "default", tmp_path / "mine")
    assert content(tmp_path / "mine") == content(shelf.SHELF / "default")


def test_lint_fails_on_errors_and_when_asked_on_warnings(folder):
    assert "0 errors, 0 warnings" in run("lint", "default", "--strict")
    run("lint", "compact")
    run("lint", "compact", "--strict", code=1)
    hooks = folder / "hooks.yaml"
    hooks.write_text(hooks.read_text().replace("reply_words: 24", "reply_words: 200"))
    assert "error: harness: reply_words is 200" in run("lint", folder, code=1)


def test_edits_are_made_noted_and_taken_back(folder):
    before = content(folder)
    said = run(
        "edit", folder, "--set", "hooks.limits.reply_words=20", "--rule", "skills.item_qa=Be kind.", "--why", "w"
    )
    assert "changed: hooks.yaml, skills/item_qa/SKILL.md" in said
    state = load_folder(folder)
    assert (state.limits.reply_words, state.skill("item_qa").body.splitlines()[-1]) == (20, "Be kind.")
    history = run("history", folder).splitlines()
    assert len(history) == 2
    assert f"{COMPACT.hash} -> " in history[0]
    assert f"-> {state.hash}" in history[1]
    run("edit", folder, "--revert", 2)
    assert content(folder) == before


def test_a_difference_can_be_carried_to_another_folder(folder, tmp_path):
    run("augment", "compact", "--preset", "heldout", "--seed", 5, "--out", tmp_path / "variant")
    wanted = load_folder(tmp_path / "variant")
    (tmp_path / "edits.jsonl").write_text(run("diff", "compact", tmp_path / "variant", "--json"))
    run("edit", folder, "--apply", tmp_path / "edits.jsonl", "--no-history")
    assert load_folder(folder).hash == wanted.hash != COMPACT.hash
    assert run("diff", folder, tmp_path / "variant") == "no difference\n"
    assert not (folder / "history.jsonl").exists()


def test_an_edit_made_for_another_state_is_carried_over_when_its_values_agree(folder, tmp_path):
    run("copy", folder, tmp_path / "other")
    run("edit", tmp_path / "other", "--set", "hooks.rounds=7")
    run("edit", folder, "--set", "hooks.retries=3")
    run("edit", folder, "--apply", tmp_path / "other/history.jsonl")
    state = load_folder(folder)
    assert (state.hooks.rounds, state.hooks.retries) == (7, 3)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--set", "hooks.round=7"), "did you mean 'rounds'"),
        (("--set", "hooks.rounds"), "PATH=VALUE"),
        (("--set", "skills.item_qa.body={tool:faq_serch}"), "did you mean 'tool:faq_search'"),
        (("--rule", "skills.itm_qa=x"), "did you mean 'item_qa'"),
        (("--rule", "tools.price=x"), "skills.ID or prompt.ID"),
        (("--revert", "1"), "holds 0 edits"),
        (("--revert", "1", "--set", "hooks.rounds=7"), "holds 0 edits"),
        ((), "nothing to do"),
    ],
)
def test_a_wrong_edit_changes_nothing(folder, words, says):
    before = content(folder)
    with pytest.raises(LiveSimError, match=says):
        run("edit", folder, *words)
    assert content(folder) == before
