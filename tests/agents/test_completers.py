"""Completers: the script, and an endpoint that answers, fails, or is not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from agents.completers import OpenAICompleter, ScriptedCompleter, split_address
from agents.react import ReactAgent
from livesim.env import LiveStreamEnv
from livesim.errors import CompletionError, ConfigError
from livesim.rollout import play


class Endpoint(BaseHTTPRequestHandler):
    """A tiny OpenAI-compatible server; answers with the number of messages it got, or as the test wants."""

    seen: list[dict[str, Any]]
    broken = False
    strict = False  # takes the role "tool" only with the id of a call
    page: tuple[str, bytes] | None = None  # type and bytes, sent in place of every answer

    def do_GET(self) -> None:
        if self.page is not None:
            self._send_bytes(200, *self.page)
            return
        self._send(200, {"object": "list", "data": [{"id": "tiny", "object": "model", "created": 0, "owned_by": "x"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append(body)
        if type(self).broken:
            told = f"out of order, {self.headers['Authorization']}"
            self._send(500, {"error": {"message": told}})
            return
        if type(self).strict and any(m["role"] == "tool" and "tool_call_id" not in m for m in body["messages"]):
            self._send(400, {"error": {"message": "messages[3].tool_call_id is missing"}})
            return
        if self.page is not None:
            self._send_bytes(200, *self.page)
            return
        message = {"role": "assistant", "content": f"{len(body['messages'])} messages"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self._send(200, {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny", "choices": [choice]})

    def _send(self, status: int, body: dict[str, Any]) -> None:
        self._send_bytes(status, "application/json", json.dumps(body).encode())

    def _send_bytes(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    Endpoint.seen, Endpoint.broken, Endpoint.strict, Endpoint.page = [], False, False, None
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_endpoint_continues_conversations_in_order(endpoint: str) -> None:
    completer = OpenAICompleter(endpoint, temperature=0.5, max_tokens=9, stop=["<end>"])
    one = [{"role": "user", "content": "a"}]
    assert completer.complete([one, one * 3], seed=4) == ["1 messages", "3 messages"]
    assert completer.model == "tiny"
    first = Endpoint.seen[0]
    assert (first["temperature"], first["max_tokens"], first["seed"], first["stop"]) == (0.5, 9, 4, ["<end>"])


def test_a_failing_endpoint_is_an_infrastructure_error(endpoint: str) -> None:
    Endpoint.broken = True
    completer = OpenAICompleter(endpoint, "tiny", retries=0)
    with pytest.raises(CompletionError, match="out of order"):
        completer.complete([[{"role": "user", "content": "a"}]])


def test_a_missing_endpoint_is_an_infrastructure_error() -> None:
    completer = OpenAICompleter("http://127.0.0.1:9/v1", "tiny", retries=0, timeout_s=2)
    with pytest.raises(CompletionError, match=r"127\.0\.0\.1:9"):
        completer.complete([[{"role": "user", "content": "a"}]])


PAGES = {
    "a page": ("text/html", b"<html>It works!</html>"),
    "no JSON": ("application/json", b"{"),
    "a list": ("application/json", b"[]"),
    "a word": ("application/json", b'"hello"'),
    "no choice": ("application/json", b'{"choices":[]}'),
    "no message": ("application/json", b'{"choices":[{"index":0}]}'),
    "parts": ("application/json", b'{"choices":[{"message":{"content":[{"type":"text"}]}}]}'),
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("model", ["", "tiny"])
def test_an_answer_that_is_no_completion_is_an_infrastructure_error(
    endpoint: str, page: tuple[str, bytes], model: str
) -> None:
    Endpoint.page = page
    with pytest.raises(CompletionError, match=r"127\.0\.0\.1"):
        OpenAICompleter(endpoint, model, retries=0).complete([[{"role": "user", "content": "a"}]])


def test_a_half_of_a_character_in_a_completion_can_be_sent_back(endpoint: str) -> None:
    Endpoint.page = ("application/json", b'{"choices":[{"message":{"content":"89 yuan \\ud83d"}}]}')
    assert OpenAICompleter(endpoint, "tiny").complete([[{"role": "user", "content": "a"}]]) == ["89 yuan ?"]


def test_a_strict_server_is_told_what_tools_answered_in_the_role_of_the_user(endpoint: str) -> None:
    Endpoint.strict = True
    talk = [{"role": role, "content": role} for role in ("system", "user", "assistant", "tool")]
    completer = OpenAICompleter(endpoint, "tiny")
    assert completer.complete([talk[:2], talk, talk]) == ["2 messages", "4 messages", "4 messages"]
    assert [[m["role"] for m in body["messages"]][3:] for body in Endpoint.seen] == [[], ["tool"], ["user"], ["user"]]
    assert [m["content"] for m in Endpoint.seen[-1]["messages"]] == [m["content"] for m in talk]


def test_the_role_tool_stays_where_it_is_taken(endpoint: str) -> None:
    talk = [{"role": role, "content": role} for role in ("user", "assistant", "tool")]
    OpenAICompleter(endpoint, "tiny").complete([talk])
    assert [m["role"] for body in Endpoint.seen for m in body["messages"]] == ["user", "assistant", "tool"]


def test_a_key_is_sent_and_never_told(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    Endpoint.broken = True
    with pytest.raises(CompletionError, match=r"Bearer \*\*\*") as caught:
        OpenAICompleter(endpoint, "tiny", retries=0, api_key_env="MY_KEY").complete([[{"role": "user", "content": ""}]])
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:8000",
        "ftp://host/v1",
        "http://",
        "http:///v1",
        "http://host:x/v1",
        "http://[::1/v1",
        "http://a b",
    ],
)
def test_an_address_must_be_one(address: str) -> None:
    with pytest.raises(ConfigError, match="URL#MODEL"):
        OpenAICompleter(address)


def test_a_model_is_named_behind_the_url() -> None:
    assert split_address(" http://127.0.0.1:8000/v1#org/model-7 ") == ("http://127.0.0.1:8000/v1", "org/model-7")
    completer = OpenAICompleter("http://127.0.0.1:8000/v1#tiny", "tiny")
    assert (completer.base_url, completer.model, completer.name) == ("http://127.0.0.1:8000/v1", "tiny", "tiny")
    with pytest.raises(ConfigError, match=r"'tiny'.*'other'"):
        OpenAICompleter("http://127.0.0.1:8000/v1#tiny", "other")


@pytest.mark.parametrize("address", ["http://me:pass@host/v1", "http://host/v1?key=pass", "http://host/v1@tiny"])
def test_no_password_gets_into_names_and_errors(address: str) -> None:
    with pytest.raises(ConfigError, match="URL#MODEL") as caught:
        OpenAICompleter(address)
    assert "pass" not in str(caught.value)


def test_a_model_behind_an_endpoint_plays(endpoint: str) -> None:
    episode = play(ReactAgent(OpenAICompleter(endpoint, "tiny")), LiveStreamEnv(requests=1), 1)
    assert episode.agent == "tiny"
    assert episode.requests[0].turns[0].text == "2 messages"


def test_an_engine_that_fails_ends_no_episode_with_a_zero(endpoint: str) -> None:
    Endpoint.broken = True
    with pytest.raises(CompletionError):
        play(ReactAgent(OpenAICompleter(endpoint, "tiny", retries=0)), LiveStreamEnv(requests=1), 1)


def test_a_script_is_given_out_and_what_was_asked_is_kept() -> None:
    completer = ScriptedCompleter(["one", "two"])
    talk = [{"role": "user", "content": "a"}]
    assert completer.complete([talk, talk, talk]) == ["one", "two", "two"]
    assert completer.seen == [talk, talk, talk]
    echo = ScriptedCompleter(lambda conversation: conversation[-1]["content"])
    assert echo.complete([talk]) == ["a"]
    assert ScriptedCompleter([]).complete([talk]) == [""]


def test_each_turn_of_each_episode_samples_anew_and_the_same_again() -> None:
    class Seeds(ScriptedCompleter):
        def complete(self, conversations: Any, *, seed: int | None = None) -> list[str]:
            given.append(seed)
            return ["x"]

    given: list[int | None] = []
    agent = ReactAgent(Seeds([]))
    for episode in (5, 6, 5):
        agent.reset(episode)
        agent.act([], [])
        agent.act([], [])
    assert len(set(given[:4])) == 4
    assert given[:2] == given[4:]
    assert all(seed is not None and 0 <= seed < 2**31 for seed in given)
