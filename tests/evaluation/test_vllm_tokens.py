"""The in-process engine is asked with the tokens that training built: sampled ids go back as they were."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agents import vllm_completer
from agents.vllm_completer import VLLMCompleter
from livesim.errors import CompletionError, ConfigError
from livesim.training.tokens import Conversation

END, END_TEXT = 2, "<|im_end|>"


class CharTokenizer:
    """One id a character; the end token is id 2. ``~`` has two ids, so text does not tell which was sampled."""

    eos_token_id = END

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        ids: list[int] = []
        for i, part in enumerate(text.split(END_TEXT)):
            ids += [END] * (i > 0) + [ord(c) + 10 for c in part]
        return ids

    def decode(self, token_ids: Sequence[int], *, skip_special_tokens: bool) -> str:
        return "".join(END_TEXT if i == END else "~" if i == 3 else chr(i - 10) for i in token_ids)

    def apply_chat_template(
        self, conversation: Sequence[Mapping[str, str]], *, tokenize: bool, add_generation_prompt: bool
    ) -> str:
        text = "".join(f"<{m['role']}>{m['content']}{END_TEXT}\n" for m in conversation)
        return text + ("<assistant>" if add_generation_prompt else "")


class Engine:
    """Answers with given ids, the youngest request first; remembers what it was asked."""

    def __init__(self, answers: list[list[int]]) -> None:
        self.answers = answers
        self.asked: list[list[int]] = []
        self.llm_engine = self
        self._open: list[tuple[str, list[int]]] = []

    def get_tokenizer(self) -> CharTokenizer:
        return CharTokenizer()

    def add_request(self, request_id: str, prompt: Mapping[str, Any], params: Any) -> None:
        self.asked.append(list(prompt["prompt_token_ids"]))
        self._open.append((request_id, self.answers.pop(0)))

    def step(self) -> list[Any]:
        request_id, ids = self._open.pop()
        return [SimpleNamespace(request_id=request_id, finished=True, outputs=[SimpleNamespace(token_ids=ids)])]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes a completer over a fake engine."""
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "vllm", SimpleNamespace(SamplingParams=lambda **given: given))
    kinds = SimpleNamespace(RequestOutputKind=SimpleNamespace(FINAL_ONLY=2))
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", kinds)

    def make(answers: list[list[int]], **given: Any) -> tuple[VLLMCompleter, Engine]:
        engine = Engine(answers)
        monkeypatch.setattr(vllm_completer, "_engine", lambda *rest: engine)
        return VLLMCompleter(tmp_path, **given), engine

    return make


OPENING = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]


def ids(text: str) -> list[int]:
    return CharTokenizer().encode(text, add_special_tokens=False)


def test_a_sampled_turn_goes_back_as_the_very_ids(build: Any) -> None:
    sampled = [*ids("a"), 3, END]  # "a~": encoding the text would give another id for the tilde
    completer, engine = build([sampled, [*ids("done"), END]])
    assert completer.complete([OPENING]) == ["a~"]
    told = [{"role": "assistant", "content": "a~"}, {"role": "tool", "content": "t"}]
    assert completer.complete([[*OPENING, *told]]) == ["done"]
    want = Conversation.start(CharTokenizer(), OPENING)
    assert engine.asked[0] == want.ids
    want.sampled(sampled)
    want.heard(told[1:])
    assert engine.asked[1] == want.ids
    assert 3 in engine.asked[1]


def test_a_turn_that_was_cut_is_closed_by_the_boundary(build: Any) -> None:
    completer, engine = build([ids("cut"), [END]])
    completer.complete([OPENING])
    completer.complete([[*OPENING, {"role": "assistant", "content": "cut"}, {"role": "tool", "content": "t"}]])
    assert (
        CharTokenizer()
        .decode(engine.asked[1], skip_special_tokens=False)
        .endswith(f"<assistant>cut{END_TEXT}\n<tool>t{END_TEXT}\n<assistant>")
    )


def test_a_conversation_never_seen_is_built_from_its_text(build: Any) -> None:
    completer, engine = build([[END]])
    completer.complete([[*OPENING, {"role": "assistant", "content": "x"}, {"role": "tool", "content": "t"}]])
    want = Conversation.start(CharTokenizer(), OPENING)
    want.said("x")
    want.heard([{"role": "tool", "content": "t"}])
    assert engine.asked == [want.ids]


def test_one_batch_keeps_its_order_and_a_full_context_gets_the_empty_turn(build: Any) -> None:
    long = [OPENING[0], {"role": "user", "content": "u" * 300}]
    completer, engine = build([[*ids("one"), END], [*ids("two"), END]], context_tokens=200, max_tokens=50)
    assert completer.complete([OPENING, long, OPENING]) == ["one", "", "two"]
    assert len(engine.asked) == 2


def test_an_engine_that_dies_is_a_completion_error_and_what_it_was_at_comes_back_to_nobody(build: Any) -> None:
    completer, engine = build([[*ids("lost"), END], [*ids("again"), END]])
    engine.step = lambda: [][0]
    with pytest.raises(CompletionError, match="IndexError"):
        completer.complete([OPENING])
    del engine.step
    ticket = completer.submit(OPENING)
    engine._open.reverse()  # the lost one ends first
    assert completer.collect() == {ticket: "again"}


def test_an_engine_that_refuses_a_prompt_is_a_completion_error_too(build: Any) -> None:
    completer, _ = build([[*ids("again"), END]])
    refused = completer.submit(OPENING)
    asked, completer._engine.answers = completer._engine.answers, []
    with pytest.raises(CompletionError, match="pop from empty list"):
        completer.collect()
    completer._engine.answers = asked
    later = completer.submit(OPENING)
    assert refused != later
    assert completer.collect() == {later: "again"}


def test_turns_come_back_by_ticket_and_others_may_be_taken_up_meanwhile(build: Any) -> None:
    completer, _ = build([[*ids(text), END] for text in ("one", "two", "three")])
    one, two = completer.submit(OPENING), completer.submit(OPENING)
    assert completer.collect() == {two: "two"}
    three = completer.submit(OPENING)
    assert completer.collect() == {three: "three"}
    assert completer.collect() == {one: "one"}
    assert completer.collect() == {}


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no config\.json"):
        VLLMCompleter(tmp_path)
