"""Folders written over the one they came from: what was not edited keeps its bytes, what was reads back equal."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from livesim.errors import HarnessError
from livesim.harness import shelf
from livesim.harness.augment import PRESETS, augment
from livesim.harness.folder import load_folder, skill_files
from livesim.harness.saving import save_folder, update_folder
from livesim.harness.state import HookSpec, PromptBlock, Skill, SkillKind
from livesim.seeding import stream

NAMES = shelf.names()


def content(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "compact"))


@pytest.mark.parametrize("name", NAMES)
def test_an_unedited_folder_comes_back_byte_for_byte(name, tmp_path):
    source = shelf.SHELF / name
    save_folder(load_folder(source), tmp_path / name, source=source)
    assert content(tmp_path / name) == content(source)


def test_comments_line_ends_and_further_files_of_a_folder_come_back_too(folder, tmp_path):
    (folder / "README.md").write_text("# ours\n")
    (folder / "skills/item_qa/scripts").mkdir()
    (folder / "skills/item_qa/scripts/look.sh").write_bytes(b"\x00\xff")
    crlf = (folder / "skills/price_promo/SKILL.md").read_bytes().replace(b"\n", b"\r\n")
    (folder / "skills/price_promo/SKILL.md").write_bytes(b"\xef\xbb\xbf" + crlf)
    assert load_folder(folder) == shelf.load("compact")
    save_folder(load_folder(folder), tmp_path / "copy", source=folder)
    assert content(tmp_path / "copy") == content(folder)
    assert update_folder(load_folder(folder), folder) == ()


def test_only_the_edited_files_change(folder):
    before = content(folder)
    state = load_folder(folder)
    item = replace(state.skill("item_qa"), body="Say the detail.\nNothing else.")
    skills = tuple(item if skill.id == "item_qa" else skill for skill in state.skills)
    new = replace(state, skills=skills, hooks=replace(state.hooks, limits=replace(state.limits, reply_words=20)))
    assert update_folder(new, folder) == ("hooks.yaml", "skills/item_qa/SKILL.md")
    assert load_folder(folder) == new
    after = content(folder)
    assert {n for n in after if after[n] != before[n]} == {"hooks.yaml", "skills/item_qa/SKILL.md"}
    assert after["hooks.yaml"] == before["hooks.yaml"].replace(b"reply_words: 24", b"reply_words: 20")
    head, tail = before["skills/item_qa/SKILL.md"].rsplit(b"---\n", 1)
    assert after["skills/item_qa/SKILL.md"] == head + b"---\nSay the detail.\nNothing else.\n" != head + tail
    assert update_folder(state, folder) == ("hooks.yaml", "skills/item_qa/SKILL.md")
    assert content(folder) == before


def test_a_description_changes_in_its_line_only(folder):
    state = load_folder(folder)
    before = content(folder)
    tools = tuple(replace(v, description="price: now") if v.canonical == "price_check" else v for v in state.tools)
    item = replace(state.skill("item_qa"), description="what it's made of: all of it")
    new = replace(state, tools=tools, skills=tuple(item if s.id == "item_qa" else s for s in state.skills))
    update_folder(new, folder)
    after = content(folder)
    assert after["tools.yaml"] == before["tools.yaml"].replace(b"current price and coupons", b"'price: now'")
    line = b"description: 'what it''s made of: all of it'"
    old = before["skills/item_qa/SKILL.md"]
    assert after["skills/item_qa/SKILL.md"] == old.replace(b"description: what an item is made of or like", line)


def test_a_hook_put_behind_keeps_the_comments_above(folder):
    state = load_folder(folder)
    new = replace(state, hooks=replace(state.hooks, hooks=(*state.hooks.hooks, HookSpec("reply_length", ""))))
    update_folder(new, folder)
    text = (folder / "hooks.yaml").read_text()
    assert text.startswith("# The word limit and the form of address")
    assert text.endswith("- check: reply_length\n  message: ''\n")


def test_new_entries_take_a_name_that_sorts_where_they_stand(folder):
    state = load_folder(folder)
    blocks = state.prompt.blocks
    between = (blocks[0], PromptBlock("extra", "Extra", "Be kind."), *blocks[1:], PromptBlock("rules", "Rules", "- a"))
    gift = Skill("gift_rules", "gift_rules", "gifts", SkillKind.REPLY, "Say the gift.", ())
    skills = (state.skills[0], gift, *state.skills[1:])
    new = replace(state, prompt=replace(state.prompt, blocks=between), skills=skills)
    update_folder(new, folder)
    assert load_folder(folder) == new
    assert (folder / "prompt/15_extra.md").is_file()
    assert (folder / "prompt/50_rules.md").is_file()
    assert (folder / "skills/gift_rules/SKILL.md").is_file()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_any_variant_written_over_its_origin_reads_back_equal(name, seed, tmp_path):
    state = shelf.load(name)
    variant = augment(state, PRESETS["heldout"], stream(seed, "saving")).state
    folder = Path(shutil.copytree(shelf.SHELF / name, tmp_path / name))
    update_folder(variant, folder)
    assert load_folder(folder) == variant
    update_folder(state, folder)
    assert load_folder(folder) == state


def test_what_would_not_read_back_changes_nothing(folder):
    state = load_folder(folder)
    before = content(folder)
    blocks = (PromptBlock("role", "", "# Looks like a heading\nx"), *state.prompt.blocks[1:])
    with pytest.raises(HarnessError, match="another one"):
        update_folder(replace(state, prompt=replace(state.prompt, blocks=blocks)), folder)
    assert content(folder) == before


def test_hidden_files_are_left_alone(folder):
    (folder / ".git").mkdir()
    (folder / ".git/HEAD").write_text("ref")
    (folder / "skills/.keep").write_text("")
    state = load_folder(folder)
    update_folder(replace(state, hooks=replace(state.hooks, rounds=7)), folder)
    assert (folder / ".git/HEAD").read_text() == "ref"
    assert load_folder(folder).hooks.rounds == 7


def test_files_beside_a_skill_are_listed(folder):
    assert set(skill_files(folder).values()) == {()}
    (folder / "skills/item_qa/references").mkdir()
    (folder / "skills/item_qa/references/fabric.md").write_text("x")
    (folder / "skills/item_qa/LICENSE").write_text("x")
    assert skill_files(folder)["item_qa"] == ("LICENSE", "references/fabric.md")
