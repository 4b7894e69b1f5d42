"""Frames and marks around a rule, whatever it says."""

from __future__ import annotations

from livesim.harness.augment.grammar import Pool, words

RULE_MARKS = Pool(
    train=("- ", "* ", "{n}. ", "{n}) ", "Rule {n}: ", "• ", ""),
    heldout=("+ ", "({n}) ", "Item {n} - "),
)
"""What a rule begins with; ``{n}`` is its number."""

RULE_FRAMES = Pool(
    train=(
        "[Please|Kindly] {}",
        "[Hosts should|You should|The host should|Hosts have to|You need to|You have to] {}",
        "[Rule|Remember|Note|Important]: {}",
        "[Be sure to|Make sure to|Take care to] {}",
    ),
    heldout=(
        "[A host ought to|One is to|You are expected to|It is asked of you to] {}",
        "[Guideline|Instruction|House custom]: {}",
        "[See to it that you|Mind to] {}",
    ),
)
"""Frames of a rule that begins with a verb."""

NEGATIVE_FRAMES = Pool(
    train=(
        "[Please|You should|Hosts should] {}",
        "[Rule|Remember|Note|Important]: {}",
    ),
    heldout=("[Guideline|Instruction|House custom]: {}", "[Mind this|Heed this]: {}"),
)
"""Frames of a rule that begins with ``never`` or ``do not``."""

PLAIN_FRAMES = Pool(
    train=("[Rule|Remember|Note|Important]: {}", "{}"),
    heldout=("[Guideline|Instruction|House custom]: {}", "[Mind this|Heed this]: {}"),
)
"""Frames of any other sentence."""

IMPERATIVES = frozenset(
    words(
        """
        add address admit advise answer apologise ask be begin call check choose close commit compare confirm consult
        decline disclose end explain find fetch get give greet hail hand hold hurry inquire invite invoke keep leave
        load look mention name obtain open point praise promise put query quote read recommend refer relay rely reply
        report respect run say show skip sound speak start state stay stop suggest take tell thank treat try turn use
        voice warn welcome work write
        """
    )
)
"""Verbs that a rule may begin with."""
