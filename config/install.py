"""Makes `.venv` and installs the locked requirements into it, once for each change of the lock. Standard library only."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
VENV = PROJECT / ".venv"
STAMP = VENV / "installed.json"
CLIENT = Path("continuity", "client", "__main__.py")
LEAST_FREE_BYTES = 1024**3
FILES = {"run": "requirements.txt", "dev": "requirements-dev.txt"}
# Each kind of failure that has one known cause gets one line.
CAUSES = {
    "No space left on device": "the disk is full",
    "THESE PACKAGES DO NOT MATCH THE HASHES": "a downloaded package differs from the locked one",
    "No matching distribution found": "a locked package cannot be had here: no network, or no wheel for this platform and Python",
    "Could not find a version": "a locked package cannot be had here: no network, or no wheel for this platform and Python",
    "Failed to establish a new connection": "the package index cannot be reached",
}


class CannotInstall(Exception):
    """The environment cannot be made; the message says in one line what is missing."""


def main(kind: str) -> int:
    try:
        _install(kind)
    except CannotInstall as error:
        print(f"continuity: {error}", file=sys.stderr)
        return 1
    return 0


def _install(kind: str) -> None:
    wanted = _fingerprint(PROJECT / FILES[kind])
    if _installed().get(kind) == wanted and _venv_works():
        _put_launcher()
        return
    # A second make that starts meanwhile waits here and then finds the work done.
    with (PROJECT / FILES["run"]).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if _installed().get(kind) == wanted and _venv_works():
            return
        if shutil.disk_usage(PROJECT).free < LEAST_FREE_BYTES:
            raise CannotInstall(f"the disk that holds {PROJECT} has less than 1 GB free; the packages need it")
        if not _venv_works("import pip"):
            _make_venv()
        began = time.monotonic()
        print(f"Installing {FILES[kind]} into .venv …", flush=True)
        _pip(FILES[kind])
        # The development lock holds everything of the other one, in the same versions.
        done = {"run": _fingerprint(PROJECT / FILES["run"]), "dev": wanted} if kind == "dev" else {kind: wanted}
        fresh = STAMP.with_suffix(".new")
        fresh.write_text(json.dumps(done), encoding="utf-8")
        fresh.replace(STAMP)
        _put_launcher()
        print(f"Installed in {time.monotonic() - began:.0f} s.", flush=True)


def _fingerprint(requirements: Path) -> str:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return hashlib.sha256(requirements.read_bytes() + version.encode()).hexdigest()


def _installed() -> dict[str, str]:
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def _put_launcher() -> None:
    """Puts the command `continuity` beside the environment's Python, which it starts without what only the server needs."""
    launcher = VENV / "bin" / "continuity"
    text = f'#!/bin/sh\nexec {shlex.quote(str(VENV / "bin" / "python"))} -IS {shlex.quote(str(PROJECT / CLIENT))} "$@"\n'
    if not launcher.exists() or launcher.read_text(encoding="utf-8") != text:
        launcher.write_text(text, encoding="utf-8")
        launcher.chmod(0o755)


def _venv_works(line: str = "pass") -> bool:
    """Tell whether the environment's Python starts; one whose base was moved or removed does not."""
    python = VENV / "bin" / "python"
    return python.exists() and subprocess.run([python, "-c", line], capture_output=True, check=False).returncode == 0


def _make_venv() -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    try:
        import ensurepip  # noqa: F401  (Debian takes it, and so venv, out of Python into a package of its own)
        import venv  # noqa: F401
    except ImportError:
        name = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
        raise CannotInstall(f"{sys.executable} has no venv module: install it (Debian and Ubuntu: apt install {name})") from None
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], text=True, capture_output=True, check=False)
    if made.returncode != 0:
        raise CannotInstall(_cause(made.stdout + made.stderr, "the virtual environment could not be made"))


def _pip(requirements: str) -> None:
    command = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes", "--no-deps", "--no-input"]
    env = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    done = subprocess.run([*command, "-r", requirements], cwd=PROJECT, env=env, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise CannotInstall(_cause(done.stderr, "pip failed"))


def _cause(said: str, otherwise: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    last = next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1] if lines else "it said nothing")
    known = next((cause for sign, cause in CAUSES.items() if sign in said), otherwise)
    return f"{known} ({last})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
