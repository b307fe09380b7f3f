"""Environments in which nothing is but Python, and the client as somebody gets it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from config.pythons import NEWEST, OLDEST, candidates

MINORS = range(OLDEST, NEWEST)
KEPT = ("PATH", "LANG", "TMPDIR")


def python_of(minor: int) -> str | None:
    """An interpreter of that version; ours where it is ours."""
    return sys.executable if minor == sys.version_info.minor else next(candidates(minor), None)


def environment(folder: Path, python: str) -> Path:
    """The Python of a new environment without any package."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True, capture_output=True)
    return folder / "bin" / "python"


def run(home: Path, *words: str | Path, sent: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """A command with a home of its own and nothing else of this environment."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    given = {**kept, "HOME": str(home), **more}
    return subprocess.run(list(map(str, words)), input=sent, text=True, capture_output=True, env=given, cwd=home, timeout=120, check=False)
