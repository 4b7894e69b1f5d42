"""``RuleProposer``: a library of edits keyed by kind of failure, mild ones first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from livesim.evolution.failures import Cluster, Failure
from livesim.evolution.proposals import Idea, Proposal, worked_out
from livesim.harness.editing import (
    with_hook,
    with_prompt_rule,
    with_skill,
    with_skill_rule,
    with_tool,
)
from livesim.harness.prompt import one_line
from livesim.harness.state import HarnessState, SkillKind
from livesim.tools.builtin import LOAD_SKILL

RULES = "rules"
"""Id of the prompt block that new general rules go to."""

WORDS = 3
"""Words that are added to a description at a time."""

TELLING = 3.0
"""A word is added only when it is so many times as frequent in the failing comments as in all others."""

_COMMON = """
about after again also another anything been cheers could dear does down each enough everything excuse from give good
have hello here host into item just know like link many morning evening more much need number only other over pardon
please question quick right screen should show some sorry still tell than thank thanks that their them then there these
they thing this today want were what when where which will with would your yours
"""
COMMON = frozenset(_COMMON.split()) | {word.rstrip("s") for word in _COMMON.split()}
"""Words that are said of everything."""

SAY: Mapping[str, str] = MappingProxyType(
    {
        "price": "Say the price after coupons.",
        "promotion": "Say the coupons, or that there are none, and the price after coupons.",
        "attribute": "Say the answer that the tool gives.",
        "stock": "Say how many pieces are left of the option asked about.",
        "shipping": "Say the dispatch hours and the delivery days.",
        "returns": "Say what was asked: return days, freight insurance or warranty.",
        "size": "Say the one size that the tool gives.",
        "greeting": "Say welcome.",
        "chitchat": "If asked, say that you are an AI host.",
        "participation": "Thank them for taking part.",
        "comparison": "Say our own price after coupons and that you can't speak for other shops.",
        "after_sales": "Say that a colleague takes over.",
        "show_item": "Say that the link is on screen now.",
        "troll": "Decline kindly, with a reason.",
        "off_topic": "Decline kindly, with a reason.",
    }
)
"""Intent -> the line that says what a reply to it must hold."""

Ideas = Callable[[Cluster, HarnessState], Iterator[Idea]]


class RuleProposer:
    """Proposes from a fixed library; deterministic, no model.

    Args:
        local: propose rules for single cases too, when nothing general is left.
    """

    name = "rules"

    def __init__(self, local: bool = True) -> None:
        self.local = local

    def propose(self, clusters: Sequence[Cluster], state: HarnessState, tried: Collection[str]) -> Sequence[Proposal]:
        """The first idea of each cluster that was not tried and holds, in the order of the clusters."""
        found: list[Proposal] = []
        seen = set(tried)
        for local in (False, True) if self.local else (False,):
            for cluster in clusters:
                if cluster.name in [proposal.cluster for proposal in found]:
                    continue
                for idea in _case_rules(cluster, state) if local else IDEAS.get(cluster.failure, _none)(cluster, state):
                    named = replace(idea, id=f"{cluster.name}/{idea.id}", local=local)
                    proposal = None if named.id in seen else worked_out(named, cluster, state, self.name)
                    if proposal is not None:
                        found.append(proposal)
                        seen.add(named.id)
                        break
        return found


def _none(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    return iter(())


def general(line: str) -> Callable[[HarnessState], HarnessState]:
    """The change that adds a general rule to the prompt; none when it stands there."""
    return lambda state: state if _stands(state, line) else with_prompt_rule(state, RULES, line)


def _stands(state: HarnessState, line: str) -> bool:
    return any(line in block.text for block in state.prompt.blocks)


def _general(*lines: str) -> Ideas:
    def ideas(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
        for number, line in enumerate(lines, start=1):
            yield Idea(f"rule{number}", f"add the rule: {line}", general(line))

    return ideas


def _limit(line: str, check: str) -> Ideas:
    """A limit that replies break: say it where all replies begin, then first in each skill, then enforce it."""

    def ideas(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
        first = state.prompt.blocks[0].id if state.prompt.blocks else RULES
        yield Idea("first_block", f"say it in the first block: {line}", lambda s: with_prompt_rule(s, first, line))
        yield Idea("skills", f"say it first in each reply skill: {line}", lambda s: _in_all_skills(s, line))
        yield Idea("hook", f"enforce it with the hook {check}", lambda s: with_hook(s, check))
        yield Idea("rule", f"repeat it as a rule: {line}", general(line))

    return ideas


def _in_all_skills(state: HarnessState, line: str) -> HarnessState:
    for skill in state.skills:
        if skill.kind is SkillKind.REPLY and not skill.body.lstrip("- ").startswith(line):
            state = _first(skill.id, line)(state)
    return state


def _wrong_skill(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    intent = cluster.key.replace("_", " ")
    for skill_id in state.skills_for(cluster.key):
        description = state.skill(skill_id).description
        words = telling_words(cluster, state)
        for number in range(0, min(len(words), 4 * WORDS), WORDS):
            some = words[number : number + WORDS]
            change = _described(skill_id, f"{description}, {', '.join(some)}")
            yield Idea(f"words_{'_'.join(some)}", f"describe {skill_id} by {', '.join(some)}", change)
        line = f'On {intent}, load "{{skill:{skill_id}}}".'
        yield Idea("rule", f"add the rule: {line}", general(line))


def _described(skill_id: str, description: str) -> Callable[[HarnessState], HarnessState]:
    return lambda s: with_skill(s, replace(s.skill(skill_id), description=description))


def telling_words(cluster: Cluster, state: HarnessState) -> list[str]:
    """Words of the cluster's comments that tell them from others and describe no skill yet, the best first.

    Item names, words of fewer than four letters, and words that occur once are left out.
    """
    own = [text for record in cluster.records for text in record.comments]
    rooms = [record.messages[1]["content"].split("\n")[0] for record in cluster.records if len(record.messages) > 1]
    taken = _plain(" ".join((*(f"{s.description} {s.name}" for s in state.skills), *rooms)))
    counts = Counter(word for text in own for word in _plain(text) if len(word) > 3 and word not in COMMON | taken)
    others = Counter(word for text in cluster.contrast for word in _plain(text))
    gains = {
        word: count / len(own) - TELLING * others[word] / max(1, len(cluster.contrast))
        for word, count in counts.items()
        if count > 1
    }
    return sorted((word for word, gain in gains.items() if gain > 0), key=lambda word: (-gains[word], word))


def _plain(text: str) -> set[str]:
    return {word.rstrip("s") if len(word) > 4 else word for word in re.findall(r"[a-z]+", text.lower())}


def _tool_missed(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    tool = cluster.key
    for intent in cluster.intents[:2]:
        for skill_id in state.skills_for(intent):
            line = f'Use "{{tool:{tool}}}".'
            body = state.skill(skill_id).body
            if f"{{tool:{tool}}}" not in body.split("\n")[0]:
                yield Idea(skill_id, f"name {tool} first in {skill_id}", _first(skill_id, line))
    for intent in cluster.intents[:2]:
        line = f'On {intent.replace("_", " ")}, call "{{tool:{tool}}}" before you reply.'
        yield Idea(f"rule_{intent}", f"add the rule: {line}", general(line))
    view = state.view(tool)
    if view is not None and cluster.intents:
        description = f"{view.description}, for {cluster.intents[0].replace('_', ' ')} questions"
        yield Idea("described", f"describe {tool} by what it answers", _retold(tool, description))


def _first(skill_id: str, line: str) -> Callable[[HarnessState], HarnessState]:
    """The change that puts a line in front of a skill's body; when it stands further down, it moves up."""

    def change(state: HarnessState) -> HarnessState:
        skill = state.skill(skill_id)
        kept = [old for old in skill.body.split("\n") if old.lstrip("- ").strip() != line]
        bare = with_skill(state, replace(skill, body="\n".join(kept))) if "".join(kept).strip() else state
        return with_skill_rule(bare, skill_id, line, first=True)

    return change


