"""``McpServer``: the tools of an MCP server as specs and behaviours, for harnesses used outside the simulator."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from livesim.errors import ConfigError
from livesim.tools.answer import Answer, Refusal, compact
from livesim.tools.arguments import Arguments
from livesim.tools.builtin import LOAD_SKILL
from livesim.tools.faults import FaultConfig, FaultInjector
from livesim.tools.mcp_schema import UnfitSchema, spec_of, wire
from livesim.tools.shop import Behaviour, ShopView
from livesim.tools.spec import ToolSpec
from livesim.tools.toolbox import Toolbox
from livesim.types import ToolCall, ToolResult
from livesim.world.catalog import Catalog

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult, Tool

T = TypeVar("T")

MAX_CHARS = 4000
"""Longer answers are cut: they would fill a small model's context."""


class McpServer:
    """One connection to a server, held by a thread of its own; a context manager.

    Nothing that a model writes and nothing that the server does makes ``call`` raise: arguments are validated before
    they are sent, and a timeout, an error of the tool or a server that is gone comes back as a failed result.
    The judge knows no facts of such tools, so that what they say supports no claim inside the simulator.

    Attributes:
        timeout_s: wall-clock seconds that one call may take.
        specs: canonical name -> spec, in the server's order; give them to ``load_folder`` beside the built-in ones.
        left_out: tool -> why it can't be shown (a required parameter that is neither whole number nor text).
    """

    def __init__(self, address: str | Sequence[str], *, timeout_s: float = 10.0) -> None:
        """Connect and list the tools.

        Args:
            address: ``http://...`` of a server that speaks streamable HTTP, or the command that starts one which
                speaks over its standard input and output.
            timeout_s: wall-clock seconds that connecting, listing or one call may take.

        Raises:
            ConfigError: the package ``mcp`` is missing, or the server can't be reached or does not list its tools.
        """
        try:
            import mcp  # noqa: F401  the extra; late, since it is heavy
        except ImportError:
            raise ConfigError("MCP servers need the extra livesim[mcp] (the package mcp, version 2)") from None
        self.timeout_s = timeout_s
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready: Future[tuple[Client, list[Tool]]] = Future()
        self._thread = threading.Thread(target=self._run, args=(address,), name="mcp", daemon=True)
        self._thread.start()
        try:
            self._client, tools = self._ready.result(timeout_s)
        except Exception as error:
            self.close()
            raise ConfigError(f"MCP server {address!r}: {_why(error, timeout_s)}") from error
        self.left_out: dict[str, str] = {}
        found: dict[str, ToolSpec] = {}
        for tool in tools:
            try:
                found[tool.name] = spec_of(tool)
            except UnfitSchema as error:
                self.left_out[tool.name] = str(error)
        if found.pop(LOAD_SKILL, None) is not None:
            self.left_out[LOAD_SKILL] = "the session answers the tool of this name"
        self.specs: Mapping[str, ToolSpec] = MappingProxyType(found)
        self._box = Toolbox({}, {})
        self.register(self._box)

    def register(self, toolbox: Toolbox) -> None:
        """Add all tools to a toolbox. Raises ConfigError when it has one of a name already."""
        for spec in self.specs.values():
            toolbox.register(spec, self._behaviour(spec))

    def call(self, call: ToolCall, shown: Mapping[str, str] | None = None) -> ToolResult:
        """The result of one call, without a shop and without injected faults.

        Args:
            call: canonical names.
            shown: canonical parameter -> the name that the harness shows, for error sentences.
        """
        return self._box.call(call, ShopView(Catalog(()), {}), FaultInjector(FaultConfig(), 0), shown)

    def close(self) -> None:
        """End the connection (and the server, where a command started it). Calls fail from now on."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(self.timeout_s)

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def _behaviour(self, spec: ToolSpec) -> Behaviour:
        def ask(shop: ShopView, arguments: Arguments) -> Answer | Refusal:
            try:
                given = wire(spec, arguments)
                return _read(self._wait(self._client.call_tool(spec.name, given)))
            except Exception as error:
                return Refusal(_why(error, self.timeout_s))

        return ask

    def _wait(self, work: Coroutine[object, object, T]) -> T:
        if not self._thread.is_alive():
            work.close()
            raise ConnectionError("the server is gone")
        waiting = asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, self.timeout_s), self._loop)
        return waiting.result(self.timeout_s + 1.0)  # a loop that ends in the middle never answers

    def _run(self, address: str | Sequence[str]) -> None:
        try:
            self._loop.run_until_complete(self._serve(address))
        except Exception as error:
            if not self._ready.done():
                self._ready.set_exception(error)
        finally:
            self._loop.close()

    async def _serve(self, address: str | Sequence[str]) -> None:
        """Connect, list, and stay until told to stop: a connection must end in the task that began it."""
        from mcp import Client, StdioServerParameters

        if isinstance(address, str):
            client = Client(address)
        else:
            client = Client(StdioServerParameters(command=address[0], args=list(address[1:])))
        async with client:
            tools: list[Tool] = []
            page = await client.list_tools()
            tools += page.tools
            while page.next_cursor:
                page = await client.list_tools(cursor=page.next_cursor)
                tools += page.tools
            self._ready.set_result((client, tools))
            await self._stop.wait()


def _read(result: CallToolResult) -> Answer | Refusal:
    text = "\n".join(str(getattr(part, "text", f"[{part.type}]")) for part in result.content)
    if result.is_error:
        return Refusal(text[:MAX_CHARS] or "the tool failed and does not say why")
    payload = result.structured_content
    if isinstance(payload, dict) and len(compact(payload)) <= MAX_CHARS:
        return Answer.of(payload)
    return Answer.of({"text": text if len(text) <= MAX_CHARS else f"{text[:MAX_CHARS]} [cut]"})


def _why(error: BaseException, timeout_s: float) -> str:
    while isinstance(error, BaseExceptionGroup):  # as the transport wraps what went wrong
        error = error.exceptions[0]
    if isinstance(error, TimeoutError | NotInTime):
        return f"timed out after {timeout_s:g} s"
    return f"{type(error).__name__}: {error}"[:300]
