"""Disks of little room, which only root on Linux can mount; and those that a killed run left: pytest fails where it can't remove them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

MOUNTS = Path("/proc/mounts")


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[bool]:
    """A disk with room for `size` (`16m`) at a folder that is there, meanwhile; whether it could be mounted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", str(folder)]
    done = sys.platform == "linux" and subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield done
    finally:
        if done and folder.is_mount():  # What a test released itself is gone.
            subprocess.run(["umount", "-l", folder], check=True)


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """The same for a test that can't do without: it is skipped elsewhere."""
    with mounted(folder, size) as done:
        if not done:
            pytest.skip("a small disk can only be mounted by root on Linux")
        yield folder


def release(root: Path | None = None) -> list[Path]:
    """Unmounts what is mounted in pytest's folders beneath `root` (the folder of temporary files) by runs that are over; returns it."""
    if os.geteuid() != 0 or not MOUNTS.exists():
        return []
    root = root or Path(tempfile.gettempdir()).resolve()
    points = [Path(line.split()[1]) for line in MOUNTS.read_text().splitlines() if line.split()[2] == "tmpfs"]
    left = [point for point in points if (run := _run_of(point, root)) is not None and not _is_going_on(run)]
    return [point for point in left if subprocess.run(["umount", "-l", point], capture_output=True, check=False).returncode == 0]


def _run_of(point: Path, root: Path) -> Path | None:
    """The folder of the run that a path lies in."""
    if not point.is_relative_to(root):
        return None
    parts = point.relative_to(root).parts
    return root.joinpath(*parts[:2]) if len(parts) > 2 and parts[0].startswith("pytest-of-") else None


def _is_going_on(run: Path) -> bool:
    """Whether the process that holds the lock of a run's folder lives."""
    try:
        os.kill(int((run / ".lock").read_text()), 0)
    except (OSError, ValueError):
        return False
    return True
