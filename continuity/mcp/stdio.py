"""The MCP server of one agent, over standard input and output; it asks the server as any client does."""

from __future__ import annotations

from continuity.client.client import Client
from continuity.mcp.server import build
from continuity.mcp.tool_clients import Asker, current


def serve(cwd: str) -> None:
    """Serves until standard input ends. `cwd` is the folder that tools are about where they are not told."""
    current.set(Asker(Client, cwd))
    build().run("stdio")
