"""``Proposal``: one change of the harness that may put a cluster of failures right; and who makes proposals."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from livesim.errors import HarnessError
from livesim.evolution.failures import Cluster
from livesim.harness.augment import problems
from livesim.harness.edits import Edit, apply, edit_between
from livesim.harness.folder import validate
from livesim.harness.state import HarnessState


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change, ready to be confirmed.

    Attributes:
        id: stable and unique among all proposals of one evolution; the same idea has the same id at every step.
        cluster: name of the cluster that it is meant for.
        edit: what would be done.
        local: a rule for single cases: likelier than others to break something else.
    """

    id: str
    cluster: str
    edit: Edit
    local: bool = False


class Proposer(Protocol):
    """Whoever proposes edits."""

    name: str

    def propose(self, clusters: Sequence[Cluster], state: HarnessState, tried: Collection[str]) -> Sequence[Proposal]:
        """Proposals, the most promising first.

        Args:
            clusters: the diagnosis, the costliest first.
            state: what the edits are for; each proposal must fit it by itself.
            tried: ids that were proposed before; they are not proposed again.
        """


@dataclass(frozen=True, slots=True)
class Idea:
    """A proposal before it is worked out: its id within its kind, why, and the change itself."""

    id: str
    why: str
    change: Callable[[HarnessState], HarnessState] = field(compare=False)
    local: bool = False


def worked_out(idea: Idea, cluster: Cluster, state: HarnessState, by: str) -> Proposal | None:
    """The proposal of an idea, None when it changes nothing, cannot be made, or would break the harness."""
    try:
        new = idea.change(state)
        validate(new, shown(state))
    except HarnessError:
        return None
    if new.hash == state.hash or set(problems(new)) - set(problems(state)):
        return None
    why = f"{idea.why} ({cluster.name}, {len(cluster.records)} of {cluster.of} cases: {cluster.hypothesis})"
    return Proposal(idea.id, cluster.name, edit_between(state, new, why=why, by=by), idea.local)


def shown(state: HarnessState) -> tuple[str, ...]:
    """Canonical names of the tools that a harness shows, the user's own included; an edit adds none."""
    return tuple(view.canonical for view in state.tools)


def together(proposals: Sequence[Proposal], state: HarnessState) -> tuple[HarnessState, tuple[Edit, ...]]:
    """The state with all proposals in it, and the chain of edits that leads there.

    Each proposal was made for ``state`` alone; one that no longer fits after those before it is left out.
    """
    edits: list[Edit] = []
    for proposal in proposals:
        try:
            new = apply(proposal.edit, state, strict=False)
            validate(new, shown(state))
        except HarnessError:
            continue
        if new.hash != state.hash:
            edits.append(edit_between(state, new, why=proposal.edit.why, by=proposal.edit.by))
            state = new
    return state, tuple(edits)
