"""``ModelProposer``: a language model reads the diagnosis and the harness, and proposes edits as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from livesim.errors import HarnessError
from livesim.evaluation.records import Record
from livesim.evolution.failures import Cluster, symptoms
from livesim.evolution.proposals import Proposal, shown
from livesim.harness.augment import problems
from livesim.harness.augment.rewrites import texts_of
from livesim.harness.edits import Edit, apply, set_value
from livesim.harness.folder import validate
from livesim.harness.prompt import one_line
from livesim.harness.state import HarnessState, content_hash
from livesim.types import Completer, JsonValue

CLUSTERS = 6
"""Clusters shown to the model."""

TEXT_CHARS = 240
"""Characters of a reply or tool answer that are shown."""

STARTS = 40
"""Brackets of an answer at which a list of edits is looked for."""

INSTRUCTIONS = """\
You improve the harness of a live-shopping host: the text around a model whose weights are frozen. Below: the kinds of
failure of its last evaluation with a hypothesis and cases, then every part of the harness that you may change, each
with its path. Propose at most {limit} small changes, the most useful first, each for one kind of failure. More rules
are not better: sharpen or move what is there before you add. Keep the words in braces, such as {{tool:price_check}}.
Answer with JSON only:
[{{"path": "skills.ID.body", "new": "the whole new text", "cluster": "NAME", "why": "one sentence"}}]
"""


class ModelProposer:
    """Asks a model for edits; what it writes is checked and never raises.

    Args:
        completer: continues a conversation.
        limit: proposals asked for.
    """

    def __init__(self, completer: Completer, limit: int = 3) -> None:
        self.completer = completer
        self.limit = limit
        self.name = completer.name
        self.refused: list[str] = []  # of all calls

    def propose(self, clusters: Sequence[Cluster], state: HarnessState, tried: Collection[str]) -> Sequence[Proposal]:
        """The model's usable proposals; what was refused is in ``refused``, with the reason.

        Raises:
            CompletionError: the endpoint gave no answer.
        """
        text = f"{diagnosis(clusters[:CLUSTERS])}\n\n{harness_text(state)}"
        conversation = [
            {"role": "system", "content": INSTRUCTIONS.format(limit=self.limit)},
            {"role": "user", "content": text},
        ]
        answer = self.completer.complete([conversation])[0]
        found: list[Proposal] = []
        items = [*_items(answer)]
        if not items:
            self.refused.append(f"no JSON list in: {answer[:TEXT_CHARS]!r}")
        for item in items:
            try:
                proposal = self._proposal(item, state)
            except HarnessError as error:
                self.refused.append(str(error))
                continue
            if proposal.id not in tried and proposal.id not in [p.id for p in found]:
                found.append(proposal)
        return found[: self.limit]

    def _proposal(self, item: Mapping[str, JsonValue], state: HarnessState) -> Proposal:
        path, new = str(item.get("path", "")), item.get("new")
        if path not in editable(state):
            raise HarnessError(f"{path!r} is no part that may be changed")
        edit: Edit = set_value(state, path.split("."), new, why=str(item.get("why", ""))[:300], by=self.name)
        changed = apply(edit, state)
        validate(changed, shown(state))
        if wrong := set(problems(changed)) - set(problems(state)):
            raise HarnessError(f"{path}: {sorted(wrong)[0]}")
        return Proposal(f"{path}={content_hash(new)}", str(item.get("cluster", "")), edit)


def editable(state: HarnessState) -> dict[str, str | int]:
    """Every value that a model may change, by its dotted path."""
    messages = {f"hooks.hooks.{hook.check}.message": hook.message for hook in state.hooks.hooks}
    return {**texts_of(state), **messages, "hooks.rounds": state.hooks.rounds, "hooks.retries": state.hooks.retries}


def diagnosis(clusters: Sequence[Cluster]) -> str:
    """The clusters with their hypotheses and cases, for a reader."""
    return "\n\n".join(
        "\n".join((f"## {c.name}: {len(c.records)} of {c.of} cases. {c.hypothesis}.", *(_case(r) for r in c.cases)))
        for c in clusters
    )


def harness_text(state: HarnessState) -> str:
    """The parts that may be changed, with their paths."""
    return "\n".join(f"[{path}]\n{value}" for path, value in editable(state).items())


def _case(record: Record) -> str:
    calls = ", ".join(
        f"{c.tool}({json.dumps(dict(c.arguments))}){' ' + c.fault if c.fault else ''}" for c in record.calls
    )
    why = "; ".join(symptom.reason for symptom in symptoms(record))
    skills = ", ".join(record.skills_loaded)
    return (
        f'- viewer: "{one_line(" / ".join(record.comments))}" skills: {skills or "none"} calls: {calls or "none"} '
        f'reply: "{one_line(record.reply or "")[:TEXT_CHARS]}" wrong: {why}'
    )


def _items(answer: str) -> Iterator[Mapping[str, JsonValue]]:
    """The objects of the first JSON list in the answer, or a lone object."""
    decoder = json.JSONDecoder(strict=False)
    starts = [at for at, char in enumerate(answer) if char in "[{"]
    for at in starts[:STARTS]:
        try:
            value, _ = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            continue
        items = value if isinstance(value, list) else [value]
        if items and all(isinstance(item, dict) for item in items):
            yield from items
            return
