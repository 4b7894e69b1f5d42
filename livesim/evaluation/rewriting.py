"""``rewrite``: a model rewords the texts of a harness; what keeps the task by proof goes into a ``RewriteBook``."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import yaml

from livesim import roster
from livesim.config import load_yaml, parse
from livesim.env import LiveStreamEnv
from livesim.evaluation.proof import prove
from livesim.harness.augment import HSAConfig, Split, augment, problems
from livesim.harness.augment.assertive import assertive
from livesim.harness.augment.grammar import Pool
from livesim.harness.augment.pools_skills import SKILL_PHRASES
from livesim.harness.augment.pools_tools import TOOL_PHRASES
from livesim.harness.augment.rewrites import RewriteBook, Rewrites, texts_of, with_text
from livesim.harness.augment.rules import known
from livesim.harness.state import HarnessState, content_hash
from livesim.seeding import stream
from livesim.tools.toolbox import Toolbox
from livesim.types import Completer
from livesim.whole import write_whole

INSTRUCTIONS = """\
You reword texts of the harness of a live-shopping host. Say exactly the same in other words: ask for nothing more,
nothing less, no more insistently. Keep every word in braces, such as {tool:price_check}, every number and every name in
double quotes as it is, and the same number of lines. Be no longer. Answer with a JSON list of different texts only."""

_BRACES = re.compile(r"\{[^{}\n]*\}")
_NUMBERS = re.compile(r"\d+")
_GROWN = 1.5
_ROOM = 24  # characters that a short text may gain all the same

Prove = Callable[[HarnessState], str]
"""Why a variant does not keep the task; empty when it does."""


def rewrite(
    state: HarnessState,
    completer: Completer,
    book: RewriteBook,
    split: Split,
    proof: Prove,
    *,
    per: int = 3,
    tell: Callable[[str], None] = lambda line: None,
) -> RewriteBook:
    """A book with rewrites for every text of ``state``.

    Texts that the book has rewrites of in this split are not asked for again: the book is the cache.

    Args:
        state: the harness.
        completer: continues a conversation.
        book: what there was.
        split: TRAIN or HELDOUT, whose variants may use the new texts; one that the other has is rejected.
        proof: decides on the variant that differs in this text only.
        per: rewrites asked for, for each text.
        tell: gets a line for every text.

    Raises:
        CompletionError: the endpoint gave no answer.
    """
    entries = dict(book.splits.get(split, {}))
    rejected = Counter(book.rejected.get(split, {}))
    other = Split.TRAIN_WIDE if split is Split.HELDOUT else Split.HELDOUT
    barred = book.texts(other)
    for path, text in texts_of(state).items():
        if not text.strip() or (path in entries and entries[path].of == content_hash(text)):
            continue
        good: list[str] = []
        offers = _offers(completer, text, per)
        for offer in offers:
            reason = _unlike(text, offer, path, other, barred) or _unfit(with_text(state, path, offer), state, proof)
            if reason or offer in good:
                rejected[reason or "twice the same"] += 1
            else:
                good.append(offer)
        if not offers:
            rejected["no JSON list of texts"] += 1
        if good:
            entries[path] = Rewrites(of=content_hash(text), texts=tuple(good))
        tell(f"{path}: {len(good)} of {len(offers)} kept")
    return RewriteBook(
        model=completer.name,
        splits={**book.splits, split: entries},
        rejected={**book.rejected, split: dict(sorted(rejected.items()))},
    )


def oracle_proof(
    state: HarnessState, seeds: Sequence[int], scenario: str | None = None, toolbox: Toolbox | None = None
) -> Prove:
    """The proof by replay: the oracle's calls resolve and no head moves over these seeds. ``toolbox`` as in the env."""

    def proof(variant: HarnessState) -> str:
        return prove(
            lambda: LiveStreamEnv(scenario, toolbox=toolbox), roster.agent("oracle"), state, variant, seeds
        ).reason

    return proof


