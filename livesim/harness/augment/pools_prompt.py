"""Blocks of the system prompt in other words: texts and headings by block id, heading forms, list marks."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from livesim.harness.augment.grammar import Pool

HEADING_FORMS = Pool(
    train=("# {}", "## {}", "### {}", "{}:", "** {} **", "== {} ==", "-- {} --", "{}", "# {}:", "* {} *"),
    heldout=("~ {} ~", ":: {} ::", "| {} |", "{} >>", "=> {}", "__ {} __"),
)
"""``{}`` is the heading."""

ITEM_MARKS = Pool(train=("- ", "* ", "{n}. ", "{n}) ", "• "), heldout=("+ ", "({n}) ", "> "))
"""What an item of a block begins with; ``{n}`` is its number."""

BLOCK_HEADINGS: Mapping[str, Pool] = MappingProxyType({})
BLOCK_TEXTS: Mapping[str, Pool] = MappingProxyType({})
