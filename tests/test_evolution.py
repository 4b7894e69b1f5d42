"""Evolution: failures are clustered by cause, proposals fit and are exact."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import pytest

from livesim.evaluation.records import CallLine, Record, Status
from livesim.evolution.checking import compare, error_reduction, means
from livesim.evolution.command import ask, edited
from livesim.evolution.failures import Cluster, Failure, diagnose, symptoms
from livesim.evolution.loop import Answer, judge
from livesim.evolution.model import ModelProposer, editable
from livesim.evolution.proposals import together
from livesim.evolution.rulebook import IDEAS, SAY, RuleProposer, telling_words
from livesim.evolution.settings import EvolveConfig
from livesim.evolution.trail import Verdict
from livesim.harness import shelf
from livesim.harness.edits import apply, edit_to_plain, revert
from livesim.types import Conversation, Intent

COMPACT = shelf.load("compact")
FULL = {"accuracy": 1.0, "effectiveness": 1.0, "tool_rationality": 1.0, "skill_selection": 1.0, "length": 0.0}


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


def test_an_answer_without_a_list_is_told_at_every_step():
    model = Model([{"path": "hooks.rounds", "new": 99}])
    proposer = ModelProposer(model)
    proposer.propose([], COMPACT, ())
    model.answer = "no idea"
    proposer.propose([], COMPACT, ())
    assert [reason.split(" in")[0] for reason in proposer.refused[1:]] == ["no JSON list"]


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


def test_a_gain_that_may_be_chance_is_not_published():
    half = (0.0, "x")
    config = EvolveConfig(min_gain=1.0)

    def verdict(better: int, worse: int) -> tuple[Verdict, str]:
        before = [record(n) if n < worse else record(n, effectiveness=half) for n in range(30)]
        after = [record(n) if worse <= n < worse + better else record(n, effectiveness=half) for n in range(30)]
        return judge(config, compare(before, after, allowed=100.0))

    assert verdict(12, 0) == (Verdict.PUBLISHED, "+10.0 points, no category lost more than 8")
    assert verdict(2, 0)[0] is Verdict.ROLLED_BACK  # +1.7 points, by two cases of thirty
    found, why = verdict(7, 4)  # +2.5 points
    assert found is Verdict.ROLLED_BACK
    assert why.startswith("+2.5 points may be chance (-")
    assert verdict(0, 0) == (Verdict.ROLLED_BACK, "+0.0 points are no gain")


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


def test_one_task_that_failed_is_no_evidence():
    half = (0.0, "x")
    lone = error_reduction([record(0, effectiveness=half)], [record(0)])
    assert (lone.mean, math.isnan(lone.low), math.isnan(lone.high)) == (1.0, True, True)
    # one of forty failed: a third of the draws hold no error at all, and say nothing of how much of it is gone
    before = [record(0, effectiveness=half), *map(record, range(1, 40))]
    assert math.isnan(error_reduction(before, [record(n) for n in range(40)]).high)
    # and nothing is published on it
    comparison = compare([record(0, effectiveness=half)], [record(0)])
    verdict, why = judge(EvolveConfig(), comparison)
    assert verdict is Verdict.ROLLED_BACK
    assert why == "+25.0 points of too few cases to tell a gain from chance"


# -- a person decides -------------------------------------------------------------------------------------------------


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
