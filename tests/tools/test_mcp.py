"""Tools of a real MCP server, over its standard input and output and over HTTP: shown by a harness, called, failing."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from livesim.cli import app
from livesim.errors import ConfigError, HarnessError
from livesim.harness import shelf
from livesim.harness.codec import render_call
from livesim.harness.session import OutcomeKind, Session
from livesim.tools.spec import Effect
from livesim.tools.toolbox import Toolbox
from livesim.types import Comment, Request, RoomItem, RoomView, ToolCall
from rewards.signals import CallError

pytest.importorskip("mcp.server.mcpserver", reason="needs the extra livesim[mcp]")

from livesim.tools.mcp import MAX_CHARS, McpServer

DESK = [sys.executable, str(Path(__file__).with_name("mcp_desk.py"))]


@pytest.fixture(scope="module")
def desk() -> Iterator[McpServer]:
    with McpServer(DESK, timeout_s=30.0) as server:
        yield server


def ask(server: McpServer, tool: str, **arguments: object) -> tuple[bool, dict[str, object]]:
    result = server.call(ToolCall(tool, arguments, tool))  # type: ignore[arg-type]
    return result.ok, json.loads(result.content)


def test_its_tools_are_specs_and_what_cannot_be_shown_says_why(desk: McpServer) -> None:
    assert list(desk.specs) == ["care_card", "refuse", "dawdle", "ramble", "leave"]
    assert desk.left_out == {"pack": "parameter 'items' is neither a whole number nor text"}
    card = desk.specs["care_card"]
    assert (card.description, card.effect) == ("The care card of an item.", Effect.READ)
    assert desk.specs["refuse"].effect is Effect.WRITE  # nothing says that it only reads
    assert card.schema()["required"] == ["item"]


def test_a_call_is_validated_before_it_is_sent_and_types_come_back_right(desk: McpServer) -> None:
    given = {"item": "pan", "copies": "2", "folded": "true", "paper": "thick"}
    assert ask(desk, "care_card", **given) == (
        True,
        {"item": "pan", "copies": 2, "folded": True, "paper": "thick", "note": None},
    )
    for wrong in ({}, {"item": "pan", "copy": 2}, {"item": "pan", "paper": "gold"}, {"item": "pan", "folded": True}):
        result = desk.call(ToolCall("care_card", wrong, "care_card"))
        assert result.error is CallError.BAD_ARGUMENTS, wrong
    assert "did you mean 'copies'" in desk.call(ToolCall("care_card", {"item": "p", "copis": 2}, "c")).content


def test_failures_of_the_server_are_answers(desk: McpServer) -> None:
    ok, said = ask(desk, "refuse", reason="closed")
    assert not ok
    assert "not today: closed" in str(said["error"])
    ok, said = ask(desk, "ramble")
    assert ok
    assert MAX_CHARS < len(str(said["text"])) < MAX_CHARS + 20


def test_a_slow_tool_times_out_and_the_next_call_works() -> None:
    with McpServer(DESK, timeout_s=30.0) as server:
        server.timeout_s = 0.5
        assert ask(server, "dawdle") == (False, {"error": "timed out after 0.5 s"})
        server.timeout_s = 30.0
        assert ask(server, "care_card", item="pan")[0]


def test_a_server_that_is_gone_is_an_answer_too() -> None:
    with McpServer(DESK, timeout_s=30.0) as server:
        assert not ask(server, "leave")[0]
        assert not ask(server, "care_card", item="pan")[0]
    assert ask(server, "care_card", item="pan") == (False, {"error": "ConnectionError: the server is gone"})


@pytest.mark.parametrize("address", [[sys.executable, "-c", "pass"], ["no-such-program"], "http://127.0.0.1:9/mcp"])
def test_a_server_that_cannot_be_reached_is_a_clear_error(address: str | list[str]) -> None:
    with pytest.raises(ConfigError, match="MCP server"):
        McpServer(address, timeout_s=30.0)


def test_over_http() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([*DESK, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        with McpServer(f"http://127.0.0.1:{port}/mcp", timeout_s=30.0) as server:
            assert ask(server, "care_card", item="pan")[1]["item"] == "pan"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A harness that shows one of the server's tools under names of its own."""
    copy = Path(shutil.copytree(shelf.SHELF / "compact", tmp_path / "mine"))
    with (copy / "tools.yaml").open("a", encoding="utf-8") as file:
        file.write("- tool: care_card\n  name: wash_help\n  parameters:\n    item: {name: thing}\n")
    return copy


def test_a_harness_shows_and_calls_such_a_tool_outside_the_simulator(folder: Path, desk: McpServer) -> None:
    with pytest.raises(HarnessError, match="unknown tool 'care_card'"):
        shelf.load(folder)
    state = shelf.load(folder, desk.specs)
    assert state.view("care_card") is not None
    request = Request("r1", (Comment("mia", "how do I wash the pan?", 0.0),), 0.0)
    session = Session(state, request, RoomView(0.0, 1, (RoomItem(1, "steel pan"),), 3))
    outcome = session.feed(render_call("wash_help", {"thing": "pan"}))
    assert outcome.kind is OutcomeKind.CALLS
    session.give([desk.call(call) for call in outcome.calls])
    assert '"item":"pan"' in session.messages[-1].content


def test_its_tools_can_stand_beside_the_built_in_ones(desk: McpServer) -> None:
    box = Toolbox()
    desk.register(box)
    assert {"price_check", "care_card"} <= set(box.specs)
    with pytest.raises(ConfigError, match="registered already"):
        desk.register(box)


def test_the_commands_know_such_tools(folder: Path) -> None:
    command = f"{DESK[0]} {DESK[1]}"
    run = CliRunner().invoke(app, ["harness", "tools", "--mcp", command])
    assert "care_card" in run.output
    assert "pack can't be shown: parameter 'items'" in run.output
    run = CliRunner().invoke(app, ["harness", "show", str(folder), "--mcp", command])
    assert "wash_help" in run.output
    run = CliRunner().invoke(app, ["harness", "lint", str(folder), "--mcp", command])
    assert run.exit_code == 0, run.output
