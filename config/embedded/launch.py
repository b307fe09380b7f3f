"""Starting and ending child processes that never outlive whoever started them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from config.embedded.privileges import Privileges

LOG_LIMIT_BYTES = 10 * 1024 * 1024


def spawn(
    command: Sequence[str | Path],
    *,
    privileges: Privileges | None = None,
    death_signal: int = signal.SIGKILL,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    log: Path | None = None,
    given: bytes = b"",
) -> subprocess.Popen[bytes]:
    """Start a child in a session of its own (Ctrl-C reaches the parent alone, which ends it in order).

    It is sent `death_signal` when this process ends, however that happens (Linux; elsewhere the next start cleans up).
    `given` is written to its standard input; output goes to the file `log`, else to our own.
    """
    output = None if log is None else os.open(_rotated(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        child = subprocess.Popen(
            (privileges or Privileges()).wrap(command, death_signal),
            stdin=subprocess.PIPE if given else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=cwd,
            env=env,
            start_new_session=True,
        )
    finally:
        if output is not None:
            os.close(output)
    if child.stdin is not None:
        with contextlib.suppress(BrokenPipeError):  # It ended at once; whoever waits for it says why.
            child.stdin.write(given)
            child.stdin.close()
    return child


def _rotated(log: Path) -> Path:
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(PermissionError):  # Earlier releases let everyone list it; another user's folder stays as it is.
        log.parent.chmod(0o700)
    if log.exists() and log.stat().st_size > LOG_LIMIT_BYTES:
        log.replace(log.with_suffix(".log.1"))
    return log


def stop(child: subprocess.Popen[bytes], signals: Sequence[tuple[int, float]], hurry: Callable[[], bool] = lambda: False) -> None:
    """End a child: send each signal and wait its seconds, or until `hurry`; SIGKILL to its whole session closes the list."""
    for number, seconds in signals:
        if child.poll() is not None or hurry():
            break
        child.send_signal(number)
        wait_until(lambda: child.poll() is not None or hurry(), seconds)
    kill_group(child.pid)
    child.wait()


def kill_group(leader: int) -> None:
    """Kill what is left of a session; nothing to do is fine."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def wait_until(ready: Callable[[], bool], seconds: float, step: float = 0.02) -> bool:
    """Poll `ready` until it holds or the time is up."""
    deadline = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True


def tail(log: Path, lines: int = 3) -> str:
    """Return the last lines of a log on one line, for an error message."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - 4000))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return " | ".join(line.strip() for line in text.splitlines()[-lines:] if line.strip())
