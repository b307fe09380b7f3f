"""Says that a process records a file, so that a hook does not start another one. No harm comes of two."""

from __future__ import annotations

import fcntl
import os

from continuity.client.light import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


class Claim:
    """Held until released or until the process ends, however it ends. `ours` is False where another process has it."""

    def __init__(self, path: Path | str) -> None:
        self._handle = os.open(f"{files.folder('claims')}/{files.key_of(str(path))}", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.ours = True
        except BlockingIOError:
            self.ours = False

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
