"""SKILL.md files written for other agents load; what looks like a slip of our own keys is still an error."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from livesim.errors import HarnessError
from livesim.harness import shelf
from livesim.harness.folder import load_folder
from livesim.harness.skills import read_skill, rewrite_skill
from livesim.harness.state import SkillKind

FOREIGN = """\
---
# of another team
name: pdf-forms
description: >-
  Fills in PDF forms. Use it when a viewer
  asks about a form.
license: Apache-2.0
compatibility: needs python 3
allowed-tools: Bash(python:*) Read
metadata:
  author: somebody
  version: "1.2"
user-invocable: false
---

# PDF forms

Run `scripts/fill.py` with {"field": "{value}"} or {name}.
"""


def test_name_and_description_are_enough():
    skill = read_skill("plain", "---\nname: plain\ndescription: says hello\n---\nSay hello.", "here")
    assert (skill.name, skill.description, skill.body) == ("plain", "says hello", "Say hello.")
    assert (skill.kind, skill.intents) == (SkillKind.REPLY, ())


def test_a_skill_of_another_agent_loads():
    skill = read_skill("pdf-forms", FOREIGN, "here")
    assert skill.description == "Fills in PDF forms. Use it when a viewer asks about a form."
    assert skill.body.startswith("# PDF forms\n\nRun `scripts/fill.py`")
    assert (skill.kind, skill.intents) == (SkillKind.REPLY, ())


def test_a_folder_with_such_a_skill_loads_with_all_that_lies_in_it(tmp_path):
    folder = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "compact"))
    (folder / "skills/pdf-forms/scripts").mkdir(parents=True)
    (folder / "skills/pdf-forms/scripts/fill.py").write_text("print()")
    (folder / "skills/pdf-forms/reference.md").write_text("more")
    (folder / "skills/pdf-forms/SKILL.md").write_text(FOREIGN)
    assert load_folder(folder).skill("pdf-forms").name == "pdf-forms"


@pytest.mark.parametrize("intents", ["price promotion", "price, promotion", "[price, promotion]"])
def test_intents_may_be_one_text(intents):
    text = f"---\nname: a\ndescription: b\nmetadata:\n  kind: strategy\n  intents: {intents}\n---\nx"
    skill = read_skill("a", text, "here")
    assert (skill.kind, skill.intents) == (SkillKind.STRATEGY, ("price", "promotion"))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("metadata:", "meta:", "did you mean 'metadata'"),
        ("description:", "descripton:", "did you mean 'description'"),
        ("  author: somebody", "  intent: price", "did you mean 'intents'"),
        ("  author: somebody", "  kinds: reply", "did you mean 'kind'"),
        ("  author: somebody", "  kind: answer", "metadata.kind"),
        ("  author: somebody", "  intents: weather", "metadata.intents"),
        ("name: pdf-forms\n", "", "name"),
        ("---\n\n# PDF forms", "--\n\n# PDF forms", "front matter"),
    ],
)
def test_what_looks_like_a_slip_is_an_error(old, new, says):
    with pytest.raises(HarnessError, match=says):
        read_skill("pdf-forms", FOREIGN.replace(old, new, 1), "here")


def test_dashes_at_the_end_of_a_line_do_not_end_the_front_matter():
    skill = read_skill("a", "---\nname: a\ndescription: 'odd ---'\n---\nbody\n---\nmore\n", "here")
    assert (skill.description, skill.body) == ("odd ---", "body\n---\nmore")


@pytest.mark.parametrize("word", ["{reply_word}", "{tool:price_chek}", "{adress}"])
def test_a_misspelt_placeholder_is_still_an_error(tmp_path, word):
    folder = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "compact"))
    file = folder / "skills/item_qa/SKILL.md"
    file.write_text(file.read_text() + word)
    with pytest.raises(HarnessError, match="placeholder"):
        load_folder(folder)


def test_an_edit_leaves_the_keys_of_others_as_they_are():
    skill = read_skill("pdf-forms", FOREIGN, "here")
    text = rewrite_skill(replace(skill, body="Short."), FOREIGN)
    assert text == FOREIGN[: FOREIGN.index("\n\n# PDF forms")] + "\nShort.\n"
    text = rewrite_skill(replace(skill, name="forms"), FOREIGN)
    assert text == FOREIGN.replace("name: pdf-forms", "name: forms").replace("---\n\n# PDF", "---\n# PDF")
    served = rewrite_skill(replace(skill, intents=("price",)), FOREIGN)
    assert "author: somebody" in served
    assert "user-invocable: false" in served
    assert read_skill("pdf-forms", served, "here").intents == ("price",)
