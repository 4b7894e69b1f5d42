"""Edits: applied and reverted they are the identity, they survive JSON, and they refuse what they were not made for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.errors import HarnessError
from livesim.harness import edits, shelf
from livesim.harness.augment import PRESETS, augment
from livesim.harness.edits import Kind, apply, diff, edit_between, revert, set_value
from livesim.harness.plain import state_from_plain, to_plain
from livesim.harness.state import HarnessState, Skill, SkillKind
from livesim.seeding import stream

DEFAULT, COMPACT = shelf.load("default"), shelf.load("compact")
BOTH = [DEFAULT, COMPACT]


def variant(state: HarnessState, seed: int) -> HarnessState:
    return augment(state, PRESETS["heldout" if seed % 2 else "train"], stream(seed, "edits")).state


@settings(max_examples=25)
@given(st.sampled_from(BOTH), st.integers(0, 10_000), st.integers(0, 10_000))
def test_applied_and_reverted_an_edit_is_the_identity(base, one, two):
    old, new = variant(base, one), variant(base, two)
    whole = edit_between(old, new, why="w", by="b")
    assert apply(whole, old) == replace(new, name=old.name)
    assert revert(whole, apply(whole, old)) == old
    assert revert(whole, apply(whole, old)).hash == old.hash
    chain = [edits.from_line(edits.to_line(edit)) for edit in diff(old, new)]
    state = old
    for edit in chain:
        state = apply(edit, state)
    assert (state, state.hashes) == (replace(new, name=old.name), new.hashes)
    for edit in reversed(chain):
        state = revert(edit, state)
    assert (state, state.hashes) == (old, old.hashes)
    assert edits.broken_links(chain) == ()


@pytest.mark.parametrize("state", BOTH, ids=["default", "compact"])
def test_plain_values_give_the_state_back(state):
    again = state_from_plain(to_plain(state), state.name)
    assert (again, again.hash) == (state, state.hash)


def test_equal_states_have_no_edits_between_them():
    assert diff(COMPACT, replace(COMPACT, name="other")) == ()
    assert edit_between(COMPACT, COMPACT, why="", by="").operations == ()


def test_one_is_told_from_true():
    hook = COMPACT.hooks.hooks[0]
    one = replace(COMPACT, hooks=replace(COMPACT.hooks, hooks=(replace(hook, options=(("emoji", 1),)),)))
    yes = replace(COMPACT, hooks=replace(COMPACT.hooks, hooks=(replace(hook, options=(("emoji", True),)),)))
    (edit,) = diff(one, yes)
    assert apply(edit, one).hooks.hooks[0].options == (("emoji", True),)
    assert type(apply(edit, one).hooks.hooks[0].options[0][1]) is bool


def test_an_edit_says_what_it_touches():
    new = replace(COMPACT, hooks=replace(COMPACT.hooks, limits=replace(COMPACT.limits, reply_words=20)))
    (edit,) = diff(COMPACT, new, why="shorter", by="mia")
    assert (edit.why, edit.by, edit.parts, edit.what) == ("shorter", "mia", ("hooks",), "hooks limits reply_words")
    (operation,) = edit.operations
    assert (operation.kind, operation.old, operation.new) == (Kind.SET, 24, 20)
    assert (edit.before, edit.after) == (COMPACT.hash, new.hash)


def test_a_skill_put_in_the_middle_and_one_gone_are_one_edit_each():
    extra = Skill("gift_rules", "gift_rules", "gifts", SkillKind.REPLY, "Say the gift.", ("promotion",))
    skills = COMPACT.skills
    new = replace(COMPACT, skills=(skills[0], extra, *skills[2:]))
    found = diff(COMPACT, new)
    assert [(e.operations[0].kind, e.operations[0].at) for e in found] == [(Kind.REMOVE, 1), (Kind.INSERT, 1)]
    assert [e.what for e in found] == ["without skills item_qa", "new skills gift_rules"]


def test_keys_that_occur_twice_are_set_as_a_whole():
    twice = replace(COMPACT, skills=(*COMPACT.skills, COMPACT.skills[0]))
    edit = edit_between(COMPACT, twice, why="", by="")
    assert [operation.path for operation in edit.operations] == [("skills",)]
    assert revert(edit, apply(edit, COMPACT)) == COMPACT


def test_an_edit_refuses_another_harness_unless_its_values_agree():
    edit = set_value(COMPACT, ("skills", "item_qa", "body"), "Say the detail.", why="w", by="b")
    other = replace(COMPACT, hooks=replace(COMPACT.hooks, rounds=7))
    with pytest.raises(HarnessError, match="was made for harness"):
        apply(edit, other)
    assert apply(edit, other, strict=False).skill("item_qa").body == "Say the detail."
    with pytest.raises(HarnessError, match="not what the edit expects"):
        apply(edit, apply(edit, COMPACT), strict=False)


def test_an_edit_that_promises_another_hash_is_refused():
    edit = set_value(COMPACT, ("hooks", "rounds"), 7, why="w", by="b")
    with pytest.raises(HarnessError, match="promises harness 000000000000"):
        apply(replace(edit, after="000000000000"), COMPACT)


@pytest.mark.parametrize(
    ("path", "new", "says"),
    [
        (("skills", "item_qaa", "body"), "x", "did you mean 'item_qa'"),
        (("skill", "item_qa", "body"), "x", "did you mean 'skills'"),
        (("hooks", "limits", "reply_words"), "many", "a number"),
        (("skills", "item_qa", "intents"), "x", "a list"),
        (("skills", "item_qa", "kind"), "answer", "no harness state"),
        (("hooks", "rounds"), True, "a flag"),
    ],
)
def test_a_wrong_path_or_value_is_named(path, new, says):
    with pytest.raises(HarnessError, match=says):
        set_value(COMPACT, path, new, why="", by="")


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"why":1,"by":2,"before":3,"after":4,"operations":[{"kind":"x"}]}'])
def test_what_is_no_edit_is_refused(line):
    with pytest.raises(HarnessError, match="no edit"):
        edits.from_line(line)


def test_a_history_file_holds_a_chain(tmp_path):
    path = tmp_path / edits.HISTORY
    assert edits.read_edits(path) == ()
    first = set_value(COMPACT, ("hooks", "rounds"), 7, why="one", by="b")
    middle = apply(first, COMPACT)
    second = set_value(middle, ("hooks", "retries"), 3, why="two", by="b")
    edits.append_edits(path, [first])
    edits.append_edits(path, [second])
    found = edits.read_edits(path)
    assert found == (first, second)
    assert edits.broken_links(found, apply(second, middle)) == ()
    assert "edited by hand" in edits.broken_links(found, COMPACT)[0]
    assert "edit 2 starts at" in edits.broken_links((second, first))[0]
    path.write_text(path.read_text() + "rubbish\n")
    with pytest.raises(HarnessError, match="line 3"):
        edits.read_edits(path)


def test_a_line_end_inside_a_text_is_no_end_of_its_line(tmp_path):
    text = "one\u2028two\x85three\x0bfour"
    edit = set_value(COMPACT, ("skills", "item_qa", "body"), text, why=text, by="b")
    edits.append_edits(tmp_path / edits.HISTORY, [edit, edit])
    assert edits.read_edits(tmp_path / edits.HISTORY) == (edit, edit)
