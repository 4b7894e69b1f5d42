"""``lint``: what is wrong or doubtful about a harness, with the place and the reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from livesim.errors import unknown
from livesim.harness.augment import problems
from livesim.harness.edits import HISTORY, broken_links, read_edits
from livesim.harness.folder import skill_files
from livesim.harness.prompt import PLACEHOLDER, system_prompt
from livesim.harness.state import HarnessState, SkillKind
from livesim.tools.builtin import LOAD_SKILL
from livesim.types import Intent

PROMPT_CHARS = 3600
"""A longer system prompt is doubtful: about 900 tokens of a small model's tokenizer."""

BODY_CHARS = 1200
DESCRIPTION_CHARS = 120
RULES = 24
"""More rule lines in the system prompt and one skill together are doubtful: they are not all followed."""

ANSWERING: Mapping[Intent, tuple[str, ...]] = MappingProxyType(
    {
        Intent.PRICE: ("price_check", "final_price"),
        Intent.PROMOTION: ("price_check", "promotion_info", "final_price"),
        Intent.SHOW_ITEM: ("push_card",),
        Intent.SIZE: ("size_advice",),
        Intent.ATTRIBUTE: ("faq_search", "product_info"),
        Intent.STOCK: ("stock_check",),
        Intent.SHIPPING: ("shipping_eta",),
        Intent.RETURNS: ("return_policy",),
        Intent.AFTER_SALES: ("hand_off",),
    }
)
"""Intent -> tools of which one must be shown for it to be answered."""

ENFORCED = MappingProxyType({"reply_words": "reply_length", "address": "reply_address"})
"""Limit -> check that enforces it."""


class Level(StrEnum):
    """How bad it is."""

    ERROR = "error"  # an episode would suffer from it
    WARNING = "warning"  # likely not meant
    NOTE = "note"  # worth knowing


@dataclass(frozen=True, slots=True)
class Remark:
    """One finding: how bad, where, what."""

    level: Level
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.level}: {self.where}: {self.text}"


def lint(
    state: HarnessState, folder: Path | None = None, platforms: Collection[str] | None = None
) -> tuple[Remark, ...]:
    """All remarks on a harness, errors first.

    Args:
        state: to look at.
        folder: where it was loaded from; its history and further files are looked at too.
        platforms: those that there are; None: nobody knows.
    """
    found = [Remark(Level.ERROR, "harness", text) for text in problems(state)]
    found += [*_placeholders(state), *_literals(state), *_tools(state), *_intents(state), *_sizes(state), *_nets(state)]
    for platform, _ in state.hooks.exempt:
        if platforms is not None and platform not in platforms:
            found.append(Remark(Level.WARNING, "hooks exempt", unknown("platform", platform, platforms)))
    if folder is not None:
        found += _folder(state, folder)
    return tuple(sorted(found, key=lambda remark: list(Level).index(remark.level)))


