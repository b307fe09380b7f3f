"""MCP on standard input and output without its package: each message goes to the server's own MCP address, and the answer comes back."""

from __future__ import annotations

import json
from typing import Any, BinaryIO
from urllib.parse import quote

from continuity.client import credentials
from continuity.client.connection import Away, BadAddress, Connection, Refused, json_object
from continuity.client.main import DONE

ACCEPT = "application/json, text/event-stream"
CWD, PROTOCOL = "Continuity-Cwd", "MCP-Protocol-Version"
FAILED, BROKEN = -32_000, -32_700  # JSON-RPC: of the server, and that a message is no JSON


def serve(cwd: str, sent: BinaryIO, told: BinaryIO) -> int:
    """Passes messages on until `sent` ends, one a line. `cwd` is the folder that tools are about where they are not told."""
    bridge = _Bridge(cwd)
    for line in sent:
        if line.strip() and (answer := bridge.answer(line)):
            told.write(answer + b"\n")
            told.flush()
    bridge.close()
    return DONE


class _Bridge:
    """A connection that is made when it is first needed, and anew when somebody logged in meanwhile."""

    def __init__(self, cwd: str) -> None:
        self._headers = {"Accept": ACCEPT, CWD: quote(cwd)}
        self._connection: Connection | None = None
        self._known = ("", "")

    def answer(self, line: bytes) -> bytes:
        """Return the server's answer; to a question an error where there is none, and nothing to what is no question."""
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, BROKEN, "This is no JSON.")
        asked = message.get("id") if isinstance(message, dict) and "method" in message else None
        try:
            status, told = self._connected().mcp(line.strip(), self._headers)
        except (Away, Refused, BadAddress, credentials.NotLoggedIn) as error:
            self.close()
            return b"" if asked is None else _error(asked, FAILED, f"Continuity: {error}")
        if asked is None:
            return b""
        if status >= 400:
            return _error(asked, FAILED, f"Continuity: {_reason(status, told)}")
        self._learn(message, told)
        return b" ".join(told.splitlines())

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> Connection:
        found = credentials.find()
        if self._connection is None or self._known != (found.url, found.key):
            self.close()
            self._known = (found.url, found.key)
            self._connection = Connection(found)
        return self._connection

    def _learn(self, message: dict[str, Any], told: bytes) -> None:
        """The version of the protocol that was agreed on, which every later message names."""
        if message.get("method") == "initialize":
            result = json_object(told).get("result")
            if isinstance(result, dict) and isinstance(result.get("protocolVersion"), str):
                self._headers[PROTOCOL] = result["protocolVersion"]


def _error(asked: Any, code: int, words: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": words}}).encode()


def _reason(status: int, told: bytes) -> str:
    problem = json_object(told)
    return str(problem.get("detail") or f"the server answered {status}")
