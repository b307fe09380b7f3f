"""What `status`, `handoff` and exit codes say of sessions that are not fully with the server, and of servers that are none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from continuity.client import main
from continuity.client.client import Client
from continuity.client.hooks.dispatch import EVENTS
from continuity.client.recording import positions
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool
from tests.client.hooked import PROGRAM
from tests.client.pretended import FAULT, Pretended
from tests.client.sessions import CWD, grow, lines, uuid

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pretended]:
    server = Pretended()
    monkeypatch.setenv("CONTINUITY_URL", server.url)
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    yield server
    server.end()


def record(path: Path) -> SessionRecorder:
    recorder = SessionRecorder(path, Sender(Client(), Spool(), print), print)
    recorder.finish()
    return recorder


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main.main(argv)
    out, err = capsys.readouterr()
    return code, out, err


def test_it_works(tmp_path: Path, pretended: Pretended, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    record(path)
    code, out, _ = told(capsys, "status")
    assert code == 0
    assert "10% full  Please check harbour 1." in out
    assert "not sent" not in out


def test_what_is_recorded_is_told_so_where_nobody_knows_how_full_the_window_is(
    tmp_path: Path, pretended: Pretended, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    record(path)
    positions.save(positions.load(path)._replace(decision={"utilization": None}))
    assert "window unknown  Please check harbour 1." in told(capsys, "status")[1]


def test_what_is_not_sent_is_told_with_what_keeps_it(tmp_path: Path, pretended: Pretended, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    pretended.sessions = {"s1": FAULT}
    record(path)
    grow(path, lines("s1", 5, 5))
    code, out, _ = told(capsys, "status")
    assert code == 0, "the server answers"
    size = len(lines("s1", 5, 5))
    assert f"({size} bytes to read, 1 batch to send: the server failed at this (HTTP 500, correlation id c-s1))" in out
    files = json.loads(told(capsys, "status", "--json")[1])["files"]
    assert [(each["batches"], each["unread_bytes"]) for each in files] == [(1, size)]
    assert "correlation id c-s1" in told(capsys, "doctor")[1]


def test_what_was_set_aside_is_named(tmp_path: Path, pretended: Pretended, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    pretended.poison = {uuid("s1", 3)}
    record(path)
    for _ in range(2):
        Sender(Client(), Spool(), print).drain()
    for command in ("status", "doctor"):
        out = told(capsys, command)[1]
        assert "correlation id c-s1" in out
        assert "a placeholder holds its place" in out
    [kept] = json.loads(told(capsys, "status", "--json")[1])["aside"]
    assert (kept["external_ids"], kept["correlation_id"], kept["placeholder"]) == ([uuid("s1", 3)], "c-s1", True)


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [(0, 4, "refused"), (503, 4, "not now"), (401, 5, "no such key"), (500, 6, "the server failed at this (HTTP 500")],
)
@pytest.mark.parametrize("command", ["status", "tasks"])
def test_exit_codes_say_what_the_server_did(
    command: str,
    status: int,
    code: int,
    says: str,
    pretended: Pretended,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not status:
        monkeypatch.setenv("CONTINUITY_URL", NOWHERE)
    pretended.reading = status, {"code": "x", "detail": {503: "not now", 401: "no such key"}.get(status, "")}
    found, out, err = told(capsys, command)
    assert (found, says in out + err) == (code, True), out + err
    assert ("is away" in err) == (command == "tasks" and code == 4)


def test_a_handoff_says_what_it_lacks(
    tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = str(Path.cwd())
    old, new = tmp_path / "s1.jsonl", tmp_path / "s2.jsonl"
    old.write_bytes(lines("s1", 1, 4).replace(CWD.encode(), here.encode()))
    record(old)
    new.write_bytes(lines("s2", 1, 4).replace(CWD.encode(), here.encode()))
    with monkeypatch.context() as away:
        away.setenv("CONTINUITY_URL", NOWHERE)
        record(new)
    really = Client.open
    with monkeypatch.context() as failing:

        def open_(self: Client, **about: object) -> str:
            from continuity.client.connection import ServerFault

            if about["external_id"] == "s2":
                raise ServerFault(500, {"correlation_id": "6f0c"})
            return really(self, **about)  # type: ignore[arg-type]

        failing.setattr(Client, "open", open_)
        failing.setattr("continuity.client.unsent.SEND_SECONDS", 0.1)
        code, out, err = told(capsys, "handoff")
    assert code == 0
    assert "another session of this folder, is not fully sent: 1 batch to send: no conversation can be opened" in err
    assert "6f0c" in err
    assert client.conversations(external_id="s2") == []

    code, out, err = told(capsys, "handoff", "--json")
    assert "not fully sent" not in err
    assert json.loads(out)["status"]
    assert [each["message_count"] for each in client.conversations(external_id="s2")] == [4], "what could be sent is sent first"


@pytest.mark.parametrize(("argv", "code"), [(["--help"], 0), (["-h"], 0), (["SessionStart"], 2)])
def test_a_hook_that_is_asked_what_it_is_waits_for_nothing(argv: list[str], code: int) -> None:
    read, write = os.pipe()  # open, and nobody writes
    ended = subprocess.run([sys.executable, "-IS", str(PROGRAM), "hook", *argv], stdin=read, capture_output=True, timeout=60, check=False)
    os.close(read)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (code, b"")
    assert ended.stdout.startswith(b"usage: continuity hook")


WINDOWS = """
import os, sys
sys.modules["fcntl"] = None
os.name = "nt"
sys.path.insert(0, sys.argv[1])
from continuity.client.main import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(("argv", "code"), [(["status"], 2), (["watch"], 2), (["hook"], 0)])
def test_windows_is_told_in_one_line_and_a_hook_never_fails_its_tool(argv: list[str], code: int) -> None:
    sent = json.dumps({"hook_event_name": sorted(EVENTS)[0], "session_id": "s", "cwd": "/"})
    command = [sys.executable, "-IS", "-c", WINDOWS, str(PROGRAM.parents[2]), *argv]
    ended = subprocess.run(command, input=sent, text=True, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert ended.stderr == "continuity: the client runs on Linux and macOS, on Windows in WSL; here it records nothing.\n"
