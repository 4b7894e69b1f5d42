"""A little MCP server, run by the tests as a program of its own: ``python mcp_desk.py [port]``."""

from __future__ import annotations

import os
import sys
from typing import Literal

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

server = MCPServer("desk", log_level="CRITICAL")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def care_card(
    item: str,
    copies: int = 1,
    folded: bool = False,
    paper: Literal["plain", "thick"] = "plain",
    note: str | None = None,
) -> dict[str, object]:
    """The care card
    of an item."""
    return {"item": item, "copies": copies, "folded": folded, "paper": paper, "note": note}


@server.tool()
def refuse(reason: str) -> str:
    """Say no."""
    raise ToolError(f"not today: {reason}")


@server.tool()
async def dawdle() -> str:
    """Take a minute."""
    await anyio.sleep(60)
    return "done"


@server.tool()
def ramble() -> str:
    """Say too much."""
    return "word " * 5000


@server.tool()
def leave() -> str:
    """End the server."""
    os._exit(1)


@server.tool()
def pack(items: list[str]) -> str:
    """Needs a list."""
    return ", ".join(items)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run()
