"""From a session file to the server, and what happens when the server is away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from continuity.client import places
from continuity.client.client import Client
from continuity.client.recording import positions, refused_messages
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import TITLE, SessionRecorder, about_session
from continuity.client.recording.spool import Spool
from continuity.models import Message as Row
from continuity.transcripts import Message, open_transcript
from tests.client.sessions import CWD, grow, lines, uuid

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s1.jsonl"


@pytest.fixture
def said() -> list[str]:
    return []


def recorder(path: Path, said: list[str], spool: Spool | None = None, *, url: str = "") -> SessionRecorder:
    return SessionRecorder(path, Sender(Client(url, "cont_x") if url else Client(), spool or Spool(), said.append), said.append)


def stored(client: Client, conversation: str) -> list[str]:
    return [str(message["external_id"]) for message in client.messages(conversation)]


def everything(session: str, last: int) -> list[str]:
    return [uuid(session, number) for number in range(1, last + 1)]


def test_it_works(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes(lines("s1", 1, 4))
    recording = recorder(path, said)
    recording.finish()
    grow(path, lines("s1", 5, 6))
    recording.finish()
    assert stored(client, recording.conversation) == everything("s1", 6)
    told = client.conversation(recording.conversation)
    assert (told["source_tool"], told["external_id"], told["cwd"], told["title"]) == ("claude-code", "s1", CWD, "Please check harbour 1.")
    assert recording.decision["should_handoff"] is False
    assert said == []


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        (f"Please check {'the harbours ' * 9}again", f"Please check {'the harbours ' * 6}the…"),
        ("x" * 101, "x" * 99 + "…"),
        ("Please  check\tthem\nall", "Please check them"),
    ],
    ids=["words", "word", "line"],
)
def test_a_long_title_ends_behind_a_word(path: Path, asked: str, title: str) -> None:
    path.write_bytes(lines("s1", 1, 2, n1=asked))
    with open_transcript(path, format="claude-code") as transcript:
        first = next(each for each in transcript if isinstance(each, Message))
    told = about_session(path, "claude-code", first)["title"]
    assert (told, len(told) <= TITLE) == (title, True)


def test_what_is_recorded_is_what_an_import_records(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes((Path(__file__).parents[3] / "continuity" / "demo" / "session.jsonl").read_bytes())
    recording = recorder(path, said)
    recording.finish()
    read = [event for event in open_transcript(path) if isinstance(event, Message)]
    kept = [row.as_transcript() for row in Row.objects.filter(conversation_id=recording.conversation).order_by("seq")]
    assert kept == [replace(message, line=0, parent_id="") for message in read]


def test_two_recorders_of_one_file_leave_exactly_its_messages(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes(lines("s1", 1, 3))
    first, second = recorder(path, said), recorder(path, said)
    for last in range(4, 60, 4):
        first.step()
        grow(path, lines("s1", last, last + 3))
        if last % 3:
            second.step()
    first.finish()
    second.finish()
    assert stored(client, first.conversation) == everything("s1", 59)
    assert first.conversation == second.conversation


def test_fr002_a_server_that_is_away_costs_nothing_but_time(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes(lines("s1", 1, 10))
    recorder(path, said, url=NOWHERE).finish()
    grow(path, lines("s1", 11, 20))
    recorder(path, said, url=NOWHERE).finish()
    spool = Spool()
    assert spool.count() == 2
    assert "keeping everything on disk, next try in 1 s" in said[0]
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in places.home().rglob("*.json"))

    path.unlink()  # Nothing more is needed of the file.
    sender = Sender(client, spool, said.append)
    assert sender.drain() == 2
    assert spool.count() == 0
    conversation = client.conversations(external_id="s1")[0]["id"]
    assert stored(client, conversation) == everything("s1", 20)


def test_what_comes_while_others_wait_goes_behind_them(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes(lines("s1", 1, 10))
    recorder(path, said, url=NOWHERE).finish()
    grow(path, lines("s1", 11, 12))
    late = recorder(path, said)
    late.finish()
    assert Spool().count() == 0
    assert stored(client, client.conversations(external_id="s1")[0]["id"]) == everything("s1", 12)


def test_a_full_spool_drops_nothing_and_says_so(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes(lines("s1", 1, 1_200))
    small = Spool(limit=250_000)
    stopped = recorder(path, said, small, url=NOWHERE)
    while stopped.step():
        pass
    assert 0 < small.count() < 3
    assert not stopped.step()
    assert "No room" in said[-1]
    assert positions.load(path).offset < path.stat().st_size

    Sender(client, small, said.append).drain()
    going_on = recorder(path, said)
    going_on.finish()
    assert stored(client, going_on.conversation) == everything("s1", 1_200)


def test_a_message_that_the_server_refuses_is_held_a_place_and_the_others_go(
    path: Path, said: list[str], client: Client, settings: object
) -> None:
    settings.CONTINUITY_MAX_MESSAGE_BYTES = 20_000  # type: ignore[attr-defined]
    path.write_bytes(lines("s1", 1, 9, n5="tide " * 8_000))
    recording = recorder(path, said)
    recording.finish()
    assert stored(client, recording.conversation) == everything("s1", 9), "in order"
    assert [bool(message["placeholder"]) for message in client.messages(recording.conversation)].index(True) == 4
    [kept] = refused_messages.everything()
    assert kept.batch["messages"][0]["external_id"] == uuid("s1", 5)
    assert (kept.held, "20,000 bytes" in kept.reason) == (True, True)
    assert any("set aside" in line for line in said)

    settings.CONTINUITY_MAX_MESSAGE_BYTES = 200_000  # type: ignore[attr-defined]
    settings.CONTINUITY_VERSION = "9.9"  # type: ignore[attr-defined]
    grow(path, lines("s1", 10, 10))
    sender = Sender(client, Spool(), said.append)
    SessionRecorder(path, sender, said.append).finish()
    sender.drain()
    found = list(client.messages(recording.conversation))
    assert [message["external_id"] for message in found] == everything("s1", 10)
    assert found[4]["parts"][0]["text"].startswith("tide tide")
    assert list(refused_messages.everything()) == []
    assert list(places.folder("aside").iterdir()) == list(places.folder("spool").iterdir()) == []


def test_a_refused_key_keeps_everything(path: Path, said: list[str], server: LiveServer) -> None:
    path.write_bytes(lines("s1", 1, 4))
    recorder(path, said, url=server.url).finish()
    assert Spool().count() == 1
    assert "continuity doctor" in said[0]


def test_a_rotated_file_ends_one_session_and_begins_the_next(path: Path, said: list[str], client: Client) -> None:
    path.write_bytes(lines("s1", 1, 4))
    recording = recorder(path, said)
    recording.finish()
    first = recording.conversation
    path.rename(path.with_suffix(".old"))
    path.write_bytes(lines("s2", 1, 6))
    recording.step()
    recording.finish()
    recording.finish()
    assert stored(client, first) == everything("s1", 4)
    assert stored(client, client.conversations(external_id="s2")[0]["id"]) == everything("s2", 6)
