"""Folders: strict to load, equal after saving, and the built-in harnesses are complete."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.errors import HarnessError
from livesim.harness import shelf
from livesim.harness.folder import load_folder
from livesim.harness.hooks.registry import CHECKS
from livesim.harness.prompt import system_prompt
from livesim.harness.saving import save_folder
from livesim.harness.skills import read_skill, write_skill
from livesim.harness.state import ListForm, MessageForm, ParamView, Skill, SkillKind, ToolView
from livesim.harness.views import default_view
from livesim.tools.builtin import SPECS
from livesim.types import Intent

DEFAULT, COMPACT = shelf.load("default"), shelf.load("compact")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "compact"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", shelf.names())
def test_saved_and_loaded_again_a_harness_is_equal(name, tmp_path):
    state = shelf.load(name)
    save_folder(state, tmp_path / name)
    again = load_folder(tmp_path / name)
    assert again == state
    assert (again.hash, again.hashes) == (state.hash, state.hashes)
    save_folder(again, tmp_path / "twice" / name)
    for file in sorted((tmp_path / name).rglob("*.*")):
        assert file.read_bytes() == (tmp_path / "twice" / name / file.relative_to(tmp_path / name)).read_bytes()


def test_a_variant_with_a_distractor_and_other_names_survives_the_folder(tmp_path):
    price = replace(
        default_view(SPECS["final_price"]),
        name="worth_of",
        params=(ParamView("quantity", "n", "how many"), ParamView("link", "item", "which: one")),
        kinds=("integer", "integer"),
        required=("n", "item"),
    )
    distractor = ToolView("", "weather", "# weather: where?", (ParamView("c", "city", "x"),), ("string",), ())
    noise = Skill("noise_1", "ear", "- odd: 'one'", SkillKind.REPLY, "Say {reply_words}.\n\n---\n\nDone.", ())
    state = replace(
        COMPACT,
        name="odd",
        tools=(COMPACT.tools[0], distractor, price),
        skills=(noise, *(s for s in COMPACT.skills if s.id == "chitchat_persona")),
        prompt=replace(COMPACT.prompt, skill_form=ListForm.TABLE, heading="[{}]"),
        hooks=replace(COMPACT.hooks, form=MessageForm.CODE, retries=5),
    )
    save_folder(state, tmp_path / "odd")
    assert load_folder(tmp_path / "odd") == state


def test_saving_over_something_is_refused(folder):
    with pytest.raises(HarnessError, match="not an empty folder"):
        save_folder(COMPACT, folder)


line = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=40).map(str.strip)


@settings(max_examples=200)
@given(line.filter(lambda t: t and '"' not in t), line.filter(bool), st.lists(line, min_size=1).map("\n".join))
def test_skill_files_round_trip(name, description, body):
    skill = Skill("x", name, description, SkillKind.STRATEGY, body.strip(), (Intent.PRICE,))
    if skill.body:
        assert read_skill("x", write_skill(skill), "here") == skill


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("tools.yaml", "description: current", "descripton: current", "did you mean 'description'"),
        ("tools.yaml", "tool: price_check", "tool: price_chek", "did you mean 'price_check'"),
        ("tools.yaml", "- tool: load_skill\n  description: rules of a skill\n", "", "load_skill"),
        ("tools.yaml", "tool: price_check", "tool: price_check\n  name: stock_check", "occurs twice"),
        ("tools.yaml", "tool: price_check", "tool: price_check\n  parameters: {lnk: {name: x}}", "did you mean 'link'"),
        ("hooks.yaml", "reply_words: 24", "reply_word: 24", "did you mean 'reply_words'"),
        ("hooks.yaml", "reply_words: 24", "reply_words: many", "reply_words"),
        ("hooks.yaml", "check: reply_format", "check: reply_formt", "did you mean 'reply_format'"),
        ("hooks.yaml", "without {found}.'", "without {fund}.'", "did you mean 'found'"),
        ("hooks.yaml", "without {found}.'", "without.'\n  options: {emojis: true}", "did you mean 'emoji'"),
        ("hooks.yaml", "without {found}.'", "without.'\n  options: {emoji: 3}", "must be bool"),
        ("hooks.yaml", "form: text", "form: text\nexempt: {plain: [reply_formt]}", "did you mean 'reply_format'"),
        ("hooks.yaml", "form: text", "form: text\nexempt: {plain: [skill_required]}", "unknown exemption"),
        ("hooks.yaml", "form: text", "form: text\nexempt: {plain: [reply_format.emoji]}", "unknown exemption"),
        ("hooks.yaml", "form: text", "form: poem", "form"),
        ("hooks.yaml", "rounds: 6", "rounds: [", "no readable YAML"),
        ("prompt/30_skills.md", "{skills}", "{skils}", "did you mean 'skills'"),
        ("prompt/30_skills.md", "{skills}", "Choose: {skills}", "alone"),
        ("prompt/rendering.yaml", "heading: '# {}'", "heading: '#'", "heading"),
        ("skills/item_qa/SKILL.md", "{tool:faq_search}", "{tool:faq_serch}", "did you mean 'tool:faq_search'"),
        ("skills/item_qa/SKILL.md", "kind: reply", "kind: answer", "metadata.kind"),
        ("skills/item_qa/SKILL.md", "intents: [attribute]", "intents: [atribute]", "metadata.intents"),
        ("skills/item_qa/SKILL.md", "metadata:", "meta:", "did you mean 'metadata'"),
        ("skills/item_qa/SKILL.md", "name: item_qa", "name: price_promo", "occurs twice"),
        ("skills/item_qa/SKILL.md", "---\nname", "name", "front matter"),
    ],
)
def test_each_typo_is_an_error_that_names_the_place(folder, file, old, new, says):
    edit(folder / file, old, new)
    with pytest.raises(HarnessError) as error:
        load_folder(folder)
    assert says in str(error.value)


@pytest.mark.parametrize("name", ["tool.yaml", "prompt/a.txt", "skills/readme"])
def test_a_file_that_means_nothing_is_an_error(folder, name):
    (folder / name).write_text("x", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"unknown file|belong"):
        load_folder(folder)


@pytest.mark.parametrize("name", ["tools.yaml", "hooks.yaml", "prompt", "skills", "skills/item_qa/SKILL.md"])
def test_what_is_missing_is_named(folder, name):
    path = folder / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(HarnessError, match=Path(name).name):
        load_folder(folder)


def test_a_tool_of_the_user_can_be_shown(folder):
    spec = replace(SPECS["push_card"], name="start_draw", description="start a draw")
    with (folder / "tools.yaml").open("a", encoding="utf-8") as file:
        file.write("- tool: start_draw\n  name: draw_now\n")
    state = load_folder(folder, {**SPECS, "start_draw": spec})
    assert state.view("start_draw") == replace(default_view(spec), name="draw_now")


def test_the_hash_follows_the_content_and_not_the_name(folder):
    before = load_folder(folder)
    moved = folder.rename(folder.with_name("other"))
    assert load_folder(moved).hash == before.hash == COMPACT.hash
    edit(moved / "skills/item_qa/SKILL.md", "nothing more", "nothing else")
    after = load_folder(moved)
    assert {part for part, value in after.hashes.items() if value != before.hashes[part]} == {"skills"}


def test_the_shelf_knows_names_folders_and_states(folder):
    assert shelf.names() == ("compact", "default")
    assert shelf.load(str(folder)) == shelf.load(folder) == COMPACT
    assert shelf.load(DEFAULT) is DEFAULT
    with pytest.raises(HarnessError, match="did you mean 'default'"):
        shelf.load("defalt")


def test_the_default_harness_shows_every_tool_and_serves_every_intent():
    assert {view.canonical for view in DEFAULT.tools} == set(SPECS)
    kinds = [skill.kind for skill in DEFAULT.skills]
    assert (kinds.count(SkillKind.REPLY), kinds.count(SkillKind.STRATEGY)) == (11, 3)
    assert all(len(DEFAULT.skills_for(intent)) == 1 for intent in Intent)


def test_the_default_harness_enforces_what_the_compact_one_leaves_to_the_model():
    named = {state.name: [hook.check for hook in state.hooks.hooks] for state in (DEFAULT, COMPACT)}
    wording = ["input_validity", "tool_arguments", "skill_required", "reply_format"]
    assert named["default"] == [*wording, "reply_length", "compliance", "factual_risk"]
    assert named["compact"] == wording
    assert set(named["default"]) < set(CHECKS)


@pytest.mark.parametrize("state", [DEFAULT, COMPACT], ids=["default", "compact"])
def test_every_reply_skill_says_the_word_limit_and_the_form_of_address(state):
    for skill in state.skills:
        if skill.kind is SkillKind.REPLY:
            assert "{reply_words}" in skill.body
            assert "{address}" in skill.body


@pytest.mark.parametrize(("state", "characters"), [(DEFAULT, 3000), (COMPACT, 1200)], ids=["default", "compact"])
def test_the_system_prompt_stays_small(state, characters):
    assert len(system_prompt(state)) <= characters