def rule_lines(text: str) -> list[str]:
    """The lines of a text that say something: list marks, headings and blank lines left out."""
    lines = (re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", line).strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith(("#", "```"))]


def _texts(state: HarnessState) -> list[tuple[str, str]]:
    texts = [(f"skill {skill.id}", skill.body) for skill in state.skills]
    return texts + [(f"prompt block {block.id}", block.text) for block in state.prompt.blocks]


def _placeholders(state: HarnessState) -> Iterator[Remark]:
    for where, text in _texts(state):
        for match in re.finditer(r"\{[A-Za-z_][\w:.-]*\}", text):
            if PLACEHOLDER.fullmatch(match.group()) is None:
                yield Remark(Level.WARNING, where, f"{match.group()} is no placeholder and is shown as it stands")


def _literals(state: HarnessState) -> Iterator[Remark]:
    """Names and limits that are written out, so that they would not follow a change."""
    names = {view.name: f"{{tool:{view.canonical}}}" for view in state.tools if view.canonical}
    names |= {skill.name: f"{{skill:{skill.id}}}" for skill in state.skills}
    for where, text in _texts(state):
        for name, placeholder in names.items():
            if re.search(rf"(?<![\w{{:.]){re.escape(name)}(?![\w}}])", text) and not _common(name):
                yield Remark(
                    Level.WARNING, where, f"names {name!r} outright; write {placeholder}, which follows a rename"
                )
        for number in re.findall(r"(\d+) words\b", text):
            yield Remark(Level.WARNING, where, f"says {number} words outright; the limit is {{reply_words}}")


def _common(name: str) -> bool:
    """A plain word may stand in any sentence."""
    return re.fullmatch(r"[a-z]+", name) is not None


def _tools(state: HarnessState) -> Iterator[Remark]:
    said = "\n".join(text for _, text in _texts(state))
    for view in state.tools:
        if not view.canonical:
            yield Remark(Level.NOTE, f"tool {view.name}", "is a distractor: it answers nothing in this room")
        elif view.canonical != LOAD_SKILL and f"{{tool:{view.canonical}}}" not in said:
            yield Remark(Level.WARNING, f"tool {view.name}", "no skill and no prompt block speaks of it")


def _intents(state: HarnessState) -> Iterator[Remark]:
    for intent in Intent:
        skills = state.skills_for(intent)
        if not skills:
            yield Remark(Level.WARNING, f"intent {intent}", "no reply skill serves it")
            continue
        if len(skills) > 1:
            yield Remark(Level.NOTE, f"intent {intent}", f"served by {len(skills)} reply skills: {', '.join(skills)}")
        tools = ANSWERING.get(intent, ())
        if tools and not any(state.view(tool) for tool in tools):
            yield Remark(Level.WARNING, f"intent {intent}", f"no tool answers it; one of: {', '.join(tools)}")
    for skill in state.skills:
        if not skill.intents:
            text = "serves no intent: say which under metadata.intents, or it only distracts"
            yield Remark(Level.WARNING, f"skill {skill.id}", text)


def _sizes(state: HarnessState) -> Iterator[Remark]:
    prompt = system_prompt(state)
    if len(prompt) > PROMPT_CHARS:
        text = f"the system prompt has {len(prompt)} characters, over {PROMPT_CHARS}; it is read in every request"
        yield Remark(Level.WARNING, "prompt", text)
    common = sum(len(rule_lines(block.text)) for block in state.prompt.blocks if "{" not in block.text.strip()[:1])
    for skill in state.skills:
        if len(skill.description) > DESCRIPTION_CHARS:
            text = f"the description has {len(skill.description)} characters, over {DESCRIPTION_CHARS}; all are listed"
            yield Remark(Level.WARNING, f"skill {skill.id}", text)
        if len(skill.body) > BODY_CHARS:
            text = f"the body has {len(skill.body)} characters, over {BODY_CHARS}"
            yield Remark(Level.WARNING, f"skill {skill.id}", text)
        if (lines := common + len(rule_lines(skill.body))) > RULES:
            text = f"with the prompt it makes {lines} rules, over {RULES}; more rules are not better"
            yield Remark(Level.WARNING, f"skill {skill.id}", text)


def _nets(state: HarnessState) -> Iterator[Remark]:
    running = {hook.check for hook in state.hooks.hooks}
    for limit, check in ENFORCED.items():
        if getattr(state.limits, limit) and check not in running:
            yield Remark(Level.NOTE, f"limit {limit}", f"is asked for and judged, but no hook {check!r} enforces it")
    if not any(skill.kind is SkillKind.REPLY for skill in state.skills):
        yield Remark(Level.NOTE, "skills", "there is no reply skill, so none is asked for before a reply")


def _folder(state: HarnessState, folder: Path) -> Iterator[Remark]:
    for skill, files in skill_files(folder).items():
        if files:
            text = f"{len(files)} further files lie there ({', '.join(files[:3])}); the host sees and runs none of them"
            yield Remark(Level.NOTE, f"skill {skill}", text)
    for text in broken_links(read_edits(folder / HISTORY), state):
        yield Remark(Level.WARNING, HISTORY, text)
