"""Completers: the script, and an endpoint that answers, fails, or is not there."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from agents.completers import OpenAICompleter, ScriptedCompleter
from agents.react import ReactAgent
from livesim.env import LiveStreamEnv
from livesim.errors import CompletionError, ConfigError
from livesim.rollout import play


class Endpoint(BaseHTTPRequestHandler):
    """A tiny OpenAI-compatible server; answers with the number of messages it got."""

    seen: list[dict[str, Any]]
    broken = False

    def do_GET(self) -> None:
        self._send(200, {"object": "list", "data": [{"id": "tiny", "object": "model", "created": 0, "owned_by": "x"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).seen.append(body)
        if type(self).broken:
            self._send(500, {"error": {"message": "out of order"}})
            return
        message = {"role": "assistant", "content": f"{len(body['messages'])} messages"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self._send(200, {"id": "1", "object": "chat.completion", "created": 0, "model": "tiny", "choices": [choice]})

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    Endpoint.seen, Endpoint.broken = [], False
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


def test_an_address_must_be_one() -> None:
    with pytest.raises(ConfigError, match="localhost"):
        OpenAICompleter("localhost:8000")


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


def test_each_turn_of_a_seeded_agent_samples_anew() -> None:
    class Seeds(ScriptedCompleter):
        given: ClassVar[list[int | None]] = []

        def complete(self, conversations: Any, *, seed: int | None = None) -> list[str]:
            self.given.append(seed)
            return ["x"]

    completer = Seeds([])
    agent = ReactAgent(completer)
    agent.reset(5)
    agent.act([], [])
    agent.act([], [])
    assert completer.given == [5, 6]
