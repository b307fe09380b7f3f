"""A session written line by line while `watch` runs twice, with kill -9 of all that takes part in between; a disk that is full; and a
clock that is set back."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.connection import Away
from continuity.client.recording.spool import Spool
from tests.client.sessions import grow, lines, uuid
from tests.platform.running import Application, eventually, key_of

PROGRAM = Path(__file__).parents[3] / "continuity" / "client" / "__main__.py"
LAST = 240
KILLED = {40: "worker", 60: "web", 120: "valkey", 150: "web", 180: "postgres", 210: "beat"}  # where all of the session is written

pytestmark = pytest.mark.processes


@pytest.fixture
def client(application: Application, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setenv("CONTINUITY_URL", f"http://127.0.0.1:{application.port}")
    monkeypatch.setenv("CONTINUITY_API_KEY", key_of(application))
    return Client()


CLOCK_SET_BACK = """
import itertools, runpy, sys, time
really, back = time.time, itertools.count()
time.time = lambda: really() - 3600 * next(back)  # an hour further back whenever anybody looks
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def watch(path: Path, *, full_disk: bool = False, clock_set_back: bool = False) -> subprocess.Popen[bytes]:
    """A watcher in a process of its own; with a full disk none of its files may grow beyond 16 KB."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384))

    program = ["-c", CLOCK_SET_BACK, str(PROGRAM)] if clock_set_back else [str(PROGRAM)]
    # Without bytecode: what is cut short at the limit would be read by whoever comes next.
    command = [sys.executable, "-BIS", *program, "watch", str(path)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=os.environ, preexec_fn=limit if full_disk else None)


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def stored(client: Client, session: str) -> list[str]:
    try:
        found = client.conversations(external_id=session)
        return [str(message["external_id"]) for message in client.messages(found[0]["id"])] if found else []
    except Away:
        return []


def words(client: Client, session: str) -> list[tuple[str, str]]:
    """Who said what, as the server has it."""
    conversation = client.conversations(external_id=session)[0]["id"]
    return [(message["role"], "".join(part["text"] for part in message["parts"])) for message in client.messages(conversation)]


def words_of(path: Path) -> list[tuple[str, str]]:
    """Who said what, as the file has it."""
    found = (json.loads(line)["message"] for line in path.read_text().splitlines())
    return [(said["role"], said["content"] if isinstance(said["content"], str) else said["content"][0]["text"]) for said in found]


def everything(session: str, last: int = LAST) -> list[str]:
    return [uuid(session, number) for number in range(1, last + 1)]


@pytest.mark.parametrize(("session", "last"), [("s1", LAST // 4), pytest.param("s7", LAST, marks=pytest.mark.long)])
def test_it_works(application: Application, client: Client, tmp_path: Path, session: str, last: int) -> None:
    path = tmp_path / f"{session}.jsonl"
    killed = {number * last // LAST: name for number, name in KILLED.items()}
    path.touch()
    watchers = [watch(path), watch(path)]
    try:
        for number in range(1, last + 1):
            data = lines(session, number, number)
            grow(path, data[:30])
            grow(path, data[30:])
            if number == last * 5 // 12:
                kill(watchers[0])
                watchers[0] = watch(path)
            if name := killed.get(number):
                assert eventually(lambda name=name: application.has(name))  # type: ignore[misc]
                before = application.kill(name)
                assert number < last // 2 or name != "web" or application.replaced(name, before)
            if number % 10 == 0:
                eventually(lambda: len(stored(client, session)) > 0, 0.2)
        kill(watchers[1])
        watchers[1] = watch(path)
        assert eventually(lambda: len(stored(client, session)) >= last), (len(stored(client, session)), Spool().count())
        assert eventually(lambda: Spool().count() == 0)
        assert stored(client, session) == everything(session, last)
        assert words(client, session) == words_of(path), "message by message"
        assert eventually(lambda: client.prepare(client.conversations(external_id=session)[0]["id"])["status"] == "ready"), (
            "and all of it is known"
        )
    finally:
        for process in watchers:
            kill(process)


def test_a_full_disk_loses_nothing(application: Application, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s2.jsonl"
    path.write_bytes(lines("s2", 1, LAST))
    url = os.environ["CONTINUITY_URL"]
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    process = watch(path, full_disk=True)
    try:
        assert not eventually(lambda: process.poll() is not None, 3), "it goes on, whatever the disk says"
    finally:
        kill(process)
    assert Spool().count() == 0
    monkeypatch.setenv("CONTINUITY_URL", url)
    process = watch(path)
    try:
        assert eventually(lambda: len(stored(client, "s2")) >= LAST)
        assert stored(client, "s2") == everything("s2")
    finally:
        kill(process)


def test_a_clock_set_back_delays_nothing(application: Application, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "s3.jsonl"
    path.write_bytes(lines("s3", 1, 20))
    process = watch(path, clock_set_back=True)
    try:
        assert eventually(lambda: len(stored(client, "s3")) == 20)
        before = application.kill("web")
        grow(path, lines("s3", 21, 30))
        os.utime(path, (0, 0))
        assert application.replaced("web", before)
        assert eventually(lambda: len(stored(client, "s3")) == 30), "also waiting for the server goes by another clock"
        assert stored(client, "s3") == everything("s3", 30)
    finally:
        kill(process)


def test_a_file_that_is_truncated_or_rotated_is_recorded_whole(application: Application, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "s4.jsonl"
    path.write_bytes(lines("s4", 1, 20))
    process = watch(path)
    try:
        assert eventually(lambda: len(stored(client, "s4")) == 20)
        path.write_bytes(lines("s5", 1, 5))
        assert eventually(lambda: len(stored(client, "s5")) == 5)
        grow(path, lines("s5", 6, 9))
        path.rename(tmp_path / "s5.jsonl.1")
        path.write_bytes(lines("s6", 1, 4))
        assert eventually(lambda: len(stored(client, "s6")) == 4)
        assert [stored(client, session) for session in ("s4", "s5", "s6")] == [
            everything("s4", 20),
            everything("s5", 9),
            everything("s6", 4),
        ]
    finally:
        kill(process)
