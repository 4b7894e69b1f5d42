"""A small harness of our own, so that these tests do not move with the library."""

from __future__ import annotations

import pytest

from livesim.harness.state import (
    HarnessState,
    HookSet,
    HookSpec,
    ParamView,
    PromptBlock,
    PromptPipeline,
    Skill,
    SkillKind,
    ToolView,
)
from livesim.tools.builtin import SPECS
from rewards.signals import Limits

REPLY = SkillKind.REPLY
TYPES = {"integer": "integer", "string": "string"}


def view(name: str) -> ToolView:
    schema = SPECS[name].schema()
    properties = schema["properties"]
    assert isinstance(properties, dict)
    params = tuple(ParamView(key, key, str(value.get("description", ""))) for key, value in properties.items())
    required = tuple(str(key) for key in schema.get("required", []))
    return ToolView(
        name, name, SPECS[name].description, params, tuple(v["type"] for v in properties.values()), required
    )


def skill(skill_id: str, description: str, intents: tuple[str, ...], rule: str) -> Skill:
    body = f"- {rule}\n- Call viewers {{address}}.\n- At most {{reply_words}} words."
    return Skill(skill_id, skill_id, description, REPLY, body, intents)


@pytest.fixture(scope="session")
def small() -> HarnessState:
    """Four reply skills, a strategy, a noise skill, all thirteen tools."""
    skills = (
        skill("price_promo", "price and coupon questions", ("price", "promotion"), "Call {tool:price_check} first."),
        skill("stock_restock", "stock and restocks", ("stock",), "Call {tool:stock_check} with the option asked for."),
        skill("chitchat_persona", "greetings and small talk", ("greeting", "chitchat"), "Be warm, call no tool."),
        skill("house_rule", "gift wrapping", ("attribute",), "Say what {tool:faq_search} states."),
        Skill("recovery", "recovery", "a tool failed", SkillKind.STRATEGY, "- Call it once more.", ("price", "stock")),
        Skill("crew_notes", "crew_notes", "notes for the crew", REPLY, "- Not for viewers."),
    )
    blocks = (
        PromptBlock("role", "Role", "You are the host of a live shopping stream. You have {rounds} turns."),
        PromptBlock("skills", "Skills", "{skills}"),
        PromptBlock("tools", "Tools", "{tools}"),
        PromptBlock("rules", "Rules", "- Load a skill with {tool:load_skill}.\n- Never invent a price.\n- Be short."),
    )
    hooks = (
        HookSpec("reply_length", "Not sent: {words} words, at most {reply_words} are allowed."),
        HookSpec("house_check", "Not sent: never say the price of the item twice."),
    )
    return HarnessState(
        "small",
        skills,
        HookSet(hooks, Limits(reply_words=30, address="friends")),
        PromptPipeline(blocks),
        tuple(view(name) for name in SPECS),
    )
