"""The loop of evolution: it publishes only what helps, takes back what harms, and leaves a trail."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from livesim.env import LiveStreamEnv
from livesim.errors import ConfigError
from livesim.evaluation.hosts import host
from livesim.evolution.command import Order
from livesim.evolution.command import run as run_order
from livesim.evolution.failures import Cluster
from livesim.evolution.heldout import from_json, heldout_edit_test, labelled, settings
from livesim.evolution.heldout import table as heldout_table
from livesim.evolution.loop import Answer, Work, evolve
from livesim.evolution.proposals import Proposal
from livesim.evolution.report import markdown, table
from livesim.evolution.settings import EvolveConfig
from livesim.evolution.trail import Trail, Verdict
from livesim.harness import shelf
from livesim.harness.edits import append_edits, apply, broken_links, edit_to_plain, read_edits, revert, set_value
from livesim.harness.folder import load_folder
from livesim.harness.saving import save_folder, update_folder
from livesim.harness.state import HarnessState

COMPACT = shelf.load("compact")
START = shelf.SHELF / "compact"
SMALL = EvolveConfig(episodes=24, steps=3)
TINY = EvolveConfig(episodes=12, steps=2)


def work(out: Path, **changes: object) -> Work:
    who, identity = host("novice")
    made = Work(who, lambda: LiveStreamEnv(harness=COMPACT, requests=1), out, SMALL, meta=identity)
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("evolution")


@pytest.fixture(scope="module")
def trail(out: Path) -> Trail:
    return evolve(work(out), START)


def test_every_reason_of_real_episodes_is_understood(trail):
    names = {failing.name.partition(":")[0] for step in trail.steps for failing in step.failing}
    assert names
    assert "other" not in names


def test_the_novice_gets_better_and_every_step_says_why(trail):
    assert trail.published[-1].means.points > trail.steps[0].means.points + 8
    assert [step.number for step in trail.steps] == list(range(len(trail.steps)))
    assert trail.steps[0].verdict is Verdict.BASELINE
    for step in trail.steps[1:]:
        assert step.edits
        assert step.why
        if step.verdict is Verdict.PUBLISHED:
            assert step.gain[0] >= SMALL.min_gain
            assert all(c.gain >= -SMALL.allowed for c in step.changes if c.cases >= SMALL.cases)
    assert trail.stopped == "3 steps made"


def test_each_step_is_a_folder_that_its_edits_make_of_its_base(trail, out):
    for step in trail.steps[1:]:
        state = load_folder(out / f"step-{step.base:02d}" / "harness")
        assert read_edits(out / f"step-{step.number:02d}" / "edits.jsonl") == step.edits
        for edit in step.edits:
            state = apply(edit, state)
        assert state.hash == step.harness == load_folder(out / f"step-{step.number:02d}" / "harness").hash


def test_the_published_harness_has_its_whole_history(trail, out):
    final = load_folder(out / "harness")
    history = read_edits(out / "harness/history.jsonl")
    assert final.hash == trail.published[-1].harness == trail.final.hash
    assert history[0].before == COMPACT.hash
    assert broken_links(history, final) == ()
    for edit in reversed(history):
        final = revert(edit, final)
    assert final.hash == COMPACT.hash


def test_the_folder_that_it_began_with_is_untouched(trail):
    assert load_folder(START) == COMPACT


def test_run_again_it_says_the_same_and_plays_nothing(trail, out):
    class Nobody:
        name = "novice"
        width = 1

        def ask(self, asker: object) -> None:
            raise AssertionError("nothing is left to play")

    again = evolve(work(out, host=Nobody()), START)
    assert (again.steps, again.stopped) == (trail.steps, trail.stopped)


def test_a_folder_of_another_evolution_is_refused(trail, out):
    with pytest.raises(ConfigError, match="another"):
        evolve(work(out, meta={"model": "another"}), START)


def test_the_trail_is_on_disk_and_readable(trail, out):
    data = json.loads((out / "evolution.json").read_text())
    assert [step["harness"] for step in data["steps"]] == [step.harness for step in trail.steps]
    assert data["steps"][1]["edits"][0] == edit_to_plain(trail.steps[1].edits[0])
    assert len(table(trail).splitlines()) == 1 + len(trail.steps)
    said = markdown(trail)
    assert all(edit.why in said for step in trail.steps for edit in step.edits)


BAD = "No tool is needed. Answer warmly.\nCall viewers {address}. At most {reply_words} words."


class Spoiler:
    """Proposes one bad edit, once: the price skill says that no tool is needed."""

    name = "spoiler"

    def propose(self, clusters: object, state: HarnessState, tried: Collection[str]) -> list[Proposal]:
        edit = set_value(COMPACT, ("skills", "price_promo", "body"), BAD, why="w", by="s")
        return [] if "x" in tried else [Proposal("x", "", edit)]


def test_a_step_that_harms_is_rolled_back_and_the_good_harness_stays(tmp_path):
    found = evolve(work(tmp_path, proposer=Spoiler(), config=TINY), START)
    assert [step.verdict for step in found.steps] == [Verdict.BASELINE, Verdict.ROLLED_BACK]
    assert found.steps[1].means.points < found.steps[0].means.points
    assert found.stopped == "no proposal is left"
    assert load_folder(tmp_path / "harness") == replace(COMPACT, name="harness")
    assert not (tmp_path / "harness/history.jsonl").exists()


def test_the_history_that_a_folder_brings_is_gone_on_with(tmp_path):
    start = tmp_path / "mine"
    save_folder(COMPACT, start, source=START)
    first = set_value(COMPACT, ("hooks", "rounds"), 7, why="more turns", by="mia")
    update_folder(apply(first, COMPACT), start)
    append_edits(start / "history.jsonl", [first])
    config = TINY.model_copy(update={"steps": 1, "keep_all": True})
    found = evolve(work(tmp_path / "out", config=config), start)
    history = read_edits(tmp_path / "out/harness/history.jsonl")
    assert history == (first, *found.steps[1].edits)
    assert broken_links(history, load_folder(tmp_path / "out/harness")) == ()
    assert read_edits(start / "history.jsonl") == (first,)


def test_to_show_the_harm_every_step_can_be_kept(tmp_path):
    found = evolve(work(tmp_path, proposer=Spoiler(), config=TINY.model_copy(update={"keep_all": True})), START)
    assert [step.verdict for step in found.steps] == [Verdict.BASELINE, Verdict.PUBLISHED]
    assert found.best.number == 0
    assert load_folder(tmp_path / "harness").skill("price_promo").body == BAD


def test_a_person_decides(tmp_path):
    asked: list[str] = []

    def confirm(proposal: Proposal, cluster: Cluster | None) -> tuple[Answer, Proposal]:
        assert cluster is not None
        asked.append(proposal.id)
        answer = (Answer.NO, Answer.YES, Answer.STOP)[min(len(asked) - 1, 2)]
        return answer, replace(proposal, edit=replace(proposal.edit, by="mia"))

    found = evolve(work(tmp_path, confirm=confirm, config=TINY), START)
    assert found.stopped == "a person ended it"
    assert len(found.steps) == 2
    assert [edit.by for edit in found.steps[1].edits] == ["mia"]
    assert len(set(asked)) == 3


def test_it_stops_when_only_the_long_tail_is_left(tmp_path):
    found = evolve(work(tmp_path, config=TINY.model_copy(update={"tail_share": 1.0})), START)
    assert len(found.steps) == 1
    assert "long tail" in found.stopped


def test_the_oracle_leaves_nothing_to_do(tmp_path):
    who, _ = host("oracle")
    found = evolve(work(tmp_path, host=who, config=TINY), START)
    assert (len(found.steps), found.stopped) == (1, "nothing fails any more")


def test_the_command_writes_report_and_chart(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    found = run_order(Order("novice", tmp_path / "out", yes=True, config=TINY.model_copy(update={"steps": 1})))
    assert len(found.steps) == 2
    assert (tmp_path / "out/curve.png").stat().st_size > 5000
    assert (tmp_path / "out/evolution.md").read_text().startswith("# Harness evolution of novice")
    assert "baseline" in capsys.readouterr().out
    with pytest.raises(ConfigError, match="write rules"):
        run_order(Order("novice", tmp_path / "other", proposer="magic"))


# -- held-out edits ---------------------------------------------------------------------------------------------------


def test_held_out_edits_help_the_one_that_reads_more_than_the_one_that_clings(tmp_path):
    agents = {"reads": "novice", "clings": "novice:0.1"}
    config = TINY.model_copy(update={"episodes": 24})  # with 12 no gain is clear of chance
    results = heldout_edit_test(agents, [0], [1], out=tmp_path, config=config, harness_of="reads")
    reads, clings = results
    assert reads.reduction.mean > clings.reduction.mean
    assert reads.reduction.mean == pytest.approx(
        1 - (100 - reads.test_after.points) / (100 - reads.test_before.points), abs=1e-3
    )
    assert reads.harness == clings.harness
    assert len(heldout_table(results).splitlines()) == 5  # title, names, rule, agents
    text = (tmp_path / "heldout-reads.json").read_text()
    assert json.loads(text)[0]["agent"] == "reads"
    assert from_json(text) == results


def test_agents_are_labelled_and_settings_of_the_evolution_read():
    assert labelled(["HAT=runs/hat/model", "novice"]) == {"HAT": "runs/hat/model", "novice": "novice"}
    with pytest.raises(ConfigError, match="two agents are called 'x'"):
        labelled(["x=a", "x=b"])
    assert settings(("episodes=3", "wording=train")).episodes == 3
    with pytest.raises(ConfigError, match="did you mean 'episodes'"):
        settings(("episode=3",))
    with pytest.raises(ConfigError, match="seeds must differ"):
        settings(("seeds=[1, 1]",))
    with pytest.raises(ConfigError, match="unknown suite 'live_qa'"):
        settings(("suites=live_qa",))


def test_test_seeds_may_not_be_dev_seeds(tmp_path):
    with pytest.raises(ConfigError, match=r"must not be dev seeds: \[1\]"):
        heldout_edit_test(["novice"], [0, 1], [1, 2], out=tmp_path)
    with pytest.raises(ConfigError, match="none of the agents"):
        heldout_edit_test(["novice"], [0], [1], out=tmp_path, harness_of="oracle")
    with pytest.raises(ConfigError, match=r"there must be test seeds, and they must differ, got \[2, 2\]"):
        heldout_edit_test(["novice"], [0], [2, 2], out=tmp_path)
