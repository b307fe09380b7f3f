"""`continuity note` as an agent types it, and the hook that asks for one."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client.client import Client
from continuity.client.main import AWAY, DONE, USAGE
from continuity.client.recording import positions
from tests.client.hooked import hook, occupy

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

HOLDS = "The tide page is to be built, never in feet."
WRONG = "The user approved the release."


@pytest.fixture
def recorded(tide_session: Path, server: LiveServer, said: Any) -> Client:
    assert said("push", str(tide_session))[0] == DONE
    return Client()


def test_it_works(recorded: Client, tmp_path: Path, said: Any) -> None:
    path = tmp_path / "note.json"
    path.write_text(json.dumps({"history": [WRONG], "lessons": [HOLDS]}))
    code, told, _ = said("note", str(path))
    assert code == DONE
    assert "Note 1 is kept: 1 of 2 statements go into the next handoff." in told
    assert f"  history: {WRONG}\n    No person was found to have said this." in told
    said("handoff")
    directive = said("resume", "--print")[1]
    assert f"• {HOLDS}" in directive
    assert WRONG not in directive


def test_parts_may_be_options_or_come_through_a_pipe(recorded: Client, said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    told = json.loads(said("note", "--lessons", HOLDS, "--broken-approaches", "Feet were tried.", "--json")[1])
    assert [each["part"] for each in told["note"]["statements"]] == ["broken_approaches", "lessons"]
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps({"now": [HOLDS]})))
    assert json.loads(said("note", "--json")[1])["note"]["number"] == 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nonsense", "can't be read"),
        ("[1]", "must be a JSON object"),
        ("[" * 50_000, "nested too deeply"),
        ("x" * 200_001, "at most 200,000"),
    ],
)
def test_what_is_no_note_is_refused_before_it_is_sent(text: str, told: str, tmp_path: Path, said: Any) -> None:
    path = tmp_path / "note.json"
    path.write_text(text)
    code, _, err = said("note", str(path))
    assert code == USAGE
    assert told in err
    assert said("note", str(path), "--now", "x")[0] == USAGE


def test_the_server_names_the_wrong_part(recorded: Client, tmp_path: Path, said: Any) -> None:
    path = tmp_path / "note.json"
    path.write_text(json.dumps({"nxt": ["x"]}))
    code, _, err = said("note", str(path))
    assert code != DONE
    assert "nxt" in err


def test_a_server_that_is_away_is_said(said: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    assert said("note", "--now", "x", "--conversation", "c")[0] == AWAY


@pytest.fixture
def quiet(server: LiveServer) -> Iterator[None]:
    """Somebody records already, so that no hook starts a recorder."""
    claim = occupy()
    yield
    claim.release()


def decided(path: Path, wanted: str, share: float) -> None:
    """What the recorder wrote down of the server's last answer."""
    decision = {"note_wanted": wanted, "utilization": share, "should_handoff": wanted == "handoff", "remaining_turns": 3}
    positions.save(positions.FilePosition(str(path), conversation="c-1", decision=decision))


def test_the_hook_asks_once_for_each_window(quiet: None, tide_session: Path) -> None:
    decided(tide_session, "", 0.5)
    assert "handoff note" not in hook("UserPromptSubmit", tide_session, prompt="Go on")
    decided(tide_session, "window", 0.76)
    told = hook("UserPromptSubmit", tide_session, prompt="Go on")
    assert "asks once for a handoff note, since the context window is 76% full" in told
    assert "`continuity note --conversation c-1`" in told
    assert "write_handoff_note" in told
    assert "broken_approaches" in told
    for event in ("UserPromptSubmit", "PostToolUse", "Stop"):
        assert "handoff note" not in hook(event, tide_session, prompt="Go on", tool_name="Bash")
    decided(tide_session, "handoff", 0.86)
    assert "handoff note, since a handoff is due" in hook("PostToolUse", tide_session, tool_name="Bash")
    assert "handoff note" not in hook("PostToolUse", tide_session, tool_name="Bash")
    decided(tide_session, "", 0.2)  # compacted
    assert hook("PostToolUse", tide_session, tool_name="Bash") == ""
    decided(tide_session, "window", 0.77)
    assert "handoff note" in hook("PostToolUse", tide_session, tool_name="Bash")


def test_nobody_is_asked_at_a_stop_or_without_a_person(quiet: None, tide_session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decided(tide_session, "window", 0.8)
    assert hook("Stop", tide_session) == ""
    assert hook("SessionEnd", tide_session) == ""
    monkeypatch.setitem(os.environ, "CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
    assert "handoff note" not in hook("PostToolUse", tide_session, tool_name="Bash")
