"""The status line: what Claude Code tells of its window reaches the server, and the person's own line stays."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from continuity.client.client import Client
from continuity.client.main import main
from continuity.client.recording import positions
from continuity.client.recording.finding import FoundSession
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import Watcher
from continuity.client.setup import status_line
from tests.client.hooked import PROGRAM, hook, occupy, person_told, record_all
from tests.client.sessions import lines, record
from tests.platform.running import eventually

Said = Callable[..., tuple[int, str, str]]


def told(path: Path, **window: Any) -> dict[str, Any]:
    """What Claude Code 2.1 gives its status line, as far as it matters here."""
    usage = {"input_tokens": 20_000, "output_tokens": 1_000, "cache_creation_input_tokens": 49_000, "cache_read_input_tokens": 100_000}
    about = {"context_window_size": 1_000_000, "used_percentage": 17, "remaining_percentage": 83, "current_usage": usage} | window
    model = {"id": "claude-opus-4-8", "display_name": "Opus 4.8"}
    return {"session_id": path.stem, "transcript_path": str(path), "model": model, "context_window": about, "exceeds_200k_tokens": False}


def line(payload: Any, *arguments: str) -> str:
    sent = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    command = [sys.executable, "-IS", str(PROGRAM), "statusline", *arguments]
    ended = subprocess.run(command, input=sent, capture_output=True, env=os.environ, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    return ended.stdout.decode()


def usage(session: str, number: int, tokens: int, model: str) -> bytes:
    """An answer of the agent as Claude Code writes it, with what the provider reported."""
    made = record(session, number)
    made["message"] |= {"id": f"msg_{number}", "model": model, "usage": {"input_tokens": tokens, "output_tokens": 1}}
    return json.dumps(made).encode() + b"\n"


def test_it_works(tmp_path: Path, client: Client) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 1) + usage("s1", 2, 170_000, "claude-sonnet-4-5"))
    assert line(told(path)) == "Continuity · 17 % of 1M · not recorded yet\n"
    known = client.conversation(record_all(path).conversation)
    assert (known["max_context_tokens"], known["window_source"]) == (1_000_000, "statusline")
    assert known["utilization"] == pytest.approx(0.17, abs=0.001)
    assert line(told(path)) == "Continuity · 17 % of 1M · recording\n"


def test_a_handoff_that_was_made_by_hand_is_told(tmp_path: Path, client: Client, said: Said) -> None:
    claim = occupy()  # No hook starts a recorder that outlives the test.
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    conversation = record_all(path).conversation
    assert said("handoff", "--conversation", conversation)[0] == 0
    made = client.handoffs(status="ready")[0]["id"]
    address = f"{client.url.rstrip('/')}/handoffs/{made}"
    assert line(told(path)).endswith(f" · handoff ready: {address}\n"), "at once"
    assert address in person_told("UserPromptSubmit", path)
    newer = client.prepare(conversation)["id"]  # On its page, say.
    path.write_bytes(path.read_bytes() + lines("s1", 3, 4))
    record_all(path)
    assert f"/handoffs/{newer}" in line(told(path)), "with the next answer"
    client.resume(newer)
    path.write_bytes(path.read_bytes() + lines("s1", 5, 6))
    record_all(path)
    assert "handoff ready" not in line(told(path))
    claim.release()


def test_what_was_resumed_here_is_no_longer_told(tmp_path: Path, client: Client) -> None:
    claim = occupy()  # No hook starts a recorder that outlives the test.
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    conversation = record_all(path).conversation
    client.prepare(conversation)
    path.write_bytes(path.read_bytes() + lines("s1", 3, 4))
    record_all(path)
    assert "handoff ready" in line(told(path))
    assert hook("SessionStart", tmp_path / "s2.jsonl", source="startup")
    assert "handoff ready" not in line(told(path))
    assert person_told("UserPromptSubmit", path) == "", "nor at the next prompt"
    claim.release()


@pytest.mark.parametrize("began", [False, True], ids=["was at work", "began anew"])
def test_what_was_resumed_elsewhere_is_forgotten_at_the_recorders_next_look(began: bool, tmp_path: Path, client: Client) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    sender = Sender(client, Spool(), print)
    with closing(Watcher(lambda: [FoundSession(path, "claude-code")], sender, print)) as watcher:
        assert eventually(lambda: bool(not watcher.look() and positions.load(path).conversation))
        made = client.prepare(positions.load(path).conversation)["id"]
        positions.note_handoff(positions.load(path).conversation, made)
        assert "handoff ready" in line(told(path))
        client.resume(made)
    with closing(
        Watcher(lambda: [FoundSession(path, "claude-code")], sender if not began else Sender(client, Spool(), print), print)
    ) as watcher:
        path.write_bytes(path.read_bytes() + b"\n")
        assert eventually(lambda: not watcher.look() and not positions.load(path).handoff)
    assert "handoff ready" not in line(told(path))


def test_a_session_that_the_recorder_was_given_is_being_recorded(tmp_path: Path, client: Client) -> None:
    claim = occupy()
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 1))
    assert line(told(path)).endswith(" · not recorded yet\n")
    hook("UserPromptSubmit", path, prompt="Go on")
    assert line(told(path)).endswith(" · recording\n"), "before the first words are with the server"
    hook("SessionEnd", path)
    assert line(told(path)).endswith(" · not recorded yet\n"), "over, and nothing of it was read"
    claim.release()


def test_a_window_that_is_learned_late_takes_the_warning_back(tmp_path: Path, client: Client) -> None:
    claim = occupy()  # No hook starts a recorder that outlives the test.
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 1) + usage("s1", 2, 180_000, "claude-sonnet-4-5"))
    recorder = record_all(path)
    assert recorder.decision["should_handoff"]
    assert "90% full" in hook("UserPromptSubmit", path)
    line(told(path))
    path.write_bytes(path.read_bytes() + lines("s1", 3, 3) + usage("s1", 4, 181_000, "claude-sonnet-4-5"))
    recorder = record_all(path)
    assert not recorder.decision["should_handoff"]
    assert recorder.decision["utilization"] == pytest.approx(0.181, abs=0.001)
    assert hook("UserPromptSubmit", path) == ""
    claim.release()


def test_of_an_unknown_window_nobody_is_warned(tmp_path: Path, client: Client) -> None:
    claim = occupy()  # No hook starts a recorder that outlives the test.
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 1) + usage("s1", 2, 180_000, "a-model-of-our-own"))
    recorder = record_all(path)
    assert (recorder.decision["utilization"], recorder.decision["due"]) == (None, False)
    assert hook("UserPromptSubmit", path) == ""
    claim.release()


def test_this_machines_own_setting_goes_before_what_the_tool_tells(tmp_path: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_WINDOW", "200k")
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    line(told(path))
    known = client.conversation(record_all(path).conversation)
    assert (known["max_context_tokens"], known["window_source"]) == (200_000, "client")


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        (b"", "window unknown · not recorded yet"),
        (b"[1, 2", "window unknown · not recorded yet"),
        ({"transcript_path": 3, "context_window": "x", "model": []}, "window unknown · not recorded yet"),
        ({"model": {"id": "claude-sonnet-4-5[1m]"}}, "0 % of 1M · not recorded yet"),
        (
            {"context_window": {"context_window_size": 200_000, "used_percentage": 8.5, "current_usage": None}},
            "8 % of 200k · not recorded yet",
        ),
    ],
)
def test_whatever_comes_a_line_is_printed(payload: Any, said: str) -> None:
    assert line(payload) == f"Continuity · {said}\n"


def test_the_persons_own_line_comes_first_with_the_same_input(tmp_path: Path) -> None:
    shown = line(told(tmp_path / "s1.jsonl"), "--then", "printf 'mine: '; wc -c").splitlines()
    assert shown[0].startswith("mine: ")
    assert int(shown[0].split()[1]) > 100
    assert shown[1:] == ["Continuity · 17 % of 1M · not recorded yet"]
    assert line(told(tmp_path / "s1.jsonl"), "--then", "exit 3") == "Continuity · 17 % of 1M · not recorded yet\n"


@pytest.mark.parametrize("theirs", [None, {"type": "command", "command": "echo 'it''s mine' | cat", "padding": 0}])
def test_installing_keeps_a_line_that_is_there_and_uninstalling_gives_it_back(home: Path, theirs: Any) -> None:
    settings = home / ".claude" / "settings.json"
    settings.parent.mkdir()
    before = {"model": "opus"} | ({"statusLine": theirs} if theirs else {})
    settings.write_text(json.dumps(before))
    assert main(["install", "claude-code", "--yes"]) == 0
    put_in = json.loads(settings.read_text())["statusLine"]
    assert status_line.is_present(settings.read_text())
    main(["install", "claude-code", "--yes"])
    assert json.loads(settings.read_text())["statusLine"] == put_in
    if theirs:
        assert put_in["padding"] == 0
        assert shlex.split(put_in["command"])[-2:] == ["--then", theirs["command"]]
    # Also where the file was changed since.
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"theme": "dark"}))
    main(["uninstall", "claude-code", "--yes"])
    assert json.loads(settings.read_text()) == before | {"theme": "dark"}


def test_a_line_can_be_left_alone(home: Path) -> None:
    main(["install", "claude-code", "--yes", "--no-status-line"])
    assert "statusLine" not in json.loads((home / ".claude" / "settings.json").read_text())
