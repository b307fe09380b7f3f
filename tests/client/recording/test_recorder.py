"""The recorder: one for all sessions of a user, started by any hook, that loses nothing however it ends, and leaves when it is done."""

from __future__ import annotations

import json
import random
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from continuity.client import credentials
from continuity.client.client import Client
from continuity.client.light import live_sessions as live
from continuity.client.recording import finding, live_sessions, positions, progress, recorder, watching
from continuity.client.recording.pack_starter import PackStarter
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import Watcher
from tests.client.hooked import EVENTS, end_recorders, hook, recorders
from tests.client.pretended import AWAY, Pretended
from tests.client.sessions import grow, lines, uuid
from tests.platform.running import eventually

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell which processes there are")


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pretended]:
    server = Pretended()
    monkeypatch.setenv("CONTINUITY_URL", server.url)
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    monkeypatch.setenv("CONTINUITY_HOOK_MS", "60000")
    yield server
    end_recorders()
    server.end()


def everything(session: str, last: int) -> list[str]:
    return [uuid(session, number) for number in range(1, last + 1)]


def named() -> list[Path]:
    return sorted(Path(live.folder()).glob("*.json"))


@pytest.mark.parametrize("event", EVENTS)
def test_it_works(event: str, tmp_path: Path, pretended: Pretended) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    hook(event, path, source="startup", prompt="Go on", trigger="auto", reason="exit", tool_name="Bash")
    assert eventually(lambda: list(pretended.stored.get("s1", {})) == everything("s1", 4))


def test_one_recorder_serves_all_sessions_and_goes_on_after_a_kill(tmp_path: Path, pretended: Pretended) -> None:
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("s1", "s2", "s3")}
    for name, path in paths.items():
        path.write_bytes(lines(name, 1, 2))
        hook("PostToolUse", path, tool_name="Bash")
    assert eventually(lambda: all(list(pretended.stored.get(name, {})) == everything(name, 2) for name in paths))
    [first] = recorders()
    hook("PostToolUse", paths["s1"], tool_name="Bash")
    assert recorders() == [first], "one is enough"
    rng = random.Random(7)
    for number in range(3, 43):
        for name, path in paths.items():
            grow(path, lines(name, number, number))
        if number % 10 == 0:
            end_recorders(signal.SIGKILL)
            hook("PostToolUse", paths["s1"], tool_name="Bash")  # of one session; the others have none any more
            assert eventually(lambda: len(recorders()) == 1)
        time.sleep(rng.uniform(0, 0.1))
    assert eventually(lambda: all(list(pretended.stored[name]) == everything(name, 42) for name in paths), 30), "nothing lost, in order"
    assert recorders() != [first]
    assert len(recorders()) == 1


def test_what_was_written_while_no_recorder_lived_comes_with_the_next_hook_of_any_session(tmp_path: Path, pretended: Pretended) -> None:
    lost, other = tmp_path / "s1.jsonl", tmp_path / "s2.jsonl"
    lost.write_bytes(b"")
    hook("SessionStart", lost, source="startup")
    end_recorders(signal.SIGKILL)
    lost.write_bytes(lines("s1", 1, 6))
    other.write_bytes(lines("s2", 1, 2))
    hook("SessionStart", other, source="startup")
    assert eventually(lambda: list(pretended.stored.get("s1", {})) == everything("s1", 6))


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_sessions, "ENDED_SECONDS", 0.3)
    monkeypatch.setattr(recorder, "STRIKE_SECONDS", 0.1)
    monkeypatch.setattr(recorder, "LINGER_SECONDS", 0.5)


