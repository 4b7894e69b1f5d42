"""``livesim eval`` on real episodes: the teacher is nearly perfect, silence is not; errors say what to type."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.errors import CompletionError, ConfigError
from livesim.evaluation.command import Order, counts, default_out, run
from livesim.evaluation.hosts import HostConfig, host
from livesim.evaluation.run import Evaluation, load

BOTH = "live_stream_qa,harness_variant_qa"


def evaluate(agent: str, out: Path, episodes: int = 24, suites: str = BOTH) -> Evaluation:
    counts = dict.fromkeys(suites.split(","), episodes)
    return run(Order(agent, suites, out, harness="compact", episodes=counts), bar=False)


def test_the_oracle_is_nearly_perfect_on_both_suites(tmp_path: Path) -> None:
    found = evaluate("oracle", tmp_path).summaries
    assert found["live_stream_qa"].score.mean >= 97
    assert found["harness_variant_qa"].score.mean >= 97
    assert set(found["harness_variant_qa"].dimensions) == {
        "skill_identifier",
        "skill_content",
        "tool_definition",
        "system_prompt",
        "hook",
        "all_five",
    }


def test_silence_is_worth_nothing(tmp_path: Path) -> None:
    found = evaluate("silent", tmp_path, 12).summaries
    assert found["live_stream_qa"].score.mean <= 10
    assert found["live_stream_qa"].strict.mean == 0
    assert found["harness_variant_qa"].score.mean <= 10


def test_faults_are_met_and_their_outcomes_counted(tmp_path: Path) -> None:
    found = evaluate("oracle", tmp_path, 30, "tool_prompt_robustness").summaries["tool_prompt_robustness"]
    assert sum(found.recovery.values()) >= 5
    assert found.recovery["recovered"] >= 1
    assert found.recovery["gave_up"] == 0


def test_the_same_order_gives_the_same_records_and_variants_differ(tmp_path: Path) -> None:
    first, second = (evaluate("oracle", tmp_path / name, 12) for name in ("a", "b"))
    for suite, records in first.records.items():
        again = second.records[suite]
        assert [(r.id, r.harness, r.messages, r.heads) for r in records] == [
            (r.id, r.harness, r.messages, r.heads) for r in again
        ]
    original = {r.harness for r in first.records["live_stream_qa"]}
    changed = {r.variant: r.harness for r in first.records["harness_variant_qa"]}
    assert len(original) == 1
    assert len({*original, *changed.values()}) == 1 + len(changed)
    assert all(r.changes for r in first.records["harness_variant_qa"])
    assert not any(r.changes for r in first.records["live_stream_qa"])


def test_the_command_line_prints_the_table_and_leaves_the_records(tmp_path: Path) -> None:
    arguments = [
        "eval",
        "--model",
        "oracle",
        "--harness",
        "compact",
        "--episodes",
        "live_stream_qa=3,harness_variant_qa=6",
    ]
    found = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "o"), "--label", "teacher"])
    assert found.exit_code == 0, found.output
    assert "teacher" in found.output
    assert "T2 - T1" in found.output
    records = load(tmp_path / "o").records
    assert {name: len(rows) for name, rows in records.items()} == {"live_stream_qa": 3, "harness_variant_qa": 6}


def test_numbers_of_episodes() -> None:
    assert counts("8", BOTH) == {"live_stream_qa": 8, "harness_variant_qa": 8}
    assert counts("live_stream_qa=4", BOTH) == {"live_stream_qa": 4}
    with pytest.raises(ConfigError, match="write a number"):
        counts("many", BOTH)
    with pytest.raises(ConfigError, match="write a number"):
        counts("8²", BOTH)  # a digit that is no decimal
    with pytest.raises(ConfigError, match="harness_variant_qa"):
        counts("harness_varient_qa=4", BOTH)


def test_a_model_that_is_nothing_is_told_what_it_could_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no folder, no http\(s\) address and no agent.*did you mean 'oracle'"):
        host("orcale")
    with pytest.raises(ConfigError, match=r"no \*\.safetensors"):
        host(str(tmp_path))
    with pytest.raises(ConfigError, match="at least 1"):
        run(Order("silent", BOTH, tmp_path, episodes={"live_stream_qa": 0}), bar=False)


def test_default_folder_is_a_plain_name() -> None:
    assert default_out("http://127.0.0.1:8000/v1") == Path("runs/eval/http---127.0.0.1-8000-v1")
    assert default_out("oracle") == Path("runs/eval/oracle")


class Endpoint(BaseHTTPRequestHandler):
    """An OpenAI-compatible server that always says hello, or, for one viewer's comment, fails."""

    fail = False

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert asked["model"] == "tiny"
        assert asked["temperature"] == 0.0
        answer = {
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]
        }
        body = json.dumps({"id": "1", "object": "chat.completion", "created": 0, "model": "tiny", **answer}).encode()
        self.send_response(400 if Endpoint.fail else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keep silent."""


@pytest.fixture
def address() -> Iterator[str]:
    """Of a server on this machine."""
    pytest.importorskip("openai")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


def test_an_endpoint_is_asked_in_threads_and_its_failures_are_no_zeros(address: str, tmp_path: Path) -> None:
    order = Order(
        address,
        "live_stream_qa",
        tmp_path,
        harness="compact",
        episodes={"live_stream_qa": 6},
        config=HostConfig(width=3, served="tiny"),
    )
    Endpoint.fail = True
    with pytest.raises(CompletionError, match="6 of 6 episodes"):
        run(order, bar=False)
    Endpoint.fail = False
    found = run(order, bar=False)
    assert found.errors == ()
    assert found.summaries["live_stream_qa"].episodes == 6
    assert found.summaries["live_stream_qa"].strict.mean < 1
