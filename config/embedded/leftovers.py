"""Processes that a killed supervisor or server left behind, found by what they are, never by a remembered pid alone."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from pathlib import Path

from config.embedded.launch import wait_until
from config.supervision.processes import Identity, identify

MARK = "CONTINUITY_STARTED_BY"
LOADING_SECONDS = 0.5
_ENVIRONMENT_END = 48  # Field 51 of /proc/<pid>/stat, counted from its third.


def mark(owner: Identity, data_dir: Path) -> str:
    """The value of the environment variable that marks every process started for a data folder."""
    return f"{owner.pid}:{owner.started:.0f}:{os.path.realpath(data_dir)}"


def working_in(folder: Path) -> list[Identity]:
    """Return the processes whose working directory is `folder`: for a server's data folder, that server and its children."""
    target = os.path.realpath(folder)
    return _matching(lambda pid: _working_directory(pid) == target)


def marked(data_dir: Path) -> list[Identity]:
    """Return the processes started for this data folder by another process than this one."""
    ending = f":{os.path.realpath(data_dir)}"
    mine = str(os.getpid())

    def left(pid: int) -> bool:
        value = environment(pid).get(MARK, "")
        return value.endswith(ending) and value.split(":")[0] != mine

    return _matching(left)


def end(found: Iterable[Identity], signals: Iterable[tuple[int, float]]) -> bool:
    """Send each signal to those still alive and wait its seconds, then SIGKILL; return whether all are gone."""
    rest = list(found)

    def gone() -> bool:
        return not any(identity.alive() for identity in rest)

    for number, seconds in (*signals, (signal.SIGKILL, 5.0)):
        for identity in rest:
            if identity.alive():
                try:
                    os.kill(identity.pid, number)
                except ProcessLookupError:
                    continue
        if wait_until(gone, seconds):
            return True
    return gone()


def _matching(belongs: Callable[[int], bool]) -> list[Identity]:
    found = []
    for pid in _all_pids():
        try:
            if pid != os.getpid() and belongs(pid) and (identity := identify(pid)):
                found.append(identity)
        except OSError:
            continue  # It ended meanwhile, or belongs to somebody else: not ours.
    return found


def _all_pids() -> list[int]:
    if Path("/proc/self").exists():
        return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    import psutil

    return list(psutil.pids())


def _working_directory(pid: int) -> str:
    if Path("/proc/self").exists():
        return str(Path(f"/proc/{pid}/cwd").readlink())
    import psutil

    try:
        return str(psutil.Process(pid).cwd())
    except psutil.Error as error:
        raise ProcessLookupError(str(error)) from None


def environment(pid: int) -> dict[str, str]:
    """Return the environment that a process was started with; one that is only just being started is waited for."""
    if Path("/proc/self").exists():
        text = Path(f"/proc/{pid}/environ").read_bytes()
        if not text:
            wait_until(lambda: not _is_being_started(pid), LOADING_SECONDS, step=0.001)
            text = Path(f"/proc/{pid}/environ").read_bytes()
        pairs = text.decode("utf-8", "surrogateescape").split("\0")
        return dict(pair.split("=", 1) for pair in pairs if "=" in pair)
    import psutil

    try:
        return dict(psutil.Process(pid).environ())
    except psutil.Error as error:
        raise ProcessLookupError(str(error)) from None


def _is_being_started(pid: int) -> bool:
    """Whether Linux is still loading the process's program: its environment reads as empty until then, although `Popen` has returned.

    Raises OSError where there is no program (a thread of the kernel) or the process has ended.
    """
    Path(f"/proc/{pid}/exe").readlink()
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    return fields[_ENVIRONMENT_END] == "0"