def proof_counts(
    state: HarnessState, config: HSAConfig, variants: int, proof_of: Callable[[int], Prove]
) -> Counter[str]:
    """What became of so many draws of a variant: proved, original, refused drafts by reason, rejected by reason.

    Args:
        state: the harness.
        config: of the augmentation.
        variants: how many are drawn, from seeds 0, 1, 2 ...
        proof_of: the proof for a seed.
    """
    counts: Counter[str] = Counter()
    for seed in range(variants):
        variant = augment(state, config, stream(seed, "harness"))
        found = variant.count()
        if reason := proof_of(seed)(variant.state):
            del found["original" if variant.original else "proved"]
            found[f"rejected: {_named(reason)}"] = 1
        counts += found
    return counts


def _named(reason: str) -> str:
    """A reason without what differs from case to case."""
    return re.sub(r"'[^']*'|\d+(?:\.\d+)?", "_", reason)[:100]


def load_book(path: Path) -> RewriteBook:
    """The book of a file; an empty one when there is no file. Raises ConfigError when it can't be used."""
    return parse(RewriteBook, load_yaml(path), str(path)) if path.exists() else RewriteBook()


def save_book(book: RewriteBook, path: Path) -> None:
    """Write a book as YAML that a person can read and strike lines from."""
    write_whole(path, yaml.safe_dump(book.model_dump(mode="json"), sort_keys=False, allow_unicode=True, width=120))


def _offers(completer: Completer, text: str, per: int) -> list[str]:
    conversation: list[Mapping[str, str]] = [
        {"role": "system", "content": INSTRUCTIONS},
        {"role": "user", "content": f"{per} rewordings of:\n{text}"},
    ]
    answer = completer.complete([conversation])[0]
    decoder = json.JSONDecoder(strict=False)
    for at in [at for at, char in enumerate(answer) if char == "["][:40]:
        try:
            found, _ = decoder.raw_decode(answer, at)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, list) and found and all(isinstance(offer, str) for offer in found):
            return [offer.strip() for offer in found][:per]
    return []


def _unlike(text: str, offer: str, path: str, other: Split, barred: frozenset[str]) -> str:
    """Why an offer can't ask for the same, by its words alone; empty when it may."""
    if not offer or offer.lower() == text.strip().lower():
        return "empty or unchanged"
    if Counter(_BRACES.findall(offer)) != Counter(_BRACES.findall(text)):
        return "other placeholders"
    if Counter(_NUMBERS.findall(offer)) != Counter(_NUMBERS.findall(text)):
        return "other numbers"
    if len(offer.splitlines()) != len(text.strip().splitlines()):
        return "another number of lines"
    if len(offer) > _GROWN * len(text) + _ROOM:
        return "too long"
    if assertive(offer) > assertive(text):
        return "more assertive"
    lines = {line.strip("-*• ").lower() for line in (offer, *offer.splitlines())}
    if offer.lower() in barred or any(line in _pool_texts(text, path, other) for line in lines):
        return f"a text of the {other.half} split"
    return ""


def _pool_texts(text: str, path: str, split: Split) -> frozenset[str]:
    """What the built-in pools of a split say in place of a text."""
    name = path.split(".")[1]
    pools: list[Pool | None] = [SKILL_PHRASES.get(name), TOOL_PHRASES.get(name)]
    pools += [known(line.strip("-*• ")) for line in text.splitlines()]
    return frozenset(one.lower() for pool in pools if pool is not None for one in pool.texts(split))


def _unfit(variant: HarnessState, state: HarnessState, proof: Prove) -> str:
    wrong = sorted(set(problems(variant, state)) - set(problems(state)))
    if wrong:
        return f"unfit: {wrong[0]}"
    reason = proof(variant)
    return f"changes the task: {re.sub(r'seed [0-9]+: (?:request [^:]+: )?', '', reason)[:80]}" if reason else ""
