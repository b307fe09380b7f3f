"""The common ground of the runners of one user on one machine: an id, a folder, and that each agent is run by one of them."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from continuity.client import places

SOCKET = "runner.sock"
# Of a path to a socket, on every system.
LONGEST_PATH = 100
ENDING_SECONDS = 5.0


class AlreadyRun(Exception):
    """This agent is run here already; the message says by whom."""


def runner_id() -> str:
    """Stable for this user on this machine, also where several machines share a home."""
    path = places.folder("agents") / f"runner-{places.key_of(socket.gethostname())}.json"
    known = places.read_object(path).get("id")
    if isinstance(known, str) and known:
        return known
    host = "".join(letter for letter in socket.gethostname() if letter.isascii() and (letter.isalnum() or letter in "-."))
    with _locked(path.with_suffix(".lock")):
        known = places.read_object(path).get("id")
        if not (isinstance(known, str) and known):
            known = f"{host[:60] or 'host'}-{os.getuid()}-{token_hex(4)}"
            places.write(path, json.dumps({"id": known}))
    return known


def meeting_place() -> Path:
    """The folder of the socket and its lock: the agents' own, or one of the user alone where that has too long a path."""
    folder = places.folder("agents")
    if len(os.fsencode(folder / SOCKET)) <= LONGEST_PATH:
        return folder
    short = Path(tempfile.gettempdir()) / f"continuity-{os.getuid()}-{places.key_of(str(folder))[:8]}"
    with suppress(FileExistsError):
        short.mkdir(mode=0o700)
    found = short.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or not short.is_dir() or short.is_symlink():
        raise PermissionError(f"{short} belongs to somebody else")
    return short


class Claimed:
    """The claim of this process to run the agent of that name here. `left_over` are processes that an earlier runner left."""

    def __init__(self, name: str) -> None:
        self.folder = places.folder("agents") / places.key_of(name)
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self._note = self.folder / "process.json"
        self._lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            runner = places.read_object(self._note).get("runner")
            raise AlreadyRun(f"{name} is run here already" + (f", by process {runner}" if runner else "")) from None
        places.write(self.folder / "name", name)

    def note(self, process: int) -> None:
        """Remembers the process that was started, so that a later runner can end it if this one is killed."""
        told = {"runner": os.getpid(), "process": process, "began": began_at(process)}
        places.write(self._note, json.dumps(told))

    def end_left_over(self) -> bool:
        """Ends what a runner that was killed left running under this name; whether there was something."""
        known = places.read_object(self._note)
        process, began = known.get("process"), known.get("began")
        if not isinstance(process, int) or process <= 1 or not began or _seen(process)[1] != began:
            return False
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process, signal.SIGKILL)  # Also where its first process only waits to be buried.
        until = time.monotonic() + ENDING_SECONDS
        while began_at(process) == began and time.monotonic() < until:
            time.sleep(0.05)
        return True

    def release(self) -> None:
        self._note.unlink(missing_ok=True)
        os.close(self._lock)


def began_at(process: int) -> str:
    """The start time of the process, as the system tells it; empty where there is none, or it only waits to be buried."""
    status, began = _seen(process)
    return "" if status == "Z" else began


def is_stopped(process: int) -> bool:
    """Whether the system lets the process do nothing (SIGSTOP, a debugger)."""
    return status_of(process) in ("T", "t")


def status_of(process: int) -> str:
    """The letter that `ps` shows: R where it runs or waits for a core, S where it waits for something else; empty where there is none."""
    return _seen(process)[0]


def _seen(process: int) -> tuple[str, str]:
    """The letter of its status, and when it began; both empty where there is none."""
    if Path("/proc/self/stat").exists():
        try:
            told = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            return "", ""
        return told[0], told[19]
    shown = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(process)], capture_output=True, text=True, check=False).stdout
    status, _, began = shown.strip().partition(" ")
    return status[:1], began.strip()


class _locked:
    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> None:
        fcntl.flock(self._handle, fcntl.LOCK_EX)

    def __exit__(self, *error: object) -> None:
        os.close(self._handle)
