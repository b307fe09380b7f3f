"""The bridge of a client that is alone: every question is answered, whatever the server does, and nothing else is written."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from continuity import releases
from continuity.client import connection, mcp_bridge
from tests.mcp.test_http import PING


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("CONTINUITY_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CONTINUITY_API_KEY", raising=False)


@pytest.fixture
def logged_in(address: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", address)
    monkeypatch.setenv("CONTINUITY_API_KEY", key)


def passed(*lines: str | bytes, cwd: str = "/srv/tides") -> list[Any]:
    """What is written for these lines."""
    told = io.BytesIO()
    sent = io.BytesIO(b"".join((line.encode() if isinstance(line, str) else line) + b"\n" for line in lines))
    assert mcp_bridge.serve(cwd, sent, told) == 0
    return [json.loads(line) for line in told.getvalue().splitlines()]


def question(number: int, method: str, **parameters: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})


HELLO = question(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test", "version": "1"})


def test_it_works(logged_in: None, conversation: str) -> None:
    done = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    asked = question(2, "tools/call", name="status", arguments={})
    first, second = passed(HELLO, done, "", asked)
    assert first["result"]["serverInfo"]["name"] == "continuity"
    assert (second["id"], second["result"].get("isError", False)) == (2, False)
    assert conversation in json.dumps(second), "it is about the folder in which it was started"


def test_one_that_is_too_old_says_what_to_do(logged_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "AGENT", f"{releases.AGENT}/0.0.9")
    [told] = passed(HELLO)
    assert "get the present one from the page /client/" in told["error"]["message"]


def test_a_folder_with_any_name_arrives(logged_in: None, conversation: str) -> None:
    [told] = passed(question(1, "tools/call", name="status", arguments={}), cwd="/srv/Höhe\n: ein Ordner")
    assert "is recorded" in json.dumps(told, ensure_ascii=False)
    assert "/srv/Höhe" in json.dumps(told, ensure_ascii=False)


def test_who_is_not_logged_in_is_told_at_each_question(monkeypatch: pytest.MonkeyPatch) -> None:
    [told] = passed(PING)
    assert told["id"] == 1
    assert "continuity login" in told["error"]["message"]


def test_a_server_that_is_away_is_told_and_asked_again(address: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_API_KEY", key)
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    [told] = passed(PING)
    assert told["error"]["code"] == mcp_bridge.FAILED
    monkeypatch.setenv("CONTINUITY_URL", address)
    assert passed(PING)[0]["result"] == {}


def test_a_wrong_key_is_told_as_the_server_tells_it(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", address)
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x_y")
    [told] = passed(PING)
    assert told["error"]["message"] == "Continuity: This API key is unknown, revoked or expired."


@pytest.mark.parametrize("line", ["{", "nothing", b"\xff\xfe", "[" * 100_000])
def test_what_is_no_json_is_answered_as_such(line: str | bytes) -> None:
    [told] = passed(line)
    assert (told["id"], told["error"]["code"]) == (None, mcp_bridge.BROKEN)


@pytest.mark.parametrize("line", ["7", '"ping"', "null", "{}", '{"id": 1}', '{"jsonrpc": "2.0", "method": "notifications/cancelled"}'])
def test_what_asks_nothing_is_not_answered(logged_in: None, line: str) -> None:
    assert passed(line) == []
