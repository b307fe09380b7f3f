"""The data folder: made, checked, and locked so that only one process at a time owns the servers in it."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.embedded.errors import StartError

LEAST_FREE_BYTES = 200 * 1024 * 1024


def prepare(data_dir: Path) -> None:
    """Make the folder and check that it can be written and has room.

    Raises StartError naming the folder and what is wrong with it.
    """
    try:
        if not data_dir.exists():
            data_dir.mkdir(parents=True)
            # Under root the servers run as another user, who must be able to enter, not to list.
            data_dir.chmod(0o711 if os.geteuid() == 0 else 0o700)
        probe = data_dir / f".probe.{os.getpid()}"
        probe.write_bytes(b"\0" * 4096)
        probe.unlink()
    except OSError as error:
        raise StartError(_explain(data_dir, error)) from None
    if not os.access(data_dir / "postgres", os.W_OK) and (data_dir / "postgres").exists():
        raise StartError(f"{data_dir}/postgres belongs to another user: start as that user, or set CONTINUITY_DATA_DIR to another folder")
    free = shutil.disk_usage(data_dir).free
    if free < LEAST_FREE_BYTES:
        raise StartError(f"the disk that holds {data_dir} has {free // 2**20} MB free; {LEAST_FREE_BYTES // 2**20} MB are needed")


def _explain(data_dir: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk that holds {data_dir} is full"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{error.filename or data_dir} cannot be written: start as its owner, or set CONTINUITY_DATA_DIR to a folder of yours"
    return f"{error.filename or data_dir}: {error.strerror}"


@contextmanager
def locked(path: Path, *, exclusive: bool, seconds: float) -> Iterator[bool]:
    """Hold a lock file for the block; yields whether it was had within `seconds`. The kernel frees it when the holder dies."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StartError(_explain(path.parent, error)) from None
    try:
        yield _acquire(descriptor, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH, seconds)
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, kind: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
