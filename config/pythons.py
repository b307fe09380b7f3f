"""Runs the readers' tests and some of the services' and the API's on each other Python ≥ 3.11 that is found.

Arguments name other tests; `PYTHONS=newest` takes the newest of them alone. Standard library only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
LOCK = PROJECT / "requirements-dev.txt"
OLDEST, NEWEST = 11, 16  # 3.11, which the README names, and some that may come
TESTS = (
    "tests/transcripts/formats",
    "tests/services/test_conversations.py",
    "tests/services/test_message_store.py",
    "tests/api/test_handoffs.py",
    "tests/api/test_openapi.py::test_it_works",
)


def main() -> int:
    """0 where all pass that were found, else 1."""
    failed = []
    found = {minor: next(candidates(minor), None) for minor in range(OLDEST, NEWEST) if minor != sys.version_info.minor}
    newest = max((minor for minor, python in found.items() if python), default=0)
    for minor, python in found.items():
        if python is None:
            print(f"3.{minor}: not found, skipped", flush=True)
            continue
        if os.environ.get("PYTHONS") == "newest" and minor != newest:
            print(f"3.{minor}: not the newest, skipped", flush=True)
            continue
        began = time.monotonic()
        passed = try_with(minor, python)
        print(f"3.{minor}: {'passed' if passed else 'FAILED'} in {time.monotonic() - began:.0f} s ({python})", flush=True)
        if not passed:
            failed.append(minor)
    return 1 if failed else 0


def candidates(minor: int) -> Iterator[str]:
    """Interpreters of that version that really start: pyenv puts names into the PATH behind which there may be none."""
    name = f"python3.{minor}"
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for found in (shutil.which(name), *map(str, sorted(versions.glob(f"3.{minor}.*/bin/{name}"), reverse=True))):
        if found and is_version(found, minor):
            yield found


def is_version(python: str, minor: int) -> bool:
    asked = [python, "-c", "import sys; print(*sys.version_info[:2])"]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return told.returncode == 0 and told.stdout.split() == ["3", str(minor)]


def try_with(minor: int, python: str) -> bool:
    """Whether the locked packages install there and the tests pass."""
    venv = PROJECT / ".venvs" / f"3.{minor}"
    stamp, wanted = venv / "installed", sha256(LOCK.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install = [*pip, "--require-hashes", "--no-deps", "--no-compile", "-r", str(LOCK)]  # few of the modules are ever imported
        for step in ([python, "-m", "venv", "--clear", str(venv)], install):
            if subprocess.run(step, cwd=PROJECT, check=False).returncode != 0:
                return False
        stamp.write_text(wanted, encoding="utf-8")
    tests = [str(venv / "bin" / "python"), "-m", "pytest", "-q", "-n", os.environ.get("WORKERS", "auto"), *(sys.argv[1:] or TESTS)]
    return subprocess.run(tests, cwd=PROJECT, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