@pytest.mark.parametrize("how", ["SessionEnd", "the tool is gone", "idle"])
def test_it_leaves_when_the_last_session_is_over(
    how: str, tmp_path: Path, pretended: Pretended, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    live.name(live.folder(), str(path), ended=how == "SessionEnd")
    [entry] = named()
    if how == "the tool is gone":
        gone = subprocess.Popen(["true"])
        gone.wait()
        entry.write_text(json.dumps({**json.loads(entry.read_text()), "pid": str(gone.pid), "born": "1"}))
    if how == "idle":
        monkeypatch.setattr(live_sessions, "IDLE_SECONDS", 0.5)
    assert recorder.run(print, lambda _stop: None) == 0
    assert list(pretended.stored["s1"]) == everything("s1", 4)
    assert named() == []


def test_it_stays_as_long_as_the_server_is_away_and_something_waits(
    tmp_path: Path, pretended: Pretended, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    live.name(live.folder(), str(path), ended=True)
    pretended.ready = False
    began = time.monotonic()

    def say(line: str) -> None:
        if time.monotonic() - began > 2:
            pretended.ready = True

    assert recorder.run(say, lambda _stop: None) == 0
    assert time.monotonic() - began > 2, "longer than it lingers"
    assert list(pretended.stored["s1"]) == everything("s1", 4)
    assert Spool().count() == 0
    assert positions.load(path).conversation, "its end was long ago, and yet it is known here that it arrived"
    assert progress.everything()[0].is_sent


def test_a_session_named_while_the_recorder_leaves_is_not_lost(
    tmp_path: Path, pretended: Pretended, hurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "s1.jsonl", tmp_path / "s2.jsonl"
    first.write_bytes(lines("s1", 1, 2))
    second.write_bytes(lines("s2", 1, 2))
    live.name(live.folder(), str(first), ended=True)
    serve = recorder._serve
    served: list[int] = []

    def serving(watcher: Watcher, sessions: live_sessions.LiveSessions, starter: PackStarter) -> None:
        serve(watcher, sessions, starter)
        if not served:  # In the moment between its last look and giving up the claim.
            live.name(live.folder(), str(second), ended=True)
        served.append(1)

    monkeypatch.setattr(recorder, "_serve", serving)
    recorder.run(print, lambda _stop: None)
    assert list(pretended.stored["s2"]) == everything("s2", 2)
    assert len(served) == 2


def test_a_second_recorder_leaves_at_once(pretended: Pretended) -> None:
    claim = live.claim(live.folder())
    assert recorder.run(print, lambda _stop: None) == 0
    claim.release()


def test_sessions_of_another_server_are_another_recorders(tmp_path: Path, pretended: Pretended, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = live.folder()
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_another")
    assert live.folder() != ours == live.folder_of(credentials.Credentials(pretended.url, "cont_x"))


def test_many_files_take_few_descriptors(tmp_path: Path, pretended: Pretended) -> None:
    """Some systems allow a process 256."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    for number in range(300):
        (folder / f"s{number}.jsonl").write_bytes(lines(f"s{number}", 1, 1))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = len(list(Path("/proc/self/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 100, hard))
    watcher = Watcher(lambda: finding.in_places([folder]), Sender(Client(), Spool(), print), print)
    try:
        assert eventually(lambda: not watcher.look() and len(pretended.stored) == 300, 60), len(pretended.stored)
        grow(folder / "s7.jsonl", lines("s7", 2, 2))
        assert eventually(lambda: not watcher.look() and len(pretended.stored["s7"]) == 2, 30)
    finally:
        watcher.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_what_found_no_room_is_kept_however_long_the_file_is_quiet(
    pretended: Pretended, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    (tmp_path / "s1.jsonl").write_bytes(lines("s1", 1, 5))
    monkeypatch.setattr(watching, "FORGET_SECONDS", 0.0)
    pretended.sessions = {"s1": AWAY}
    full = Sender(Client(answer=1.0), Spool(limit=0), said.append)
    watcher = Watcher(lambda: finding.in_places([tmp_path]), full, said.append)
    try:
        assert eventually(lambda: not watcher.look() and any("No room" in line for line in said))
        pretended.sessions = {}
        assert eventually(lambda: not watcher.look() and list(pretended.stored.get("s1", {})) == everything("s1", 5))
    finally:
        watcher.close()
