"""What a start finds in its data folder: one that runs, or what a killed one left behind."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import folder, leftovers, ports
from config.embedded.errors import StartError
from config.supervision import readiness, runfile, stale_processes
from config.supervision.processes import Identity, identify, own_identity
from tests.platform.running import clean_environment


@pytest.fixture(autouse=True)
def no_named_run_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONTINUITY_RUN_FILE", raising=False)


@pytest.fixture
def abandoned(tmp_path: Path) -> Iterator[Identity]:
    """A process marked as started by a supervisor of this folder that is gone."""
    env = clean_environment(tmp_path, **{leftovers.MARK: leftovers.mark(Identity(1, 0.0), tmp_path)})
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env=env)
    who = identify(process.pid)
    assert who is not None
    yield who
    process.kill()
    process.wait()


def test_it_works(tmp_path: Path, abandoned: Identity) -> None:
    assert stale_processes.end_leftovers(tmp_path) == 1
    assert not abandoned.alive()
    assert stale_processes.end_leftovers(tmp_path) == 0


def test_process_that_has_only_just_started_is_found(tmp_path: Path) -> None:
    env = {leftovers.MARK: leftovers.mark(Identity(1, 0.0), tmp_path)}
    for _ in range(200):  # Linux shows an empty environment for some microseconds after Popen has returned.
        process = subprocess.Popen(["/bin/sleep", "60"], env=env)
        try:
            assert leftovers.environment(process.pid) == env
        finally:
            process.kill()
            process.wait()


def test_processes_of_another_folder_are_left_alone(tmp_path: Path, abandoned: Identity) -> None:
    (tmp_path / "other").mkdir()
    assert stale_processes.end_leftovers(tmp_path / "other") == 0
    assert abandoned.alive()


def test_recorded_pid_that_now_belongs_to_another_is_left_alone(tmp_path: Path, abandoned: Identity) -> None:
    (tmp_path / "other").mkdir()
    stale = runfile.RunFile(Identity(1, 0.0), "supervisor", processes={"web": Identity(abandoned.pid, abandoned.started - 1)})
    runfile.write(tmp_path / "other" / runfile.NAME, stale)
    assert stale_processes.end_leftovers(tmp_path / "other") == 0
    assert abandoned.alive()
    assert not (tmp_path / "other" / runfile.NAME).exists()


def test_who_runs_names_the_supervisor_or_whatever_holds_the_folder(tmp_path: Path) -> None:
    assert stale_processes.who_runs(tmp_path).startswith(f"another process uses {tmp_path}")
    runfile.write(tmp_path / runfile.NAME, runfile.RunFile(own_identity(), "supervisor", web_url="http://127.0.0.1:8000"))
    assert stale_processes.who_runs(tmp_path) == f"already running at http://127.0.0.1:8000 (pid {own_identity().pid}, data in {tmp_path})"


def test_lock_is_had_once_and_freed(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    with folder.locked(lock, exclusive=True, seconds=0) as first, folder.locked(lock, exclusive=True, seconds=0) as second:
        assert (first, second) == (True, False)
    with folder.locked(tmp_path / "lock", exclusive=True, seconds=0) as third:
        assert third


def test_gate_holds_the_web_process_until_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = [sys.executable, "-c", "from config.supervision import readiness; readiness.wait()"]
    readiness.close(tmp_path)
    process = subprocess.Popen(waiting, env=clean_environment(tmp_path, **{readiness.VARIABLE: str(readiness.at(tmp_path))}))
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    readiness.open_for(tmp_path)
    assert process.wait(60) == 0
    monkeypatch.delenv(readiness.VARIABLE, raising=False)
    readiness.wait()


def test_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match=str(tmp_path / "file")):
        folder.prepare(tmp_path / "file" / "data")


def test_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    folder.prepare(tmp_path / "shared")
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755


def test_port_refusals_name_their_cause() -> None:
    port = ports.free_port()
    assert ports.refusal("127.0.0.1", port) is None
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        assert ports.refusal("127.0.0.1", port) == f"port {port} on 127.0.0.1 is in use: end what uses it, or set PORT to another"
    assert str(ports.refusal("203.0.113.7", port)).startswith("HOST: cannot listen on '203.0.113.7'")


def test_ending_goes_from_asking_to_killing() -> None:
    stubborn = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", stubborn], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    who = identify(process.pid)
    assert who is not None
    assert leftovers.end([who], ((signal.SIGTERM, 0.2),))
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
