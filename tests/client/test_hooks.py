"""Hook payloads as Claude Code documents them, answered by the very program that a tool calls."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from continuity.client.client import Client
from continuity.client.hooks.dispatch import LIMIT
from continuity.client.recording import positions
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from tests.client.hooked import EVENTS, PROGRAM, hook, occupy, record_all
from tests.client.sessions import CWD, grow, lines, record

if TYPE_CHECKING:
    pass

RULE = "Never publish a tide table in feet, always in metres."
DECISION = "Let's use Postgres for the job queue instead of Redis."


@pytest.fixture
def session(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Path]]:
    """Session files; where there is a server, somebody records already, so that no hook starts a recorder that outlives the test."""
    claim = None
    if {"server", "client"} & set(request.fixturenames):
        request.getfixturevalue("server")
        claim = occupy()
    yield lambda name: tmp_path / f"{name}.jsonl"
    if claim:
        claim.release()


@pytest.fixture
def path(session: Callable[[str], Path]) -> Path:
    return session("s1")


def test_it_works(session: Callable[[str], Path], path: Path, client: Client) -> None:
    path.write_bytes(lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}"))
    client.prepare(record_all(path).conversation)
    told = hook("SessionStart", session("s2"), source="startup", model="claude-sonnet-4-5")
    assert told.startswith("--- SESSION CONTINUATION ---")
    assert RULE in told
    next_one = client.conversations(external_id="s2")[0]
    assert (next_one["source_tool"], next_one["cwd"]) == ("claude-code", CWD)
    assert client.handoffs(cwd=CWD)[0]["status"] == "resumed"
    assert hook("SessionStart", session("s3"), source="startup") == ""


@pytest.fixture(params=["refuses", "never answers", "answers slowly", "is another"])
def dead(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that is none."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        if request.param == "refuses":
            listening.close()
        elif request.param != "never answers":
            threading.Thread(target=_answer_badly, args=[listening, request.param == "answers slowly"], daemon=True).start()
        yield address


def _answer_badly(listening: socket.socket, slowly: bool) -> None:
    with contextlib.suppress(OSError), listening.accept()[0] as connection:
        connection.recv(1 << 16)
        for byte in b"HTTP/1.0 200 OK\r\n\r\n<html>" if slowly else b"":
            connection.sendall(bytes([byte]))
            time.sleep(0.05)
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n<html>")


@pytest.mark.parametrize("event", EVENTS)
def test_a_dead_server_never_breaks_the_tool(event: str, path: Path, dead: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", dead)
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    path.write_bytes(lines("s1", 1, 2))
    claim = occupy()
    assert hook(event, path, source="startup", prompt="Go on", trigger="auto", reason="exit", tool_name="Bash") == ""
    claim.release()


@pytest.mark.parametrize("sent", [b"", b"no json", b"[]", b'{"hook_event_name": "Unheard"}', b'{"hook_event_name": "Stop"}'])
def test_what_is_no_payload_is_answered_with_nothing(sent: bytes) -> None:
    ended = subprocess.run([sys.executable, "-IS", str(PROGRAM), "hook"], input=sent, capture_output=True, env=os.environ, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_after_a_compaction_only_what_the_summary_lost_comes_back(path: Path, client: Client) -> None:
    path.write_bytes(lines("s1", 1, 6, n1=f"Please build the job queue. {RULE}", n3=DECISION))
    assert hook("PreCompact", path, trigger="auto", custom_instructions="") == ""
    assert client.handoffs(cwd=CWD, status="draft"), "a checked package is there before the summary is"
    assert hook("SessionStart", path, source="compact") == "", "the summary is not written yet"

    summary = "The user decided to use Postgres for the job queue instead of Redis. The job queue is being built."
    boundary = record("s1", 7, summary, isCompactSummary=True)
    grow(path, json.dumps(boundary, separators=(",", ":")).encode() + b"\n")
    told = hook("PostToolUse", path, tool_name="Bash", tool_input={"command": "ls"}, tool_response={})
    assert RULE in told
    assert DECISION not in told
    assert hook("UserPromptSubmit", path, prompt="Go on") == "", "it is told once"


def test_a_window_that_fills_is_told_once_for_each_step(path: Path, client: Client) -> None:
    path.write_bytes(lines("s1", 1, 2))
    known = positions.load(path)
    positions.save(known._replace(decision={"utilization": 0.78, "should_handoff": False, "remaining_turns": 4}))
    assert "78% full, about 4 turns left" in hook("UserPromptSubmit", path, prompt="Go on")
    assert hook("UserPromptSubmit", path, prompt="Go on") == ""
    positions.save(known._replace(decision={"utilization": 0.86, "should_handoff": True, "remaining_turns": 2}))
    assert "86% full" in hook("UserPromptSubmit", path, prompt="Go on")


def test_what_somebody_handed_over_is_told_once(path: Path, client: Client) -> None:
    other = path.with_name("other.jsonl")
    other.write_bytes(lines("other", 1, 4, n1=f"Please build the tide page. {RULE}"))
    made = client.prepare(record_all(other).conversation)
    path.write_bytes(lines("s1", 1, 2))
    Sender(client, Spool(), print).fetch_offers([CWD])
    assert made["id"] in hook("UserPromptSubmit", path, prompt="Go on")
    assert hook("UserPromptSubmit", path, prompt="Go on") == ""


def test_a_long_directive_is_cut_by_value_and_names_what_it_leaves_out(session: Callable[[str], Path], path: Path, client: Client) -> None:
    facts = {f"n{n}": f"Harbour {n} has its table in tables/harbour_{n}_{'x' * 200}.csv. {RULE}" for n in range(1, 200, 2)}
    path.write_bytes(lines("s1", 1, 200, **facts))
    client.prepare(record_all(path).conversation, budget=20_000)
    told = hook("SessionStart", session("s2"), source="clear")
    assert 5_000 < len(told) <= LIMIT
    assert RULE in told
    assert "did not fit here" in told
    assert told.endswith("--- END CONTINUATION ---\n")
