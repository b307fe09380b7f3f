"""One process of an agent, with all that it starts: a group of its own, which is ended as one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

PATIENCE_SECONDS = 10.0
GROUP_SECONDS = 5.0


class OwnedProcess:
    """Started at once; `ended` is called, in another thread, with it when it died, and what it started was ended with it. Raises OSError
    where it can't be started.

    On a terminal its group is the one that reads the keys.
    """

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], ended: Callable[[OwnedProcess], None], *, descriptors: Sequence[int] = ()
    ) -> None:
        self._terminal = sys.stdin.fileno() if _is_terminal() else None
        self._ended = ended
        self.exit_code: int | None = None  # As Popen tells it: below 0 a signal.
        self._process = subprocess.Popen(list(command), env=dict(env), process_group=0, pass_fds=list(descriptors))
        self.pid = self._process.pid
        if self._terminal is not None:
            _give(self._terminal, self.pid)
            self.signal(signal.SIGCONT)  # It may have been stopped for reading too early.
        threading.Thread(target=self._wait, daemon=True, name="waitpid").start()

    @property
    def running(self) -> bool:
        return self.exit_code is None

    def signal(self, number: int) -> None:
        """To the whole group, while its first process is not buried: after that its number may be another's."""
        if self.running:
            self._signal(number)

    def kill(self) -> None:
        """Ends the group at once, and waits until it is gone."""
        self.signal(signal.SIGKILL)
        until = time.monotonic() + GROUP_SECONDS
        while time.monotonic() < until and (self.running or self._has_group()):
            time.sleep(0.01)

    def end(self, patience: float = PATIENCE_SECONDS) -> None:
        """Asks it to end, and ends it where it does not."""
        self.signal(signal.SIGTERM)
        self.signal(signal.SIGCONT)
        until = time.monotonic() + patience
        while self.running and time.monotonic() < until:
            time.sleep(0.02)
        self.kill()

    def _wait(self) -> None:
        if self._terminal is None:
            code = self._process.wait()
        else:
            code = self._wait_on_terminal(self._terminal)
        self._signal(signal.SIGKILL)  # What it started goes with it, and at once: no other group has the number yet.
        self.exit_code = code
        self._ended(self)

    def _wait_on_terminal(self, terminal: int) -> int:
        """Waits as a shell does: where a person stops the process, the runner stops with it."""
        while True:
            _, status = os.waitpid(self.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                _give(terminal, os.getpgrp())
                self._process.returncode = os.waitstatus_to_exitcode(status)
                return self._process.returncode
            if os.WSTOPSIG(status) == signal.SIGTSTP:
                _give(terminal, os.getpgrp())
                os.kill(os.getpid(), signal.SIGSTOP)
                _give(terminal, self.pid)
                self.signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def _has_group(self) -> bool:
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True


def _is_terminal() -> bool:
    try:
        return sys.stdin.isatty() and os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError):
        return False


def _give(terminal: int, group: int) -> None:
    """Lets a group read the keys. Whoever gives while it does not have it would be stopped for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        os.tcsetpgrp(terminal, group)
    except OSError:
        return
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
