"""A file that one process holds at a time, however that process ends."""

from __future__ import annotations

import fcntl
import os


class Claim:
    """Held until released, or until the process ends and all to which it handed its descriptor. `ours` is False where others have it."""

    def __init__(self, path: str, *, handed: int | None = None) -> None:
        """`handed` is the descriptor that the process was started with (`hand_over`)."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600) if handed is None else handed
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.ours = True
        except BlockingIOError:
            self.ours = False

    def hand_over(self) -> int:
        """The descriptor, which a process that is started now inherits, and with it the claim."""
        os.set_inheritable(self._handle, True)
        return self._handle

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
            self.ours = False
