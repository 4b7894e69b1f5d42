"""Tool schemas: read as they are listed, whatever else stands there."""

from __future__ import annotations

import pytest

from agents.floors import CallEverythingAgent, EchoAgent
from agents.novice import NoviceAgent
from agents.random import RandomAgent
from agents.toolschemas import ToolSchema, read_schemas
from livesim.harness import shelf
from livesim.harness.prompt import openai_tools
from livesim.types import Agent, JsonValue


def test_names_kinds_and_required_parameters_are_read_in_order() -> None:
    found = {schema.name: schema for schema in read_schemas(openai_tools(shelf.load("default")))}
    assert list(found) == [view.name for view in shelf.load("default").tools]
    assert found["final_price"].kinds == {"link": "integer", "quantity": "integer"}
    assert found["final_price"].required == ("link",)
    assert [name for name, schema in found.items() if schema.loads_skills] == ["load_skill"]


ODD: dict[str, dict[str, JsonValue]] = {
    "empty": {},
    "no function": {"type": "function", "function": "price_check"},
    "no name": {"function": {}},
    "parameters": {"function": {"name": "a", "parameters": []}},
    "properties": {"function": {"name": "a", "parameters": {"properties": None, "required": "link"}}},
    "property": {"function": {"name": "a", "parameters": {"properties": {"link": "integer"}}}},
    "skill": {"function": {"name": "skill"}},
}


@pytest.mark.parametrize("tool", ODD.values(), ids=ODD)
@pytest.mark.parametrize("agent", [RandomAgent(), EchoAgent(), CallEverythingAgent(), NoviceAgent()])
def test_odd_tools_make_no_agent_fall(tool: dict[str, JsonValue], agent: Agent) -> None:
    messages = [{"role": "system", "content": '- a => "b"'}, {"role": "user", "content": "mia: the skill?"}]
    for seed in range(10):
        agent.reset(seed)
        agent.act(messages, [tool])


def test_what_is_not_said_is_text_and_optional() -> None:
    assert read_schemas([ODD["property"]]) == [ToolSchema("a", "", {"link": "string"}, ())]
    assert read_schemas([ODD["empty"], ODD["no function"]]) == []
