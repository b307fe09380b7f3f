"""One session that the server can't take keeps no other waiting, and loses nothing: of twenty, three in trouble, 17 arrive."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from continuity.client import places
from continuity.client.client import Client
from continuity.client.connection import ServerFault
from continuity.client.recording import finding, positions, refused_messages, retrying, server_state, watching
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import Watcher
from tests.client.pretended import AWAY, CLOSE, FAULT, HANG, REFUSE, Pretended
from tests.client.sessions import grow, lines, uuid
from tests.platform.running import eventually

LAST = 30
POISON = uuid("s03", 17)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pretended]:
    monkeypatch.setattr(retrying, "WAITS", (0.05, 0.1, 0.2, 0.4))
    monkeypatch.setattr(server_state, "LOOKS", (0.05, 0.1))
    server = Pretended()
    monkeypatch.setenv("CONTINUITY_URL", server.url)
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    yield server
    server.end()


@pytest.fixture
def said() -> list[str]:
    return []


def sender(said: list[str]) -> Sender:
    return Sender(Client(answer=1.0), Spool(), said.append)


def everything(session: str, last: int = LAST) -> list[str]:
    return [uuid(session, number) for number in range(1, last + 1)]


def test_it_works(pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    names = [f"s{number:02}" for number in range(20)]
    pretended.poison = {POISON}
    pretended.sessions = {"s00": FAULT, "s01": HANG, "s02": AWAY}
    paths = [tmp_path / f"{name}.jsonl" for name in names]
    watcher = Watcher(lambda: finding.in_places(paths), sender(said), said.append)
    try:
        for number in range(1, LAST + 1):
            for name, path in zip(names, paths, strict=True):
                grow(path, lines(name, number, number))
            watcher.look()

        def look() -> bool:
            watcher.look()
            return all(list(pretended.stored.get(name, {})) == everything(name) for name in names[3:])

        assert eventually(look, 60), {name: len(pretended.stored.get(name, {})) for name in names}
        assert [name for name in names[3:] for held in pretended.stored[name].values() if held is None] == ["s03"]
        assert pretended.stored["s03"][POISON] is None
        assert {"s00", "s01", "s02"}.isdisjoint(pretended.stored)
        [kept] = refused_messages.everything()
        assert (kept.correlation_id, kept.version, kept.held) == ("c-s03", "1", True)
        assert "correlation id c-s03" in kept.reason
        assert Spool().trouble(_session_of(paths[0]))["correlation_id"] == "c-s00"

        pretended.poison, pretended.sessions, pretended.version = set(), {}, "2"
        pretended.going.set()
        assert eventually(lambda: all(list(pretended.stored.get(name, {})) == everything(name) for name in names), 60), said[-5:]
        assert eventually(lambda: pretended.stored["s03"][POISON] == "Please check harbour 17.", 60), "it is sent again, into its place"
        assert eventually(lambda: watcher.courier.empty)
        # What was sent again goes from here only when its answer has come.
        assert eventually(lambda: not any(list(places.folder(name).iterdir()) for name in ("spool", "aside")))
    finally:
        watcher.close()


def _session_of(path: Path) -> str:
    return SessionRecorder(path, Sender(Client(), Spool(), print), print).session


def recorded(path: Path, sender: Sender) -> SessionRecorder:
    recorder = SessionRecorder(path, sender, print)
    recorder.finish()
    return recorder


def test_three_faults_of_a_ready_server_make_a_batch_divided_and_no_fewer(pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "s03.jsonl"
    path.write_bytes(lines("s03", 1, LAST))
    pretended.poison = {POISON, uuid("s03", 30)}
    recorder = recorded(path, sending := sender(said))
    for faults in (1, 2):
        assert Spool().trouble(recorder.session)["faults"] == faults == pretended.asked["s03"]
        assert pretended.stored == {}
        time.sleep(sending.outlook.wait(recorder.session))
        sending.drain()
    assert list(pretended.stored["s03"]) == everything("s03")
    assert {name for name, held in pretended.stored["s03"].items() if held is None} == pretended.poison
    assert len(list(refused_messages.everything())) == 2


def test_faults_are_counted_also_by_the_next_process(pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "s03.jsonl"
    path.write_bytes(lines("s03", 1, LAST))
    pretended.poison = {POISON}
    recorded(path, sender(said))
    for _ in range(2):
        sender(said).drain()
    assert list(pretended.stored["s03"]) == everything("s03")


def test_a_server_that_fails_at_everything_sets_nothing_aside(pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "s03.jsonl"
    path.write_bytes(lines("s03", 1, LAST))
    pretended.sessions = {"s03": FAULT}
    recorder = recorded(path, sending := sender(said))
    assert not sending.flush(recorder.session, 2)
    assert list(refused_messages.everything()) == []
    pretended.sessions = {}
    assert sending.flush(recorder.session, 10)
    assert list(pretended.stored["s03"]) == everything("s03")


def test_a_server_that_is_not_ready_makes_no_fault_count(pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "s03.jsonl"
    path.write_bytes(lines("s03", 1, LAST))
    pretended.ready = False
    recorder = recorded(path, sending := sender(said))
    for _ in range(4):
        time.sleep(0.2)
        sending.drain()
    assert Spool().trouble(recorder.session).get("faults", 0) == 0
    assert sending.outlook.away


@pytest.mark.parametrize("how", [CLOSE, AWAY])
def test_no_answer_is_tried_for_ever_and_sets_nothing_aside(how: str, pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "s03.jsonl"
    path.write_bytes(lines("s03", 1, LAST))
    pretended.sessions = {"s03": how}
    recorder = recorded(path, sending := sender(said))
    assert not sending.flush(recorder.session, 1.5)
    assert list(refused_messages.everything()) == []
    pretended.sessions = {}
    assert sending.flush(recorder.session, 10)
    assert list(pretended.stored["s03"]) == everything("s03")


def test_what_is_refused_for_good_is_set_aside_at_once(pretended: Pretended, tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "s03.jsonl"
    path.write_bytes(lines("s03", 1, 3))
    pretended.sessions = {"s03": REFUSE}
    recorded(path, sender(said))
    assert [kept.messages for kept in refused_messages.everything()] == [1, 1, 1]
    assert not any(kept.held for kept in refused_messages.everything()), "this server does not know placeholders"
    assert Spool().count() == 0


def test_a_backlog_goes_as_soon_as_the_server_is_back(
    pretended: Pretended, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrying, "WAITS", (3600.0,))
    names = [f"s{number:02}" for number in range(6)]
    for name in names:
        (tmp_path / f"{name}.jsonl").write_bytes(lines(name, 1, 5))
    pretended.ready = False
    watcher = Watcher(lambda: finding.in_places([tmp_path]), sender(said), said.append)
    try:
        assert eventually(lambda: not watcher.look() and Spool().count() == 6)
        assert eventually(lambda: watcher.courier.idle)
        assert pretended.stored == {}
        pretended.ready = True
        assert eventually(lambda: watcher.courier.empty, 20), "nobody waits for the next attempt, which is an hour away"
        assert [list(pretended.stored[name]) for name in names] == [everything(name, 5) for name in names]
    finally:
        watcher.close()


def test_a_fault_names_its_correlation_id(pretended: Pretended) -> None:
    pretended.sessions = {"s1": FAULT}
    with pytest.raises(ServerFault, match="HTTP 500, correlation id c-s1"):
        Client().append("s1", [{"role": "user", "content": "x", "external_id": "1"}])


@pytest.mark.parametrize("where", ["reading", "sending"])
def test_a_fault_of_our_own_at_one_session_stops_no_other(
    where: str, pretended: Pretended, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("s1", "s2", "s3"):
        (tmp_path / f"{name}.jsonl").write_bytes(lines(name, 1, 5))
    step, append = SessionRecorder.step, Client.append

    def stepping(self: SessionRecorder) -> bool:
        if self.path.stem == "s1" and where == "reading":
            raise IndexError("no such element")
        return step(self)

    def appending(self: Client, conversation: str, *given: Any, **named: Any) -> Any:
        if conversation == "s1" and where == "sending":
            raise IndexError("no such element")
        return append(self, conversation, *given, **named)

    with monkeypatch.context() as failing:
        failing.setattr(SessionRecorder, "step", stepping)
        failing.setattr(Client, "append", appending)
        watcher = Watcher(lambda: finding.in_places([tmp_path]), sender(said), said.append)
        try:
            assert eventually(lambda: not watcher.look() and {"s2", "s3"} <= set(pretended.stored))
            assert eventually(lambda: any("IndexError" in line for line in said))
            assert "s1" not in pretended.stored
            failing.undo()
            grow(tmp_path / "s1.jsonl", lines("s1", 6, 6))
            assert eventually(lambda: not watcher.look() and len(pretended.stored.get("s1", {})) == 6)
        finally:
            watcher.close()


def test_the_handoff_that_was_being_prepared_is_asked_for_later(
    pretended: Pretended, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "HELD_SECONDS", 0.1)
    monkeypatch.setattr(watching, "OFFERS_SECONDS", 0.1)
    pretended.held = "preparing"
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 3))
    watcher = Watcher(lambda: finding.in_places([path]), sender(said), said.append)
    try:
        assert eventually(lambda: not watcher.look() and positions.load(path).handoff == "h1")
    finally:
        watcher.close()
    assert positions.load(path).decision == {"utilization": 0.1, "held": None, "handoff_id": "h1"}
