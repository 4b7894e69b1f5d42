"""Evolution: failures are clustered by cause, proposals fit and are exact, and the loop publishes only what helps."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from livesim.env import LiveStreamEnv
from livesim.errors import ConfigError
from livesim.evaluation.hosts import host
from livesim.evaluation.lockstep import Conversation
from livesim.evaluation.records import CallLine, Record, Status
from livesim.evolution.checking import compare, error_reduction, means
from livesim.evolution.command import Order, ask, edited
from livesim.evolution.command import run as run_order
from livesim.evolution.failures import Cluster, Failure, diagnose, symptoms
from livesim.evolution.heldout import heldout_edit_test
from livesim.evolution.heldout import table as heldout_table
from livesim.evolution.loop import Answer, Work, evolve
from livesim.evolution.model import ModelProposer, editable
from livesim.evolution.proposals import Proposal, together
from livesim.evolution.report import markdown, table
from livesim.evolution.rulebook import IDEAS, SAY, RuleProposer, telling_words
from livesim.evolution.settings import EvolveConfig
from livesim.evolution.trail import Trail, Verdict
from livesim.harness import shelf
from livesim.harness.edits import append_edits, apply, broken_links, edit_to_plain, read_edits, revert, set_value
from livesim.harness.folder import load_folder
from livesim.harness.saving import save_folder, update_folder
from livesim.harness.state import HarnessState
from livesim.types import Intent

COMPACT = shelf.load("compact")
START = shelf.SHELF / "compact"
FULL = {"accuracy": 1.0, "effectiveness": 1.0, "tool_rationality": 1.0, "skill_selection": 1.0, "length": 0.0}
SMALL = EvolveConfig(episodes=24, steps=3)
TINY = EvolveConfig(episodes=12, steps=2)


def record(number: int, intent: str = "price", comment: str = "how much?", **wrong: object) -> Record:
    """An episode; ``wrong`` is head -> (value, reason, ...)."""
    heads, reasons = dict(FULL), dict.fromkeys(FULL, ())
    for head, found in wrong.items():
        assert isinstance(found, tuple)
        heads[head], reasons[head] = found[0], found[1:]
    return Record(
        f"{number:04d}",
        "live_stream_qa",
        number,
        number,
        "original",
        "original",
        heads=heads,
        reasons=reasons,
        reply="Friends, 89 yuan.",
        comments=(comment,),
        intents=(intent,),
        messages=(
            {"role": "system", "content": ""},
            {"role": "user", "content": "On air: link 1. Items: pan = link 1."},
        ),
    )


def kinds(*args: object, **wrong: object) -> list[str]:
    return [f"{s.failure}:{s.key}" for s in symptoms(record(0, **wrong))]


# -- diagnosis --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "reason", "means_"),
    [
        ("effectiveness", "31 words, at most 24 allowed", "too_long:"),
        ("effectiveness", "viewers are not addressed as 'friends'", "no_address:"),
        ("effectiveness", "raw data or a heap of numbers", "raw_data:"),
        ("effectiveness", "price about link:2: not answered", "not_answered:price"),
        ("effectiveness", "price about link:2: only a related fact, or in another unit", "related_only:price"),
        ("effectiveness", "price about link:2: another item is answered", "other_item:price"),
        ("effectiveness", "stock about link:2: the answer is put off", "put_off:stock"),
        ("effectiveness", "chitchat about room: friendly, but beside the point", "beside_point:chitchat"),
        ("effectiveness", "troll about room: declines without a reason", "not_declined:troll"),
        ("tool_rationality", "price_check was needed and not called", "tool_missed:price_check"),
        ("tool_rationality", "faq_search was not needed", "tool_needless:faq_search"),
        ("tool_rationality", "faq_search was denied and called again", "denied_retried:"),
        ("tool_rationality", "stock_check failed and was tried more than once again", "retried_too_often:"),
        ("tool_rationality", "stock_check: timeout was not tried again", "not_retried:"),
        ("tool_rationality", "stock_check had answered and was called again", "repeated:"),
        ("tool_rationality", "unknown_tool: no tool", "bad_call:"),
        ("tool_rationality", "2 unreadable turns", "unreadable:"),
        ("skill_selection", "no skill for price was loaded", "wrong_skill:price"),
        ("skill_selection", "item_qa serves no intent of the request", "needless_skill:"),
        ("accuracy", "'89 yuan' as final of link:2 is false or was stated by no tool and no prompt", "unsupported:"),
        ("accuracy", "rule absolute: 'the best'", "rule_broken:"),
        ("accuracy", "who knows", "other:"),
    ],
)
def test_each_reason_of_a_head_is_understood(head, reason, means_):
    assert kinds(**{head: (0.0, reason)}) == [means_]


def test_every_reason_of_real_episodes_is_understood(trail):
    names = {failing.name.partition(":")[0] for step in trail.steps for failing in step.failing}
    assert names
    assert "other" not in names


def test_what_another_failure_explains_is_not_counted_by_itself():
    found = kinds(
        skill_selection=(0.0, "no skill for price was loaded", "item_qa serves no intent of the request"),
        tool_rationality=(0.0, "price_check was needed and not called", "faq_search was not needed"),
        effectiveness=(0.0, "price about link:2: not answered", "31 words, at most 24 allowed"),
    )
    assert found == ["too_long:", "wrong_skill:price"]


def test_a_silent_episode_fails_once_and_a_lost_one_not_at_all():
    assert {s.failure for s in symptoms(replace(record(0), reply=None, request_end="rounds"))} == {Failure.NO_REPLY}
    assert symptoms(replace(record(0), status=Status.INFRASTRUCTURE_ERROR, heads={})) == ()


def test_clusters_are_ordered_by_what_they_cost():
    records = [
        *(record(n, effectiveness=(0.5, "31 words, at most 24 allowed")) for n in range(3)),
        *(
            record(
                n,
                skill_selection=(0.0, "no skill for price was loaded"),
                tool_rationality=(0.0, "price_check was needed and not called"),
            )
            for n in range(3, 5)
        ),
        record(5),
    ]
    wrong, long = diagnose(records)
    assert (wrong.name, len(wrong.records), wrong.lost, wrong.of) == ("wrong_skill:price", 2, 4.0, 6)
    assert (long.name, len(long.records), long.lost, long.share) == ("too_long", 3, 1.5, 0.5)
    assert "overlooked" in long.hypothesis
    assert wrong.intents == ("price",)


def test_representative_cases_are_those_with_the_fewest_other_failures():
    long = (0.5, "31 words, at most 24 allowed")
    records = [
        record(0, effectiveness=(*long, "viewers are not addressed as 'friends'")),
        record(1, effectiveness=long),
    ]
    cluster = next(c for c in diagnose(records) if c.failure is Failure.TOO_LONG)
    assert [case.id for case in cluster.cases] == ["0001", "0000"]


# -- proposals --------------------------------------------------------------------------------------------------------


def wrong_skill(*comments: str, others: Sequence[str] = ()) -> Cluster:
    bad = [
        record(n, "shipping", text, skill_selection=(0.0, "no skill for shipping was loaded"))
        for n, text in enumerate(comments)
    ]
    good = [record(100 + n, "price", text) for n, text in enumerate(others)]
    (cluster,) = diagnose([*bad, *good])
    return cluster


def test_a_description_is_sharpened_with_words_that_tell_the_comments_from_others():
    cluster = wrong_skill(
        "posting of the pan?", "posting time please", "posting, thanks", "thanks", others=["thanks", "pan"]
    )
    assert telling_words(cluster, COMPACT) == ["posting"]
    (proposal, *_) = RuleProposer().propose([cluster], COMPACT, ())
    (operation,) = proposal.edit.operations
    assert operation.path == ("skills", "shipping_eta", "description")
    assert operation.new == "when an order leaves and arrives, posting"


def test_what_was_tried_gives_way_to_the_next_idea():
    cluster = wrong_skill("posting of the pan?", "posting time please")
    first = RuleProposer().propose([cluster], COMPACT, ())[0]
    second = RuleProposer().propose([cluster], COMPACT, {first.id})[0]
    third = RuleProposer().propose([cluster], COMPACT, {first.id, second.id})[0]
    assert 'On shipping, load "{skill:shipping_eta}".' in str(second.edit.operations[0].new)
    assert (first.local, second.local, third.local) == (False, False, True)
    assert 'When a viewer writes "posting of the pan?"' in str(third.edit.operations[0].new)
    assert RuleProposer(local=False).propose([cluster], COMPACT, {first.id, second.id}) == []


@pytest.mark.parametrize("failure", [f for f in Failure if f is not Failure.OTHER])
@pytest.mark.parametrize("name", shelf.names())
def test_every_kind_of_failure_has_an_edit_that_fits_and_can_be_taken_back(failure, name):
    state = shelf.load(name)
    key = {Failure.TOOL_MISSED: "price_check", Failure.TOOL_NEEDLESS: "price_check"}.get(failure, "price")
    records = tuple(record(n, comment="what is the damage?") for n in range(3))
    cluster = Cluster(failure, key, records, 10, 3.0, "h")
    proposals = RuleProposer().propose([cluster], state, ())
    assert len(proposals) == 1
    new = apply(proposals[0].edit, state)
    assert new.hash != state.hash
    assert revert(proposals[0].edit, new) == state
    assert proposals[0].edit.by == "rules"
    assert cluster.name in proposals[0].edit.why


def test_every_kind_of_failure_and_every_intent_is_in_the_library():
    assert set(IDEAS) == set(Failure) - {Failure.OTHER}
    assert set(SAY) == {str(intent) for intent in Intent}


def test_a_rule_that_stands_further_down_moves_up_and_is_not_said_twice():
    cluster = Cluster(Failure.RELATED_ONLY, "stock", (record(0, "stock"),), 10, 1.0, "h")
    (proposal,) = RuleProposer().propose([cluster], COMPACT, ())
    body = apply(proposal.edit, COMPACT).skill("stock_restock").body.splitlines()
    assert body[0] == "Say how many pieces are left of the option asked about."
    assert len(body) == len(COMPACT.skill("stock_restock").body.splitlines())


def test_together_leaves_out_what_no_longer_fits():
    long = Cluster(Failure.TOO_LONG, "", (record(0),), 10, 1.0, "h")
    named = Cluster(Failure.NO_ADDRESS, "", (record(0),), 10, 1.0, "h")
    both = RuleProposer().propose([long, named], COMPACT, ())
    state, edits = together(both, COMPACT)
    assert len(both) == 2
    assert len(edits) == 1
    assert state.prompt.blocks[0].text.endswith("At most {reply_words} words.")


# -- proposals of a model ---------------------------------------------------------------------------------------------


class Model:
    """Gives one answer to everything."""

    name = "model"

    def __init__(self, answer: object) -> None:
        self.answer = answer if isinstance(answer, str) else json.dumps(answer)
        self.seen: list[Conversation] = []

    def complete(self, conversations: Sequence[Conversation], *, seed: int | None = None) -> list[str]:
        self.seen += conversations
        return [self.answer] * len(conversations)


def test_a_model_sees_diagnosis_and_harness_and_its_edits_are_exact():
    change = {"path": "skills.item_qa.description", "new": "what it is made of", "why": "clearer", "cluster": "c"}
    model = Model(f"Here you are: {json.dumps([change])} Good luck!")
    (proposal,) = ModelProposer(model).propose([wrong_skill("posting?", "posting")], COMPACT, ())
    assert apply(proposal.edit, COMPACT).skill("item_qa").description == "what it is made of"
    assert (proposal.edit.why, proposal.edit.by, proposal.cluster) == ("clearer", "model", "c")
    said = model.seen[0][1]["content"]
    assert "wrong_skill:shipping: 2 of 2 cases" in said
    assert "[skills.item_qa.body]\nUse " in said
    assert list(ModelProposer(model).propose([], COMPACT, {proposal.id})) == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("I would rather not.", "no JSON list"),
        ([{"path": "skills.item_qa.kind", "new": "strategy"}], "no part that may be changed"),
        ([{"path": "skills.item_qa.body", "new": 7}], "a number"),
        ([{"path": "skills.item_qa.body", "new": "Use {tool:faq_serch}."}], "did you mean 'tool:faq_search'"),
        ([{"path": "hooks.rounds", "new": 99}], "outside 4 to 16"),
        ([{"path": ["x"], "new": None}], "no part"),
        ("[" * 5000, "no JSON list"),
    ],
)
def test_what_a_model_may_not_do_is_refused_with_the_reason(answer, says):
    proposer = ModelProposer(Model(answer))
    assert list(proposer.propose([], COMPACT, ())) == []
    assert says in proposer.refused[0]


def test_a_model_may_change_neither_limits_nor_names():
    assert not any("limits" in path or path.endswith((".name", ".intents", ".kind")) for path in editable(COMPACT))


# -- before and after -------------------------------------------------------------------------------------------------


def test_a_regression_is_a_category_that_lost_more_than_allowed():
    before = [record(n, "price" if n < 6 else "stock") for n in range(20)]
    half = (0.0, "price about link:2: not answered")
    after = [replace(record(n, "price", effectiveness=half)) if n < 6 else record(n, "stock") for n in range(20)]
    found = compare(before, after, allowed=8.0, cases=5)
    assert [(c.category, c.cases, c.before, c.after) for c in found.regressions] == [("price", 6, 100.0, 75.0)]
    assert found.overall.points.mean == pytest.approx(-7.5)
    assert compare(before, after, allowed=30.0).regressions == ()
    assert compare(before, after, allowed=8.0, cases=7).regressions == ()


def test_episodes_with_failed_tools_are_a_category_of_their_own():
    call = CallLine("price_check", {}, ok=False, fault="timeout")
    records = [replace(record(0), calls=(call,)), record(1)]
    assert {c.category: c.cases for c in compare(records, records).categories} == {"price": 2, "failed tools": 1}


def test_means_and_error_reduction_by_hand():
    half = (0.0, "x")
    before = [record(n, effectiveness=half) for n in range(10)]
    after = [record(n, effectiveness=half) if n < 4 else record(n) for n in range(10)]
    assert (means(before).points, means(before).score, means(after).points) == (75.0, 50.0, 90.0)
    found = error_reduction(before, after)
    assert found.mean == pytest.approx(0.6)
    assert 0.2 <= found.low < 0.6 < found.high <= 1.0
    assert math.isnan(error_reduction(after[4:], after[4:]).mean)


# -- the loop ---------------------------------------------------------------------------------------------------------


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
    assert trail.stopped == "3 steps were made"


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

        def turns(self, lives: object) -> list[str]:
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


def test_an_edit_that_a_person_rewrote_counts_as_theirs_and_rubbish_changes_nothing():
    (proposal,) = RuleProposer().propose([Cluster(Failure.TOO_LONG, "", (record(0),), 9, 1.0, "h")], COMPACT, ())
    plain = edit_to_plain(proposal.edit)
    assert edited(proposal, "rubbish") is proposal
    assert edited(proposal, json.dumps({**plain, "why": "mine"})).edit.why == "mine"
    assert edited(proposal, json.dumps(plain)).edit.by == "operator"


def test_the_question_shows_the_cases_and_takes_each_answer(monkeypatch, capsys):
    cluster = Cluster(Failure.TOO_LONG, "", (record(0, comment="[b]how much[/b]?"),), 9, 1.0, "the limit is overlooked")
    (proposal,) = RuleProposer().propose([cluster], COMPACT, ())
    plain = json.dumps({**edit_to_plain(proposal.edit), "why": "mine"})
    said = iter(["?", "e", "Yes", "n", "stop"])
    monkeypatch.setattr("click.prompt", lambda *words, **others: next(said))
    monkeypatch.setattr("click.edit", lambda text: plain)
    answer, changed = ask(proposal, cluster)
    assert (answer, changed.edit.why, changed.edit.by) == (Answer.YES, "mine", "operator")
    shown = capsys.readouterr().out
    assert "[b]how much[/b]?" in shown
    assert "the limit is overlooked" in shown
    assert "+ At most {reply_words} words." in shown
    assert ask(proposal, None)[0] is Answer.NO
    assert ask(proposal, cluster)[0] is Answer.STOP


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
    results = heldout_edit_test(agents, [0], [1], out=tmp_path, config=TINY, harness_of="reads")
    reads, clings = results
    assert reads.reduction.mean > clings.reduction.mean
    assert reads.reduction.mean == pytest.approx(
        1 - (100 - reads.test_after.points) / (100 - reads.test_before.points), abs=1e-3
    )
    assert reads.harness == clings.harness
    assert len(heldout_table(results).splitlines()) == 3
    assert json.loads((tmp_path / "heldout-reads.json").read_text())[0]["agent"] == "reads"


def test_test_seeds_may_not_be_dev_seeds(tmp_path):
    with pytest.raises(ConfigError, match=r"must not be dev seeds: \[1\]"):
        heldout_edit_test(["novice"], [0, 1], [1, 2], out=tmp_path)
    with pytest.raises(ConfigError, match="none of the agents"):
        heldout_edit_test(["novice"], [0], [1], out=tmp_path, harness_of="oracle")
