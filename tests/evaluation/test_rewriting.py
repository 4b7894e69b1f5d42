"""Rewrites by a model behind an endpoint: what is kept, what is rejected for which reason, and what a variant uses."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.config import parse
from livesim.errors import ConfigError
from livesim.evaluation.rewriting import load_book, proof_counts, rewrite, save_book
from livesim.harness import shelf
from livesim.harness.augment import Dimension, HSAConfig, Split, augment
from livesim.harness.augment.rewrites import RewriteBook, Rewrites, read_book, texts_of
from livesim.harness.state import HarnessState, content_hash
from livesim.seeding import stream

COMPACT = shelf.load("compact")
ASKED: list[str] = []


class Endpoint(BaseHTTPRequestHandler):
    """Answers with one fair rewrite and several that are not."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"].partition(":\n")[2]
        ASKED.append(text)
        offers = [
            f"{text} (that is it)",
            f"{text} Always.",
            f"{text} 7 times",
            f"{text} {{tool:price_check}}",
            f"{text}\nand more",
            text.upper() if text.islower() else text,
            COMPACT.skills[0].description if text == COMPACT.skills[1].description else text,
            f"{text} {'so to say ' * 60}",
        ]
        answer = json.dumps(offers) if "material" not in text else "Sure! Here you go."
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"Ok: {answer}"}}
        data = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1#echo"
    server.shutdown()
    thread.join()
    server.server_close()


class Says:
    """A completer that offers the same list for every text."""

    name = "says"

    def __init__(self, *offers: str) -> None:
        self.offers = offers

    def complete(self, conversations: object, *, seed: int | None = None) -> list[str]:
        return [json.dumps(self.offers)]


def one(path: str, state: HarnessState, *texts: str, split: Split = Split.TRAIN) -> RewriteBook:
    entry = Rewrites(of=content_hash(texts_of(state)[path]), texts=texts)
    return RewriteBook(splits={split: {path: entry}})


def command(address: str, out: Path, split: str) -> str:
    words = ["harness", "rewrite", "compact", "--endpoint", address, "--out", str(out), "--split", split]
    result = CliRunner().invoke(app, [*words, "--per", "8", "--seeds", "1"])
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.output


def test_the_command_keeps_what_is_proved_and_counts_the_rest(address: str, tmp_path: Path) -> None:
    out = tmp_path / "book.yaml"
    said = command(address, out, "train")
    book = load_book(out)
    texts = texts_of(COMPACT)
    assert len(book.texts(Split.TRAIN)) >= 0.5 * len(texts)
    assert all(entry.of == content_hash(texts[path]) for path, entry in book.splits[Split.TRAIN].items())
    assert all("(that is it)" in text for text in book.texts(Split.TRAIN))
    counts = book.rejected[Split.TRAIN]
    assert any(reason.startswith("unfit: two skills have the description") for reason in counts)
    for reason in ("empty or unchanged", "more assertive", "other numbers", "another number of lines", "too long"):
        assert counts[reason] > 0, reason
        assert f"rejected: {reason}" in said
    assert counts["other placeholders"] == len([t for t in ASKED if "material" not in t])

    asked = len(ASKED)
    assert command(address, out, "train")
    again = len(ASKED) - asked
    assert again == len(texts) - len(book.splits[Split.TRAIN])  # the book is the cache

    assert "a text of the train split" in command(address, out, "heldout")  # the model said the same again
    both = load_book(out)
    assert both.texts(Split.HELDOUT) == frozenset()
    assert both.splits[Split.TRAIN] == book.splits[Split.TRAIN]


def test_a_rewrite_that_fails_the_proof_is_rejected_with_its_reason() -> None:
    book = rewrite(COMPACT, Says("x {reply_words}"), RewriteBook(), Split.TRAIN, lambda _: "seed 3: a call was lost")
    assert not book.texts(Split.TRAIN)
    assert book.rejected[Split.TRAIN]["other placeholders"] >= 20
    wordy = rewrite(COMPACT, Says("one purpose"), RewriteBook(), Split.TRAIN, lambda _: "seed 3: a call was lost")
    assert wordy.rejected[Split.TRAIN]["changes the task: a call was lost"] >= 6


def test_a_text_of_the_other_splits_pools_is_rejected() -> None:
    book = rewrite(COMPACT, Says("track a past purchase"), RewriteBook(), Split.TRAIN, lambda _: "")
    assert "track a past purchase" in book.texts(Split.TRAIN)  # nobody's phrase for these texts
    default = shelf.load("default")
    book = rewrite(default, Says("track a past purchase"), RewriteBook(), Split.TRAIN, lambda _: "")
    assert book.rejected[Split.TRAIN]["a text of the heldout split"] == 1


def test_a_variant_uses_the_rewrites_of_its_own_split_only(tmp_path: Path) -> None:
    path = "tools.price_check.description"
    train = one(path, COMPACT, "what it costs, said by a model")
    both = RewriteBook(splits={**train.splits, **one(path, COMPACT, "a model's sum", split=Split.HELDOUT).splits})
    file = tmp_path / "book.yaml"
    save_book(both, file)
    for split, text in ((Split.TRAIN, "what it costs, said by a model"), (Split.HELDOUT, "a model's sum")):
        config = HSAConfig(
            split=split, dimensions={Dimension.TOOL_DEFINITION: 1.0}, rewrites=str(file), rewrite_share=1.0
        )
        seen = {augment(COMPACT, config, stream(seed)).state.view("price_check").description for seed in range(8)}
        assert seen == {text}
    plain = config.model_copy(update={"rewrites": ""})
    assert augment(COMPACT, plain, stream(1)).state.view("price_check").description != "a model's sum"


def test_a_text_in_both_splits_and_a_book_for_another_harness_are_refused(tmp_path: Path) -> None:
    path = "tools.price_check.description"
    data = one(path, COMPACT, "the same").model_dump(mode="json")
    data["splits"]["heldout"] = {path: {"of": "x", "texts": ["The Same"]}}
    with pytest.raises(ConfigError, match="stand in both splits"):
        parse(RewriteBook, data, "book")
    with pytest.raises(ConfigError, match="rewrites belong to train or heldout, not to train_wide"):
        parse(RewriteBook, {"splits": {"train_wide": {path: {"of": "x", "texts": ["a"]}}}}, "book")
    file = tmp_path / "book.yaml"
    save_book(one(path, COMPACT, "the same"), file)
    assert read_book(str(file)).fitting(COMPACT, Split.TRAIN_WIDE) == read_book(str(file)).fitting(COMPACT, Split.TRAIN)
    config = HSAConfig(split=Split.HELDOUT, dimensions={Dimension.TOOL_DEFINITION: 1.0}, rewrites=str(file))
    with pytest.raises(ConfigError, match="no heldout rewrites for the harness 'compact'"):
        augment(COMPACT, config, stream(0))


def test_the_command_proves_variants_and_counts_refused_drafts() -> None:
    result = CliRunner().invoke(
        app, ["harness", "prove", "compact", "--preset", "train:tool_definition", "--variants", "3"]
    )
    assert result.exit_code == 0, result.output
    assert "    3  proved" in result.output


def test_a_variant_that_fails_its_proof_is_counted_with_the_reason() -> None:
    config = HSAConfig(dimensions={Dimension.HOOK: 1.0})
    counts = proof_counts(COMPACT, config, 2, lambda seed: lambda state: f"seed {seed}: a head moved")
    assert counts == {"rejected: seed _: a head moved": 2}
