"""Small disks that tests of a killed run left mounted: where pytest can't remove what an earlier run left, it fails at its end."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

MOUNTS = Path("/proc/mounts")


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
