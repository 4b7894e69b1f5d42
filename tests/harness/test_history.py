"""An edit made to a folder and taken back leaves every byte: comments, blank lines, line ends, other files."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from livesim.errors import HarnessError
from livesim.harness import shelf
from livesim.harness.augment import PRESETS, augment
from livesim.harness.edits import HISTORY, Edit, apply, diff, edit_between, read_edits, set_value
from livesim.harness.folder import load_folder
from livesim.harness.history import edit_folder, read_history
from livesim.harness.state import HarnessState, HookSpec, PromptBlock, Skill, SkillKind
from livesim.seeding import stream


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a person keeps it: nothing of what is added here is in its state."""
    root = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "mine"))
    for name in ("hooks.yaml", "tools.yaml"):
        text = (root / name).read_text()
        (root / name).write_text("# ours\n\n" + text.replace("\n- ", "\n\n# why this one\n- ") + "\n# the end\n")
    hooks = (root / "hooks.yaml").read_text()
    (root / "hooks.yaml").write_text(hooks.replace("rounds:", "# turns\nrounds:  ", 1))
    item = root / "skills/item_qa/SKILL.md"
    item.write_bytes(
        item.read_text().replace("---\n", "---\n# draft\n", 1).replace("\n", "\r\n").encode() + b"\r\n\r\n"
    )
    (root / "skills/item_qa/scripts").mkdir()
    (root / "skills/item_qa/scripts/look.bin").write_bytes(b"\x00\xff\xfe\n")
    role = root / "prompt/10_role.md"
    role.write_text("\n\n" + role.read_text() + "\n\n\n")
    assert load_folder(root) == replace(shelf.load("compact"), name="mine")
    return root


def changes(state: HarnessState) -> dict[str, HarnessState]:
    """States that differ in one way each."""
    hooks, skills, blocks = state.hooks, state.skills, state.prompt.blocks
    extra = Skill("size_advice", "size_advice", "sizes", SkillKind.REPLY, "Say the size.", ("size",))
    return {
        "a limit": replace(state, hooks=replace(hooks, rounds=hooks.rounds + 1)),
        "a hook between": replace(
            state, hooks=replace(hooks, hooks=(hooks.hooks[0], HookSpec("retry_control", "Enough."), *hooks.hooks[1:]))
        ),
        "an exemption": replace(state, hooks=replace(hooks, exempt=(("plain", ("reply_format",)),))),
        "a hook gone": replace(state, hooks=replace(hooks, hooks=hooks.hooks[1:])),
        "hooks turned round": replace(state, hooks=replace(hooks, hooks=hooks.hooks[::-1])),
        "tools turned round": replace(state, tools=state.tools[::-1]),
        "a description": replace(
            state, tools=(state.tools[0], replace(state.tools[1], description="new: words"), *state.tools[2:])
        ),
        "a body": replace(state, skills=tuple(replace(s, body="Say it.\n\nNo more.") for s in skills)),
        "a skill gone": replace(state, skills=tuple(s for s in skills if s.id != "item_qa")),
        "a skill in front": replace(state, skills=(extra, *skills)),
        "skills turned round": replace(state, skills=skills[::-1]),
        "a block": replace(
            state, prompt=replace(state.prompt, blocks=(replace(blocks[0], text="You host."), *blocks[1:]))
        ),
        "a block in front": replace(
            state, prompt=replace(state.prompt, blocks=(PromptBlock("rules", "Rules", "- Be kind."), *blocks))
        ),
        "another heading": replace(state, prompt=replace(state.prompt, heading="## {}")),
    }


@pytest.mark.parametrize("name", changes(shelf.load("compact")))
def test_an_edit_taken_back_gives_every_byte_back(folder: Path, name: str) -> None:
    before, state = content(folder), load_folder(folder)
    new = changes(state)[name]
    made, changed = edit_folder(folder, [edit_between(state, new, why=name, by="mia")])
    assert made == load_folder(folder) == new
    assert changed
    back, _ = edit_folder(folder, revert=1)
    assert back == state
    assert content(folder) == before


def test_many_edits_are_taken_back_one_by_one_or_at_once(folder: Path) -> None:
    state, contents = load_folder(folder), [content(folder)]
    variant = replace(augment(state, PRESETS["heldout:hook"], stream(3)).state, name=state.name)
    edits = diff(state, variant)
    assert len(edits) >= 3
    first, *rest = edits
    edit_folder(folder, [first])
    contents.append(content(folder))
    edit_folder(folder, rest)
    assert load_folder(folder) == variant
    assert [entry.edit for entry in read_history(folder / HISTORY)] == list(edits)
    edit_folder(folder, revert=len(rest))
    assert content(folder) == contents[1]
    edit_folder(folder, rest)
    for _ in edits:
        edit_folder(folder, revert=1)
    assert content(folder) == contents[0]


def test_edits_that_only_make_a_harness_together_are_written_together(folder: Path) -> None:
    before, state = content(folder), load_folder(folder)
    loud = set_value(state, ("skills", "item_qa", "body"), "Ask {skill:extra}.", why="", by="mia")
    body = apply(loud, state)
    extra = Skill("extra", "extra", "more", SkillKind.STRATEGY, "Say more.")
    edits = [loud, edit_between(body, replace(body, skills=(*body.skills, extra)), why="", by="mia")]
    made, _ = edit_folder(folder, edits)
    assert made.skill("extra") == extra
    with pytest.raises(HarnessError, match="'skill:extra'"):
        edit_folder(folder, revert=1)
    edit_folder(folder, revert=2)
    assert content(folder) == before


def test_what_a_person_wrote_since_is_not_overwritten(folder: Path) -> None:
    state = load_folder(folder)
    edit_folder(folder, [edit_between(state, changes(state)["a hook gone"], why="", by="mia")])
    hooks = folder / "hooks.yaml"
    hooks.write_text("# mine\n" + hooks.read_text())
    edit_folder(folder, revert=1)
    assert load_folder(folder) == state
    assert "# why this one" not in hooks.read_text()


def test_edits_that_lose_nothing_are_noted_as_bare_edits(folder: Path) -> None:
    state = load_folder(folder)
    edit = set_value(state, ("hooks", "retries"), 3, why="", by="mia")
    edit_folder(folder, [edit])
    (entry,) = read_history(folder / HISTORY)
    assert (entry.edit, dict(entry.lost)) == (edit, {})
    edit_folder(folder, [Edit("", "mia", edit.after, edit.after, ())], note=False)
    assert read_edits(folder / HISTORY) == (edit,)


def test_a_history_that_cannot_be_read_names_its_line(folder: Path) -> None:
    (folder / HISTORY).write_text('{"why": 1}\n')
    with pytest.raises(HarnessError, match="line 1"):
        edit_folder(folder, revert=1)
