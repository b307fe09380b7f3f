"""A server that is slow is waited for; one that never answers costs its time once."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from continuity.client.hooks import full_client, resuming, session_start
from continuity.client.light import files, requests
from tests.client.hooked import answered, hook, occupy, person_told
from tests.client.sessions import CWD

READY = {"items": [{"id": "h1", "conversation_id": "c1", "summary": "", "created_at": ""}]}
RESUMED = {"directive": "--- SESSION CONTINUATION ---\nh1: never in feet\n"}
SLOW = "Continuity: the server did not answer in time. This session is kept here and sent when it does."


class SlowServer:
    """Answers questions that begin with `slow_at` after `delay` seconds, never where it is None, and others at once.

    `asked` holds the first lines of what it was asked.
    """

    def __init__(self) -> None:
        self.delay: float | None = 0.0
        self.slow_at = ""
        self.greeting = b"HTTP/1.0 200 OK\r\n\r\n"
        self.asked: list[str] = []
        self.whole: list[str] = []
        self.ready = READY
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._listening.getsockname()[1]}"

    def end(self) -> None:
        for each in (self._listening, *self._open):
            each.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(connection)
            threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        try:
            whole = connection.recv(1 << 16).decode("latin-1")
            asked = whole.partition("\r\n")[0]
            self.asked.append(asked)
            self.whole.append(whole)
            if asked.startswith(self.slow_at):
                if self.delay is None:
                    return
                time.sleep(self.delay)
            told = RESUMED if asked.startswith("POST") else self.ready if "/handoffs?" in asked else {}
            connection.sendall(self.greeting + json.dumps(told).encode())
            connection.close()
        except OSError:
            return  # Whoever asked lost its patience.


@pytest.fixture
def slow(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowServer]:
    """The server, whose recorder is at work already."""
    server = SlowServer()
    monkeypatch.setenv("CONTINUITY_URL", f"http://{server.address}")
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    claim = occupy()
    yield server
    claim.release()
    server.end()


def test_it_works(slow: SlowServer, tmp_path: Path) -> None:
    """As slow as a server on a busy machine, or behind a way of half a second there and back."""
    slow.delay = 0.5
    context, said = answered("SessionStart", tmp_path / "s1.jsonl", source="startup")
    assert "never in feet" in context
    assert said.startswith("Continuity: resumes a handoff")


def test_the_first_prompt_waits_longer_than_the_start(slow: SlowServer, tmp_path: Path) -> None:
    slow.delay = 2.3
    assert answered("SessionStart", tmp_path / "s1.jsonl", source="startup") == ("", SLOW)
    assert "never in feet" in hook("UserPromptSubmit", tmp_path / "s1.jsonl", prompt="Go on")


@pytest.mark.parametrize("more", [{"source": "startup"}, {"source": "compact"}], ids=["a start", "its window was emptied"])
def test_one_that_never_answers_costs_its_time_once(more: dict[str, str], slow: SlowServer, tmp_path: Path) -> None:
    slow.delay = None
    began = time.monotonic()
    assert person_told("SessionStart", tmp_path / "s1.jsonl", source="startup") == SLOW
    assert time.monotonic() - began >= 2.0
    assert len(slow.asked) == 1
    said = person_told("SessionStart", tmp_path / "s2.jsonl", **more)
    assert said == (SLOW if more["source"] == "startup" else "")
    for event in ("UserPromptSubmit", "PostToolUse", "Stop"):
        hook(event, tmp_path / "s3.jsonl", prompt="Go on", tool_name="Bash")
    assert len(slow.asked) == 1, "what is remembered holds for whatever a hook asks"


def test_one_that_resumes_too_slowly_is_asked_again_at_the_first_prompt(
    slow: SlowServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resuming, "RESUME_SECONDS", 0.2)
    slow.delay, slow.slow_at = None, "POST"
    path = tmp_path / "s1.jsonl"
    with pytest.raises(requests.NotInTime):
        session_start.answer({"transcript_path": str(path), "session_id": "s1", "cwd": CWD, "source": "startup"})
    prompt = {"session_id": "s1", "cwd": CWD, "prompt": "Go on"}
    assert "never in feet" not in hook("UserPromptSubmit", path, **prompt)
    slow.delay, slow.ready = 0.0, {"items": []}  # It was resumed for this session, though nobody heard of it.
    assert "never in feet" in hook("UserPromptSubmit", path, **prompt)
    first, *others = [each for each in slow.whole if each.startswith("POST")]
    assert "Idempotency-Key: hook-" in first and others == [first, first], "the server does it once"
    assert "never in feet" not in hook("UserPromptSubmit", path, **prompt)


def test_a_resume_that_was_begun_outlasts_a_server_that_can_t_work_now(slow: SlowServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resuming, "RESUME_SECONDS", 0.2)
    slow.delay, slow.slow_at = None, "POST"
    payload = {"session_id": "s1", "cwd": CWD, "hook_event_name": "SessionStart"}
    with pytest.raises(requests.NotInTime):
        resuming.continuation(payload, "")
    slow.delay, slow.ready = 0.0, {"items": []}
    slow.greeting = b"HTTP/1.0 503 Service Unavailable\r\n\r\n"
    with pytest.raises(requests.Refusal):
        resuming.continuation(payload, "", again=True)
    assert resuming.is_begun(payload)
    slow.greeting = b"HTTP/1.0 200 OK\r\n\r\n"
    assert "never in feet" in resuming.continuation(payload, "", again=True).context
    assert not resuming.is_begun(payload)


def test_a_full_disk_keeps_nothing_from_being_resumed(slow: SlowServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: str, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "write", full)
    assert "never in feet" in resuming.continuation({"session_id": "s1", "cwd": CWD, "hook_event_name": "SessionStart"}, "").context


def test_what_answers_as_no_server_does_is_not_called_slow(slow: SlowServer, tmp_path: Path) -> None:
    slow.greeting = b"SSH-2.0\r\n"
    said = person_told("SessionStart", tmp_path / "s1.jsonl", source="startup")
    assert said.startswith("Continuity: the server gives no answer of use (the address is not the server's).")


def test_a_server_behind_tls_is_remembered_too(slow: SlowServer, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", f"https://{slow.address}")
    monkeypatch.setenv("CONTINUITY_HOOK_MS", "100")
    slow.delay = None
    for _ in range(2):
        with pytest.raises(requests.Unreachable):
            requests.ready(CWD, 5)
    assert len(slow.asked) == 1


def test_the_whole_client_tells_a_slow_server_from_one_that_is_away(slow: SlowServer, monkeypatch: pytest.MonkeyPatch) -> None:
    slow.delay = None
    with pytest.raises(requests.NotInTime):
        full_client.call("GET", "/handoffs", None, 0.1)
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    with pytest.raises(requests.Unreachable):
        full_client.call("GET", "/handoffs", None, 0.1)
