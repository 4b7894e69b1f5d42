"""Lint: built-in harnesses have no error, and each planted fault is remarked on at its place."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from livesim.harness import edits, shelf
from livesim.harness.editing import find_skill, with_prompt_rule, with_rule, with_skill, with_skill_rule, with_tool
from livesim.harness.folder import load_folder
from livesim.harness.lint import Level, Remark, lint, rule_lines
from livesim.harness.state import HarnessState, Skill, SkillKind

DEFAULT, COMPACT = shelf.load("default"), shelf.load("compact")


def planted(state: HarnessState) -> list[Remark]:
    return [remark for remark in lint(state) if remark not in lint(COMPACT)]


@pytest.mark.parametrize("name", shelf.names())
def test_the_built_in_harnesses_have_no_error(name):
    assert [remark for remark in lint(shelf.load(name), shelf.SHELF / name) if remark.level is Level.ERROR] == []


def test_the_default_harness_has_no_warning():
    assert [str(remark) for remark in lint(DEFAULT) if remark.level is Level.WARNING] == []


def test_the_compact_one_is_told_which_intents_it_leaves_out():
    missing = {remark.where for remark in lint(COMPACT) if "no reply skill serves it" in remark.text}
    assert missing == {f"intent {i}" for i in ("show_item", "size", "comparison", "after_sales", "troll", "off_topic")}


@pytest.mark.parametrize(
    ("state", "where", "says"),
    [
        (with_skill_rule(COMPACT, "item_qa", "Say {colour}."), "skill item_qa", "{colour} is no placeholder"),
        (with_skill_rule(COMPACT, "item_qa", "Use faq_search."), "skill item_qa", "{tool:faq_search}"),
        (with_skill_rule(COMPACT, "item_qa", "At most 12 words."), "skill item_qa", "says 12 words outright"),
        (
            with_skill(
                COMPACT, replace(COMPACT.skill("item_qa"), body="Say it. Call viewers {address}, {reply_words}.")
            ),
            "tool faq_search",
            "no skill and no prompt block speaks of it",
        ),
        (with_skill(COMPACT, replace(COMPACT.skill("item_qa"), intents=())), "skill item_qa", "serves no intent"),
        (with_skill(COMPACT, replace(COMPACT.skill("item_qa"), intents=("size",))), "intent size", "size_advice"),
        (with_skill_rule(COMPACT, "item_qa", "Very long. " * 120), "skill item_qa", "over 1200"),
        (with_skill_rule(COMPACT, "item_qa", "a\n" * 20), "skill item_qa", "more rules are not better"),
        (with_prompt_rule(COMPACT, "rules", "Be kind. " * 400), "prompt", "over 3600"),
    ],
)
def test_a_planted_fault_is_remarked_on_where_it_is(state, where, says):
    found = planted(state)
    assert [remark.where for remark in found if says in remark.text] == [where], [str(remark) for remark in found]


def test_a_broken_reference_is_an_error():
    broken = with_tool(COMPACT, replace(COMPACT.tools[1], name="load_skill"))
    assert lint(broken)[0].level is Level.ERROR


def test_two_skills_for_one_intent_and_long_descriptions_are_noticed():
    extra = Skill("other", "other", "x" * 130, SkillKind.REPLY, COMPACT.skill("item_qa").body, ("attribute",))
    found = {(r.where, r.level) for r in planted(replace(COMPACT, skills=(*COMPACT.skills, extra)))}
    assert ("intent attribute", Level.NOTE) in found
    assert ("skill other", Level.WARNING) in found


def test_a_folder_adds_its_files_and_its_history(tmp_path):
    folder = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "compact"))
    (folder / "skills/item_qa/scripts").mkdir()
    (folder / "skills/item_qa/scripts/a.py").write_text("")
    edit = edits.set_value(COMPACT, ("hooks", "rounds"), 7, why="w", by="b")
    edits.append_edits(folder / edits.HISTORY, [edit])
    found = {remark.where: remark.text for remark in lint(load_folder(folder), folder)}
    assert "scripts/a.py" in found["skill item_qa"]
    assert "edited by hand since" in found["history.jsonl"]


def test_rule_lines_leave_out_marks_headings_and_blanks():
    assert rule_lines("# Head\n\n- one\n2. two\n  * three\nfour") == ["one", "two", "three", "four"]


def test_a_rule_is_written_as_the_other_lines_are():
    assert find_skill(with_rule(DEFAULT, "skills.item_qa", "New.", first=True), "item_qa").body.startswith(
        "- New.\n- Ask"
    )
    assert find_skill(with_rule(COMPACT, "skills.item_qa", "New."), "item_qa").body.endswith("words.\nNew.")
    state = with_rule(COMPACT, "prompt.rules", "Be kind.")
    assert (state.prompt.blocks[-1].heading, state.prompt.blocks[-1].text) == ("Rules", "- Be kind.")
    assert with_rule(state, "prompt.rules", "Be brief.").prompt.blocks[-1].text == "- Be kind.\n- Be brief."


def test_an_exemption_for_a_platform_that_does_not_exist_is_doubtful():
    hooks = replace(DEFAULT.hooks, exempt=(("plane", ("reply_length",)),))
    remarks = [str(remark) for remark in lint(replace(DEFAULT, hooks=hooks), None, ("plain", "taobao"))]
    assert any("did you mean 'plain'" in remark for remark in remarks)
    assert [r for r in lint(DEFAULT, None, ("plain",)) if r.where == "hooks exempt"] == []
