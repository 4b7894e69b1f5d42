"""Arguments: lenient where the meaning is beyond doubt, strict elsewhere, and every refusal says what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from livesim.tools.arguments import normalise
from livesim.tools.builtin import SPECS
from livesim.tools.spec import Effect
from livesim.types import JsonValue

NAMES = [
    "load_skill",
    "product_info",
    "price_check",
    "final_price",
    "promotion_info",
    "stock_check",
    "size_advice",
    "shipping_eta",
    "return_policy",
    "faq_search",
    "order_lookup",
    "push_card",
    "hand_off",
]


def test_there_are_thirteen_tools_and_two_write() -> None:
    assert list(SPECS) == NAMES
    assert [name for name, spec in SPECS.items() if spec.effect is Effect.WRITE] == ["push_card", "hand_off"]


def test_schemas_are_plain_json_types() -> None:
    for spec in SPECS.values():
        schema = spec.schema()
        assert schema["additionalProperties"] is False
        properties = schema["properties"]
        assert isinstance(properties, dict)
        for parameter in properties.values():
            assert isinstance(parameter, dict)
            assert parameter["type"] in ("integer", "string")
            assert parameter["description"]


@pytest.mark.parametrize("value", [2, "2", " 2 ", 2.0])
def test_a_link_may_be_quoted(value: JsonValue) -> None:
    assert normalise(SPECS["price_check"], {"link": value}) == ({"link": 2}, "")


def test_an_order_number_may_be_bare() -> None:
    assert normalise(SPECS["order_lookup"], {"order": 17}) == ({"order": "17"}, "")


def test_null_means_not_given_for_optional_arguments_only() -> None:
    assert normalise(SPECS["stock_check"], {"link": 2, "option": None}) == ({"link": 2}, "")
    assert "'link'" in normalise(SPECS["stock_check"], {"link": None})[1]


def test_what_was_not_given_is_not_filled_in() -> None:
    assert normalise(SPECS["final_price"], {"link": 2}) == ({"link": 2}, "")
    assert normalise(SPECS["final_price"], {"link": 2, "quantity": "3"}) == ({"link": 2, "quantity": 3}, "")


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("price_check", {}, ["parameter 'link' is missing", "link number of the item"]),
        ("price_check", {"lnk": 2}, ["unknown parameter 'lnk'", "allowed: link", "did you mean 'link'?"]),
        ("price_check", {"link": 2, "quantity": 1}, ["unknown parameter 'quantity'"]),
        ("price_check", {"link": True}, ["parameter 'link' must be a whole number", "True"]),
        ("price_check", {"link": 2.5}, ["parameter 'link' should be a valid integer", "2.5"]),
        ("price_check", {"link": "two"}, ["parameter 'link' should be a valid integer", "'two'"]),
        ("price_check", {"link": [2]}, ["parameter 'link'", "a list"]),
        ("price_check", {"link": {"a": 1}}, ["parameter 'link'", "an object"]),
        ("price_check", {"link": 0}, ["greater than or equal to 1"]),
        ("price_check", {"link": 10**5000}, ["parameter 'link'", "a very large number"]),
        ("size_advice", {"link": 1, "height_cm": 1700, "weight_kg": 60}, ["'height_cm'", "250"]),
        ("final_price", {"link": 1, "quantity": 100}, ["'quantity'", "99", "100"]),
        ("faq_search", {"link": 1, "topic": ""}, ["'topic'", "at least 1"]),
        ("order_lookup", {"order": 10**5000}, ["'order'", "a very large number"]),
    ],
)
def test_a_refusal_names_the_parameter_and_what_is_allowed(
    tool: str, arguments: dict[str, JsonValue], words: list[str]
) -> None:
    values, problem = normalise(SPECS[tool], arguments)
    assert values == {}
    for word in words:
        assert word in problem


def test_a_refusal_speaks_in_the_shown_names() -> None:
    shown = {"link": "item_no"}
    assert "parameter 'item_no' is missing" in normalise(SPECS["price_check"], {}, shown)[1]
    assert "did you mean 'item_no'?" in normalise(SPECS["price_check"], {"item_n": 2}, shown)[1]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=300)
@given(
    st.sampled_from(NAMES),
    st.dictionaries(
        st.sampled_from(["link", "option", "topic", "order", "quantity", "height_cm", "reason"]) | st.text(), anything
    ),
)
def test_nothing_a_model_writes_raises(tool: str, arguments: dict[str, JsonValue]) -> None:
    values, problem = normalise(SPECS[tool], arguments)
    assert bool(problem) != (set(values) <= set(arguments) and not problem)
    for name, value in values.items():
        assert type(value) in (int, str)
        assert name in SPECS[tool].arguments.model_fields
    if not problem:
        assert normalise(SPECS[tool], dict(values)) == (values, "")
