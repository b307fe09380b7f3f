"""A pause: what is said while it lasts is never recorded, what is said before and after it is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.light import exclusions
from continuity.client.main import DONE, FAILED
from tests.client.hooked import EVENTS, end_recorders, hook, occupy, record_all
from tests.client.sessions import grow, lines, uuid
from tests.platform.running import eventually

Said = Callable[..., tuple[int, str, str]]


def stored(client: Client, conversation: str) -> list[str]:
    return [str(message["external_id"]) for message in client.messages(conversation)]


def ids(first: int, last: int) -> list[str]:
    return [uuid("s1", number) for number in range(first, last + 1)]


def test_it_works(tmp_path: Path, client: Client, said: Said) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    conversation = record_all(path).conversation
    assert said("pause")[0] == DONE
    grow(path, lines("s1", 3, 4))
    record_all(path)
    grow(path, lines("s1", 5, 6))
    status, told, _ = said("pause", "--end")
    assert (status, "left out" in told) == (DONE, True)
    grow(path, lines("s1", 7, 8))
    record_all(path)
    assert stored(client, conversation) == ids(1, 2) + ids(7, 8)


def test_a_session_that_begins_in_it_has_no_title_of_its_words(tmp_path: Path, client: Client, said: Said) -> None:
    path = tmp_path / "s1.jsonl"
    said("pause")
    path.write_bytes(lines("s1", 1, 2, n1="The secret harbour of Aalto"))
    record_all(path)
    said("pause", "--end")
    grow(path, lines("s1", 3, 4))
    known = client.conversation(record_all(path).conversation)
    assert stored(client, known["id"]) == ids(3, 4)
    assert "Aalto" not in str(known)


@pytest.mark.parametrize("event", EVENTS)
def test_hooks_say_nothing_in_it(event: str, tmp_path: Path, client: Client) -> None:
    old, path = tmp_path / "s0.jsonl", tmp_path / "s1.jsonl"
    old.write_bytes(lines("s0", 1, 4))
    made = client.prepare(record_all(old).conversation)
    path.write_bytes(lines("s1", 1, 2))
    claim = occupy()
    exclusions.pause()
    assert hook(event, path, source="startup", prompt="Go on", trigger="auto", reason="exit", tool_name="Bash") == ""
    claim.release()
    assert client.handoff(made["id"])["status"] == "ready"
    assert [each["external_id"] for each in client.conversations()] == ["s0"]


def test_the_recorder_in_the_background_reads_past_it(tmp_path: Path, client: Client, said: Said) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    hook("Stop", path)
    try:
        assert eventually(lambda: bool(client.conversations()))
        [known] = client.conversations()
        assert eventually(lambda: stored(client, known["id"]) == ids(1, 2))
        said("pause")
        grow(path, lines("s1", 3, 4))
        said("pause", "--end")
        grow(path, lines("s1", 5, 6))
        assert eventually(lambda: len(stored(client, known["id"])) >= 4)
        assert stored(client, known["id"]) == ids(1, 2) + ids(5, 6)
    finally:
        end_recorders()


def test_it_ends_by_itself(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said("pause", "--minutes", "30")[0] == DONE
    assert exclusions.paused().startswith("until ")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 1801)
    assert exclusions.paused() == ""
    assert said("pause", "--end")[0] == DONE
    assert said("pause", "--end")[0] == FAILED


def test_what_a_person_sends_by_hand_is_refused_and_told(tmp_path: Path, client: Client, said: Said) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    said("pause")
    status, _, told = said("push", str(path))
    assert (status, "recording is paused" in told) == (FAILED, True)
    assert client.conversations() == []


def test_status_and_doctor_tell_of_it(client: Client, said: Said) -> None:
    said("pause")
    assert "Records  nothing, until `continuity pause --end`" in said("status")[1]
    assert "recording: paused" in said("doctor")[1]


@pytest.mark.parametrize(
    "written", ["", "{", "[]", '{"until": "soon"}', '{"until": ""}', '{"until": "1e300"}', '{"until": "nan"}', '{"until": ["1"]}']
)
def test_a_damaged_note_of_it_still_pauses(home: Path, written: str) -> None:
    exclusions.pause()
    (home / ".continuity" / exclusions.PAUSE).write_text(written)
    assert exclusions.paused()


@pytest.mark.parametrize("minutes", ["0", "-5", "nan", "inf", "1e300", "10081", "soon"])
def test_what_is_no_time_pauses_nothing(said: Said, minutes: str) -> None:
    with pytest.raises(SystemExit):
        said("pause", f"--minutes={minutes}")
    assert exclusions.paused() == ""


def test_a_pause_beyond_today_tells_the_day(said: Said) -> None:
    said("pause", "--minutes", str(3 * 24 * 60))
    assert re.fullmatch(r"until \d{4}-\d\d-\d\d \d\d:\d\d", exclusions.paused())


def test_what_agents_of_a_session_say_in_it_is_left_out_too(tmp_path: Path, client: Client, said: Said) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    agent = path.with_suffix("") / "subagents" / "agent-1.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(lines("s1", 11, 12))
    conversation = record_all(path).conversation
    record_all(agent)
    said("pause")
    grow(agent, lines("s1", 13, 14))
    said("pause", "--end")
    grow(agent, lines("s1", 15, 16))
    record_all(agent)
    assert stored(client, conversation) == ids(1, 2) + ids(11, 12) + ids(15, 16)


def test_a_file_is_the_same_however_it_is_named(tmp_path: Path, client: Client, said: Said) -> None:
    path, roundabout = tmp_path / "s1.jsonl", tmp_path / "home" / ".." / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    conversation = record_all(roundabout).conversation
    said("pause")
    grow(path, lines("s1", 3, 4))
    record_all(path)
    exclusions.end_pause()
    grow(path, lines("s1", 5, 6))
    record_all(roundabout)
    assert stored(client, conversation) == ids(1, 2) + ids(5, 6)
