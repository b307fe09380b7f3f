"""The disk under the data folder: whether it takes what is written, and how its refusals are known."""

from __future__ import annotations

import errno
import os
import tempfile
import threading
from pathlib import Path

# It is full, over a quota, over the largest size of a file, or was made read-only, which file systems do to themselves after errors.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})
TRIED_BYTES = 256 * 1024
LONGEST_SECONDS = 2.0

_trying = threading.Lock()


def is_full(error: OSError) -> bool:
    """Whether the disk refused to keep something."""
    return error.errno in NO_ROOM


def takes_writes(folder: Path) -> bool:
    """Writes some bytes into the folder and removes them. A disk that does not answer within two seconds takes none."""
    done: list[bool] = []

    def attempt() -> None:
        with _trying:
            done.append(_write(folder))

    if _trying.locked():
        return False  # The last one still waits for the disk; a second one would wait behind it.
    trying = threading.Thread(target=attempt, daemon=True, name="try-disk")
    trying.start()
    trying.join(LONGEST_SECONDS)
    return done == [True]


def _write(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as tried:
            left = memoryview(bytes(TRIED_BYTES))
            while left:
                left = left[tried.write(left) :]
            os.fsync(tried.fileno())
    except OSError:
        return False
    return True
