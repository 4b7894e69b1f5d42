"""Rules of skill bodies in other words: exact rewrites of the library's rules, frames for any rule, list marks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from livesim.harness.augment.grammar import Pool, words

RULE_MARKS = Pool(
    train=("- ", "* ", "{n}. ", "{n}) ", "Rule {n}: ", "• "),
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
        add address advise answer apologise ask avoid be begin call check choose close compare confirm decline end
        explain find fit get give greet hail hand invite join keep leave limit link list load look make match mention
        mind name note offer open pick point praise push put quote read recommend refer reply report return round run
        say see send serve show speak start state stay stick stop suggest take talk tell thank treat try turn use warn
        welcome write
        """
    )
)
"""Verbs that a rule may begin with."""

ADDRESS_RULES = Pool(
    train=(
        "Call [the viewers|viewers|them|everybody] {address}.",
        "[Address|Greet] [the viewers|viewers|them] as {address}.",
        "Say {address} [to the viewers|to viewers|when you speak to viewers|in your reply].",
        "Use the word {address} [for viewers|for the viewers|when you reply|in each reply].",
        "Viewers are called {address}.",
        "Put the word {address} [into|in] [the reply|each reply|your reply].",
        "The viewers are our {address}[, say so|; use that word].",
    ),
    heldout=(
        "Hail the audience [as|with] {address}.",
        "The audience [goes by|is known as] {address}.",
        "Refer to onlookers [as|by the term] {address}.",
        "Work the term {address} into the answer.",
    ),
)
"""How viewers are called; the word itself moves in the limits."""

LENGTH_RULES = Pool(
    train=(
        "[At most|No more than|Up to] {reply_words} words.",
        "[Use|Say|Write] [at most|no more than] {reply_words} words.",
        "[Keep|Hold] [the reply|your reply|it] [to|within] {reply_words} words.",
        "[Reply|Answer] in {reply_words} words or [fewer|less].",
        "[Limit|Word limit|Length]: {reply_words} words.",
        "[The reply|A reply|Each reply] has at most {reply_words} words.",
    ),
    heldout=(
        "Do not exceed {reply_words} words.",
        "[Stay inside|Respect] a [budget|ceiling] of {reply_words} words.",
        "{reply_words} words is the [ceiling|cap|maximum].",
    ),
)
"""The word limit; the number itself moves in the limits."""

RULES: Mapping[str, Pool] = MappingProxyType({})
"""Rewrites by the exact rule."""
