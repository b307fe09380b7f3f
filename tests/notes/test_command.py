"""`manage.py handoff FILE --note NOTE.json`: the note goes in, what did not hold is said and left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from handoffs.management.commands.handoff import BAD_INPUT, PASSED
from handoffs.notes.form import SCHEMA
from tests.packages.sessions import MESSAGES, said, write
from tests.test_handoff_command import run

HOLDS = "jobs/nightly.py is to be switched to the new scheduler."
WRONG = "The user approved the removal of the old cron entry."
SUMMARY = "This session is being continued.\n\n8. Current Work:\n   The trigger in jobs/nightly.py was looked at.\n"


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return write(tmp_path / "chat.json")


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.json"
    path.write_text(json.dumps({"now": [HOLDS], "history": [WRONG]}), encoding="utf-8")
    return path


def test_it_works(chat: Path, note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--note", note) == PASSED
    told = capfd.readouterr()
    assert f"• {HOLDS}\n" in told.out
    assert WRONG not in told.out
    assert f"Left out of the note (history): “{WRONG}” No person was found to have said this." in told.err


def test_json_keeps_what_was_left_out(chat: Path, note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--note", note, "--json", "--quiet") == PASSED
    kept = json.loads(capfd.readouterr().out)["note"]
    assert [(each["verdict"], bool(each["reason"])) for each in kept["statements"]] == [("supported", False), ("contradicted", True)]


def test_the_schema_is_printed_without_a_transcript(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("--note-schema") == PASSED
    assert json.loads(capfd.readouterr().out) == SCHEMA
    assert run() == BAD_INPUT


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "is no JSON"), ('{"nxt": ["a"]}', "did you mean “next”?"), ("[" * 100_000, "nested too deeply"), ("\udcff", "is no UTF-8")],
)
def test_a_bad_note_is_refused_with_its_fault(chat: Path, note: Path, text: str, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    note.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert run(chat, "--note", note) == BAD_INPUT
    assert told in capfd.readouterr().err


def test_a_tools_summary_is_a_note_unless_there_is_to_be_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines: list[dict[str, object]] = [
        {"type": "system", "subtype": "compact_boundary", "uuid": "b"},
        {"type": "user", "uuid": "s", "isCompactSummary": True, "message": {"role": "user", "content": SUMMARY}},
        {"type": "user", "uuid": "u", "message": {"role": "user", "content": "Please go on with the billing job."}},
        {"type": "assistant", "uuid": "a", "message": {"role": "assistant", "content": [{"type": "text", "text": "I will switch it."}]}},
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("".join(json.dumps(line | {"sessionId": "s", "timestamp": "2026-11-24T10:00:00Z"}) + "\n" for line in lines))
    assert run(path, "--quiet") == PASSED
    assert "• The trigger in jobs/nightly.py was looked at." in capfd.readouterr().out
    assert run(path, "--quiet", "--without-note") == PASSED
    assert "• The trigger" not in capfd.readouterr().out


def test_a_secret_in_a_note_is_masked(chat: Path, note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = "ghp_" + "R4nd0mLetters" * 3
    write(chat, [*MESSAGES, said("user", "Go on.")])
    note.write_text(json.dumps({"lessons": [f"The token is {secret}."]}), encoding="utf-8")
    assert run(chat, "--note", note) == PASSED
    told = capfd.readouterr()
    assert secret not in told.out + told.err


def test_a_note_of_an_earlier_place_says_so(chat: Path, note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--note", note, "--quiet") == PASSED
    assert "note was written at" not in capfd.readouterr().out
    assert run(chat, "--note", note, "--note-cut", "1", "--quiet") == PASSED
    assert "The agent’s note was written at m1; " in capfd.readouterr().out
    assert run(chat, "--note", note, "--note-cut", "0") == BAD_INPUT


def test_blanks_in_a_drawing_stay(chat: Path, note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    note.write_text(json.dumps({"decisions": ["The  lanes look like `│   │ •  abc`\n and `no\nmore`."]}), encoding="utf-8")
    assert run(chat, "--note", note, "--quiet") == PASSED
    assert "• The lanes look like `│   │ •  abc` and `no more`.\n" in capfd.readouterr().out