def _retold(tool: str, description: str) -> Callable[[HarnessState], HarnessState]:
    def change(state: HarnessState) -> HarnessState:
        view = state.view(tool)
        return state if view is None else with_tool(state, replace(view, description=description))

    return change


def _say(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    """The skill says what must be said, first; then as a general rule."""
    line = SAY.get(cluster.key)
    if line is None:
        return
    for skill_id in state.skills_for(cluster.key):
        yield Idea(skill_id, f"say first in {skill_id}: {line}", _first(skill_id, line))
    rule = f"On {cluster.key.replace('_', ' ')}: {line[0].lower()}{line[1:]}"
    yield Idea("rule", f"add the rule: {rule}", general(rule))


def _no_reply(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    yield Idea("rule", "say when to reply", general("After the tool's answer, reply at once."))
    rounds, retries = state.hooks.rounds + 2, state.hooks.retries + 1
    yield Idea("rounds", f"allow {rounds} turns", lambda s: replace(s, hooks=replace(s.hooks, rounds=rounds)))
    yield Idea("retries", f"allow {retries} retries", lambda s: replace(s, hooks=replace(s.hooks, retries=retries)))


def _needless_skill(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    load = f'"{{tool:{LOAD_SKILL}}}"'
    for number, line in enumerate(
        (f"One {load} is enough: the skill that fits best.", "Never load a second skill."), 1
    ):
        yield Idea(f"rule{number}", f"add the rule: {line}", general(line))


def _unsupported(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    line = "Say only numbers that a tool gave."
    yield Idea("rule", f"add the rule: {line}", general(line))
    yield Idea("hook", "check numbers with the hook factual_risk", lambda s: with_hook(s, "factual_risk"))
    line = "If the tool gave nothing, say honestly that you can't check it now and name no number."
    yield Idea("honest", f"add the rule: {line}", general(line))


def _rule_broken(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    line = "Never say best, cheapest or guaranteed, and name no contact outside this room."
    yield Idea("rule", f"add the rule: {line}", general(line))
    yield Idea("hook", "check it with the hook compliance", lambda s: with_hook(s, "compliance"))


def _case_rules(cluster: Cluster, state: HarnessState) -> Iterator[Idea]:
    """Rules for single cases: the last resort, and the one that harms others most."""
    for record in cluster.cases:
        text = one_line(" ".join(record.comments))[:60].replace("{", "(").replace("}", ")").strip()
        skills = state.skills_for(record.intents[0]) if record.intents else ()
        if text and skills:
            what = SAY.get(record.intents[0], "Answer what was asked.")
            line = f'When a viewer writes "{text}", use "{{skill:{skills[0]}}}" and {what[0].lower()}{what[1:]}'
            yield Idea(f"case_{record.id}", f"add a rule for one case: {line}", general(line), local=True)


IDEAS: Mapping[Failure, Ideas] = MappingProxyType(
    {
        Failure.WRONG_SKILL: _wrong_skill,
        Failure.NEEDLESS_SKILL: _needless_skill,
        Failure.TOOL_MISSED: _tool_missed,
        Failure.TOOL_NEEDLESS: _general("Call only the tool that the skill names, once for each item."),
        Failure.DENIED_RETRIED: _general(
            "If a tool is not allowed, do not call it again; say that you can't check now."
        ),
        Failure.RETRIED_TOO_OFTEN: _general(
            "If a tool fails, call it once more and not again.",
            "If a tool refuses what you gave it, give it something else or reply.",
        ),
        Failure.NOT_RETRIED: _general("If a tool times out or fails, call it once more."),
        Failure.REPEATED: _general("An answer once given is enough: never make the same call again."),
        Failure.BAD_CALL: _general("Copy names and parameters exactly from the list of tools."),
        Failure.UNREADABLE: _general(
            'A call is <tool_call>{"name":"NAME","arguments":{}}</tool_call> and nothing else.'
        ),
        Failure.NO_REPLY: _no_reply,
        Failure.TOO_LONG: _limit("At most {reply_words} words.", "reply_length"),
        Failure.NO_ADDRESS: _limit("Call viewers {address}.", "reply_address"),
        Failure.RAW_DATA: _general("A voice reads the reply: plain words, no lists, no JSON."),
        Failure.PUT_OFF: _general(
            "Answer in the same reply; never say that you will check.",
            "If a tool gave nothing, say that you can't check it right now because the system is not answering, "
            "and that the item page shows it.",
        ),
        Failure.OTHER_ITEM: _general(
            "An item's name stands in the item list with its link; no name means the link on air."
        ),
        Failure.RELATED_ONLY: _say,
        Failure.NOT_ANSWERED: _say,
        Failure.NOT_DECLINED: _general("Decline what is not about our items, kindly and with a reason."),
        Failure.BESIDE_POINT: _say,
        Failure.UNSUPPORTED: _unsupported,
        Failure.RULE_BROKEN: _rule_broken,
    }
)
"""Kind of failure -> its ideas, mild ones first."""
