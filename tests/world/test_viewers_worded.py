"""Comments worded by a model behind an endpoint: choices stay, meaning stays, failures are named."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from livesim.errors import ViewerError
from livesim.world.audience import Guarded, audience
from livesim.world.parametric import ParametricViewers
from livesim.world.viewers import Heard, ItemInfo, RoomInfo, RoomMoment, ViewerComment, ViewerConfig
from livesim.world.viewing.endpoint import SilentError
from livesim.world.viewing.worded import AS_THEY_ARE, MOST_SILENT, WordedConfig, WordedViewers, keeps_meaning, tidy

ITEMS = (
    ItemInfo(2, "linen shirt", "clothing", ("red/M", "red/L"), ("material", "fit"), 186, 90),
    ItemInfo(3, "steel pan", "home", ("red", "blue"), ("material", "width"), warranty=True),
)
ROOM = RoomInfo(ITEMS, 3, 300.0, ("A1000",))
NOW = RoomMoment(0.0, 3, (2, 3))
NUMBERS = ViewerConfig(viewers=20, comments_per_min=60, adversarial_share=0.0, duplicate_share=0.2)


def config(url: str = "http://127.0.0.1:9/v1", **more: Any) -> WordedConfig:
    return WordedConfig(base_url=url, model="m", **more)


def acts(viewers: Any, seed: int = 1) -> list[Any]:
    viewers.reset(seed, ROOM)
    return list(viewers.window(NOW, 60.0))


def test_only_the_words_of_comments_change() -> None:
    plain = acts(ParametricViewers(NUMBERS))
    worded = WordedViewers(config(), NUMBERS, ask=lambda system, text, seed: f"hey {text}")
    new = acts(worded)
    assert len(new) == len(plain)
    for before, after in zip(plain, new, strict=True):
        if isinstance(before, ViewerComment) and before.intent not in AS_THEY_ARE:
            assert after == ViewerComment(
                before.viewer, f"hey {before.text}", before.intent, before.link, before.slots, before.at_s, before.more
            )
        else:
            assert after == before
    assert worded.counts["reworded"] > 10
    assert worded.counts["left as it was"] == 0


def test_duplicates_stay_duplicates_and_are_asked_for_once() -> None:
    calls: list[str] = []

    def ask(system: str, text: str, seed: int) -> str:
        calls.append(text)
        return f"{text} {'x' * len(calls)}"

    new = [a for a in acts(WordedViewers(config(), NUMBERS, ask=ask)) if isinstance(a, ViewerComment)]
    plain = [a for a in acts(ParametricViewers(NUMBERS)) if isinstance(a, ViewerComment)]
    pairs = {}
    for before, after in zip(plain, new, strict=True):
        assert pairs.setdefault((before.viewer, before.text), after.text) == after.text
    assert len(calls) < sum(a.intent not in AS_THEY_ARE for a in plain)


def test_words_that_lose_the_meaning_are_thrown_away_and_counted() -> None:
    plain = acts(ParametricViewers(NUMBERS))
    worded = WordedViewers(config(tries=2), NUMBERS, ask=lambda *_: "how much is link 9?")
    assert acts(worded) == plain
    assert worded.counts["reworded"] == 0
    assert worded.counts["left as it was"] > 10


@pytest.mark.parametrize(
    ("before", "after", "keeps"),
    [
        ("how much is link 2?", "link 2, what's the price", True),
        ("how much is link 2?", "what's the price", False),
        ("how much is link 2?", "link 2 or link 3?", False),
        ("how much is the linen shirt?", "price for that linen shirt pls", True),
        ("how much is the linen shirt?", "price for that shirt pls", False),
        ("how much is this?", "how much for the steel pan", False),
        ("is red/M of link 2 in stock?", "got red in M of link 2?", True),
        ("is red/M of link 2 in stock?", "got blue of link 2?", False),
        ("what's the material of it?", "which material", True),
        ("what's the material of it?", "what's it made of", False),
        ("price of link two?", "link two costs what", True),
        ("price of link two?", "price please", False),
        ("170 cm 60 kg, link 2?", "60kg 170cm, link 2 size", True),
        ("hello", "", False),
        ("hello", "<tool_call>", False),
        ("hello", "h" * 201, False),
    ],
)
def test_meaning_is_kept_by_numbers_titles_options_and_topics(before: str, after: str, keeps: bool) -> None:
    assert keeps_meaning(before, after, {item.link: item for item in ITEMS}) is keeps


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ('"how much?"', "how much?"),
        ("<think>hm\nhm</think>\n\nComment: how much?\nand more", "how much?"),
        ("<think>never ends", ""),
        ("", ""),
    ],
)
def test_only_the_line_itself_is_taken(answer: str, line: str) -> None:
    assert tidy(answer) == line


def completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
    }


class Server:
    """A tiny OpenAI-compatible server on this machine; ``reply`` makes an answer of a request's body."""

    def __init__(self, reply: Callable[[dict[str, Any]], tuple[int, Any]]) -> None:
        self.asked: list[dict[str, Any]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def _send(self, status: int, body: Any) -> None:
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                self._send(200, {"object": "list", "data": [{"id": "first", "object": "model"}]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.asked.append(body)
                with suppress(ConnectionError):  # who asked may have given up long ago
                    self._send(*reply(body))

            def log_message(self, *_: Any) -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}/v1"


@contextmanager
def serving(reply: Callable[[dict[str, Any]], tuple[int, Any]]) -> Iterator[Server]:
    server = Server(reply)
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.http.shutdown()
        server.http.server_close()
        thread.join()


def say(body: dict[str, Any]) -> tuple[int, Any]:
    return 200, completion(f"so, {body['messages'][1]['content']}")


def test_an_endpoint_words_the_comments() -> None:
    with serving(say) as server:
        viewers = WordedViewers(config(server.url, style="You are polite."), NUMBERS)
        said = [a for a in acts(viewers) if isinstance(a, ViewerComment) and a.intent not in AS_THEY_ARE]
        assert said
        assert all(a.text.startswith("so, ") for a in said)
        first = server.asked[0]
        assert first["model"] == "m"
        assert first["messages"][0]["content"].endswith("You are polite.")
        assert first["max_tokens"] == 60
        assert isinstance(first["seed"], int)


def test_a_name_with_a_url_takes_the_first_model() -> None:
    with serving(say) as server:
        viewers = audience(f"llm:{server.url}", NUMBERS)
        assert isinstance(viewers, WordedViewers)
        acts(viewers)
        assert server.asked[0]["model"] == "first"
        acts(audience(f"llm:{server.url}#other", NUMBERS))
        assert server.asked[-1]["model"] == "other"


def test_the_cache_gives_the_same_stream_without_the_server(tmp_path: Path) -> None:
    cache = str(tmp_path / "words" / "cache.jsonl")
    with serving(say) as server:
        first = acts(WordedViewers(config(server.url, cache=cache), NUMBERS))
        asked = len(server.asked)
        again = acts(WordedViewers(config(server.url, cache=cache), NUMBERS))
        assert len(server.asked) == asked
    torn = Path(cache).read_text() + '{"key": "torn'
    Path(cache).write_text(torn)
    gone = acts(WordedViewers(config(server.url, cache=cache), NUMBERS))
    assert first == again == gone


def test_the_cache_knows_the_model_and_not_the_address(tmp_path: Path) -> None:
    cache = str(tmp_path / "cache.jsonl")
    with serving(say) as server:
        first = acts(audience(write_llm(tmp_path, server.url, cache), NUMBERS))
    with serving(say) as other:
        assert acts(audience(write_llm(tmp_path, other.url, cache), NUMBERS)) == first
        assert other.asked == []  # the first model has the same name here
        acts(WordedViewers(config(other.url, cache=cache), NUMBERS))
        assert {body["model"] for body in other.asked} == {"m"}


def write_llm(folder: Path, url: str, cache: str) -> Path:
    path = folder / "llm.yaml"
    path.write_text(json.dumps({"kind": "llm", "base_url": url, "cache": cache}))
    return path


def test_a_comment_without_an_answer_keeps_its_words_and_is_counted() -> None:
    turns = iter(range(1000))

    def some(system: str, text: str, seed: int) -> str:
        if next(turns) % MOST_SILENT:  # never so many in a row
            raise SilentError("busy")
        return f"hey {text}"

    worded = WordedViewers(config(), NUMBERS, ask=some)
    said, plain = acts(worded), acts(ParametricViewers(NUMBERS))
    kept = sum(new.text == old.text for new, old in zip(said, plain, strict=True) if is_reworded(old))
    assert worded.counts["no answer"] > worded.counts["reworded"] > 10
    assert kept >= worded.counts["no answer"]


def test_what_is_not_the_silence_of_a_server_ends_the_stream_at_once() -> None:
    def broken(system: str, text: str, seed: int) -> str:
        raise ViewerError("the cache cannot be written")

    worded = WordedViewers(config(), NUMBERS, ask=broken)
    with pytest.raises(ViewerError, match="cannot be written"):
        acts(worded)
    assert worded.counts == {}


def is_reworded(act: Any) -> bool:
    return isinstance(act, ViewerComment) and act.intent not in AS_THEY_ARE


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (lambda body: (500, {"error": {"message": "out of memory"}}), "InternalServerError"),
        (lambda body: (401, {"error": {"message": "bad key"}}), "AuthenticationError.*bad key"),
        (lambda body: (200, b"<html>"), r"127\.0\.0\.1"),
        (lambda body: (200, {"choices": []}), r"127\.0\.0\.1"),
        (lambda body: time.sleep(3) or (200, completion("late")), r"within 0\.5 s"),
    ],
    ids=["500", "401", "html", "no choices", "late"],
)
def test_an_endpoint_that_fails_ends_the_stream_with_its_address(
    reply: Callable[[dict[str, Any]], tuple[int, Any]], words: str
) -> None:
    pytest.importorskip("openai")  # its import may take longer than the deadline
    with serving(reply) as server:
        guard = Guarded(WordedViewers(config(server.url, deadline_s=0.5), NUMBERS))
        guard.reset(1, ROOM)
        start_s = time.monotonic()
        with pytest.raises(ViewerError, match=words) as caught:
            guard.window(NOW, 60.0)
        assert time.monotonic() - start_s < 8  # three comments without an answer, each half a second
        assert server.url in str(caught.value)


def test_a_server_that_is_not_there_is_named() -> None:
    viewers = WordedViewers(config(deadline_s=3), NUMBERS)
    with pytest.raises(ViewerError, match=r"http://127\.0\.0\.1:9/v1 \(model m\).*APIConnectionError"):
        acts(viewers)


def test_follow_ups_are_worded_too() -> None:
    viewers = WordedViewers(
        config(viewers=NUMBERS.model_copy(update={"follow_up_share": 1.0})), ask=lambda s, t, _: f"{t} !"
    )
    viewers.reset(1, ROOM)
    asked = [a for a in viewers.window(NOW, 20.0) if isinstance(a, ViewerComment)]
    again = viewers.react(Heard("r1", "", tuple(asked), 0.0, 0.0, 19.0, 19.5, 20.0))
    lines = [a.text for a in again if isinstance(a, ViewerComment)]
    assert lines
    assert all(line.endswith("!") for line in lines)


def test_a_preset_may_be_underneath() -> None:
    viewers = WordedViewers(config(viewers="impatient"), NUMBERS, ask=lambda s, t, _: t)
    assert viewers._inner.config.dwell_median_s == 12
