"""Conversations only grow: incremental ids equal the ids of the whole rendered text."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

transformers = pytest.importorskip("transformers")

from livesim.errors import TrainingError  # noqa: E402
from livesim.training.base_model import check_end_token, ensure_base_model  # noqa: E402
from livesim.training.tokens import Conversation, boundary  # noqa: E402

OPENING = [
    {"role": "system", "content": 'You host a live room.\n# Tools\n- price => "price_check" (link: integer)'},
    {"role": "user", "content": "On air: link 3. Items: linen shirt = link 2.\nmia: how much is link 2? 多少钱 🙂"},
]
CALL = '<tool_call>{"name":"price_check","arguments":{"link":2}}</tool_call>'
RESULT = {"role": "tool", "content": '{"live price":"89 yuan"}\nnext line'}
REPLY = "The linen shirt is 89 yuan, friends!"


@pytest.fixture(scope="module")
def model() -> Path:
    return ensure_base_model()


@pytest.fixture(scope="module")
def tokenizer(model: Path):
    return transformers.AutoTokenizer.from_pretrained(model)


def test_end_token_is_two_everywhere(model: Path, tokenizer) -> None:
    check_end_token(model)
    assert tokenizer.eos_token_id == tokenizer.pad_token_id == 2
    assert tokenizer.model_max_length == 8192


def test_incremental_ids_equal_the_ids_of_the_whole_text(tokenizer) -> None:
    talk = Conversation.start(tokenizer, OPENING)
    talk.said(CALL)
    talk.heard([RESULT])
    talk.said(REPLY)
    whole = [*OPENING, {"role": "assistant", "content": CALL}, RESULT, {"role": "assistant", "content": REPLY}]
    text = tokenizer.apply_chat_template(whole, tokenize=False)
    assert tokenizer.encode(text, add_special_tokens=False) == [*talk.ids, *tokenizer.encode("\n")]


def test_masked_tokens_are_exactly_the_assistants(tokenizer) -> None:
    talk = Conversation.start(tokenizer, OPENING)
    talk.said(CALL)
    talk.heard([RESULT])
    talk.said(REPLY)
    spans = [
        tokenizer.decode([i for i, _ in span])
        for trained, span in itertools.groupby(zip(talk.ids, talk.mask, strict=True), key=lambda pair: pair[1])
        if trained
    ]
    assert spans == [CALL + "<|im_end|>", REPLY + "<|im_end|>"]
    assert [tokenizer.decode(talk.ids[a:b]) for a, b in talk.turns] == spans
    answer, mask = talk.answer()
    assert len(answer) == len(mask) == len(talk.ids) - talk.prompt_tokens
    assert sum(mask) == sum(talk.mask)


def test_sampled_ids_stay_as_they_are_and_a_cut_turn_is_closed_by_hand(tokenizer) -> None:
    odd = [*tokenizer.encode("pri"), *tokenizer.encode("ce")]  # not how the tokenizer would write "price"
    assert tokenizer.encode("price") != odd
    talk = Conversation.start(tokenizer, OPENING)
    assert talk.sampled(odd) == "price"
    talk.heard([RESULT])
    a, b = talk.turns[0]
    assert talk.ids[a:b] == odd
    assert talk.ids[b] == 2
    assert talk.mask[b] == 0
    assert tokenizer.decode(talk.ids[b:]).startswith("<|im_end|>\n<|im_start|>tool\n")


def test_boundary_of_a_closed_turn_starts_after_the_end_token(tokenizer) -> None:
    text = boundary(tokenizer, [{"role": "tool", "content": "ok"}], closed=True)
    assert text == "\n<|im_start|>tool\nok<|im_end|>\n<|im_start|>assistant\n"


QWEN_LIKE = (  # groups tool results under "user", and marks an assistant turn as thoughtless while it is the last one
    "{% for m in messages %}{% if m['role'] == 'tool' %}<|im_start|>user\n<tool_response>\n{{ m['content'] }}\n"
    "</tool_response><|im_end|>\n{% elif m['role'] == 'assistant' %}<|im_start|>assistant\n"
    "{% if loop.last %}<think>\n\n</think>\n\n{% endif %}{{ m['content'] }}<|im_end|>\n"
    "{% else %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def test_a_template_of_another_family_gives_its_own_boundary(model: Path) -> None:
    other = transformers.AutoTokenizer.from_pretrained(model)
    other.chat_template = QWEN_LIKE
    text = boundary(other, [{"role": "tool", "content": "ok"}], closed=True)
    assert text == "\n<|im_start|>user\n<tool_response>\nok\n</tool_response><|im_end|>\n<|im_start|>assistant\n"


def test_a_template_that_alters_turns_is_refused(model: Path) -> None:
    other = transformers.AutoTokenizer.from_pretrained(model)
    other.chat_template = "{% for m in messages %}{{ m['content'] | upper }}{% endfor %}"
    with pytest.raises(TrainingError, match="as it is given"):
        boundary(other, [{"role": "tool", "content": "ok"}], closed=True)
