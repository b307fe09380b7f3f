"""What the person in front of the tool is told: continued from whom and when, how full the window is, that a handoff is ready."""

from __future__ import annotations

import calendar
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.client.client import Client
from continuity.client.hooks import answers
from continuity.client.light import exclusions
from continuity.client.recording import positions
from tests.client.hooked import PROGRAM, answered, occupy, person_told, record_all
from tests.client.sessions import lines
from tests.client.test_statusline import line, told

NOBODY = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def recorders(client: Client) -> Iterator[None]:
    """No hook starts a recorder that outlives the test."""
    claims = [occupy(), occupy(NOBODY)]
    yield
    for claim in claims:
        claim.release()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4, n1="Please build the tide page, never in feet."))
    return path


def test_it_works(session: Path, tmp_path: Path, client: Client) -> None:
    made = client.prepare(record_all(session).conversation)
    context, said = answered("SessionStart", tmp_path / "s2.jsonl", source="startup")
    assert "never in feet" in context
    assert said.startswith("Continuity: resumes a handoff of key client (just now)")
    assert said.endswith(f"{client.url}/handoffs/{made['id']}")
    assert "\n" not in said


def test_nothing_is_said_where_there_is_nothing_to_say(session: Path) -> None:
    for event in ("SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"):
        assert answered(event, session, source="startup", prompt="Go on", tool_name="Bash") == ("", "")


def test_a_server_that_is_away_is_told_at_the_start_and_not_again(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", NOBODY)
    said = person_told("SessionStart", session, source="startup")
    assert said == "Continuity: the server can't be reached. This session is kept here and sent when it can."
    assert person_told("Stop", session) == ""


def test_who_is_not_logged_in_is_told(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONTINUITY_API_KEY")
    assert "`continuity login` mends it" in person_told("SessionStart", session, source="startup")
    assert person_told("UserPromptSubmit", session, prompt="Go on") == ""


def test_who_is_refused_is_told_why_and_what_becomes_of_the_session(session: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    claims = [occupy()]
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_1fbb31ea894d_of_nobody")
    claims.append(occupy())
    said = person_told("SessionStart", session, source="startup")
    for claim in claims:
        claim.release()
    assert said.startswith("Continuity: the server refuses: ")
    assert said.endswith("This session is kept here until that is mended; `continuity doctor` says how.")


def test_a_handoff_of_the_session_is_told_once_with_its_page(session: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    record_all(session)
    positions.save(positions.load(session)._replace(handoff="h-1"))
    said = person_told("UserPromptSubmit", session, prompt="Go on")
    assert said.endswith(f"{client.url}/handoffs/h-1")
    assert person_told("UserPromptSubmit", session, prompt="Go on") == ""
    assert line(told(session)).endswith(f" · handoff ready: {client.url}/handoffs/h-1\n")
    monkeypatch.delenv("CONTINUITY_API_KEY")
    assert line(told(session)).endswith(" · handoff ready\n"), "also where nobody is logged in"


def test_how_full_the_window_is_is_told_to_both(session: Path) -> None:
    record_all(session)
    known = positions.load(session)
    positions.save(known._replace(decision={"utilization": 0.81, "remaining_turns": 3}))
    context, said = answered("UserPromptSubmit", session, prompt="Go on")
    assert "the context window is 81% full, about 3 turns left" in context
    assert said == context


def test_the_status_line_says_what_is_not_recorded(session: Path, tmp_path: Path) -> None:
    (tmp_path / exclusions.IGNORE).write_text("")
    payload = told(session) | {"cwd": str(tmp_path)}
    assert line(payload) == "Continuity · 17 % of 1M · not recorded here\n"
    exclusions.pause()
    assert line(payload) == "Continuity · 17 % of 1M · paused until `continuity pause --end`\n"


def test_the_status_line_loads_next_to_nothing(session: Path) -> None:
    """It is run again at every step of the tool: what it loads is what it costs."""
    sent = b'{"context_window": {"context_window_size": 200000, "used_percentage": 30}}'
    command = [sys.executable, "-IS", "-X", "importtime", str(PROGRAM), "statusline"]
    ended = subprocess.run(command, input=sent, capture_output=True, env=os.environ, check=True)
    loaded = {each.rpartition("|")[2].strip() for each in ended.stderr.decode().splitlines()}
    assert ended.stdout == "Continuity · 30 % of 200k · not recorded yet\n".encode()
    assert not loaded & {"json", "re", "typing", "pathlib", "socket", "hashlib", "dataclasses", "enum", "datetime", "subprocess"}


@given(st.datetimes(datetime(1970, 1, 2), datetime(9000, 1, 1)))  # noqa: DTZ001  hypothesis adds no zone of its own
def test_a_moment_is_read_as_the_calendar_has_it(when: datetime) -> None:
    now = calendar.timegm(when.replace(tzinfo=UTC).timetuple())
    written = when.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0") + ".123Z"
    assert answers.moment(written, now + 59) == "just now"
    assert answers.moment(written, now + 60) == "1 minute ago"
    assert answers.moment(written, now + 7200) == "2 hours ago"
    assert answers.moment(written, now + 86_400 * 3) == "3 days ago"


@pytest.mark.parametrize("written", ["", "yesterday", "2026", "2026-11-24", "x" * 10_000])
def test_what_is_no_moment_is_not_told(written: str) -> None:
    assert answers.moment(written, time.time()) == ""
