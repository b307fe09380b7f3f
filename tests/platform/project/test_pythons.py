"""Which other Pythons CI tries: those that really start, and are of the version that their name says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from config import pythons


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH and a pyenv in which nothing is."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/bin")
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    return tmp_path


def program(path: Path, body: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def test_it_works(alone: Path) -> None:
    minor = sys.version_info.minor
    found = program(alone / "bin" / f"python3.{minor}", f'exec {sys.executable} "$@"')
    assert list(pythons.candidates(minor)) == [found]


def test_a_name_behind_which_there_is_none_is_passed_over(alone: Path) -> None:
    program(alone / "bin" / "python3.13", "echo 'pyenv: python3.13: command not found' >&2; exit 127")
    assert list(pythons.candidates(13)) == []
    real = program(alone / "pyenv" / "versions" / "3.13.0" / "bin" / "python3.13", "echo 3 13")
    assert list(pythons.candidates(13)) == [real]


def test_another_version_under_that_name_is_none(alone: Path) -> None:
    program(alone / "bin" / "python3.14", "echo 3 12")
    assert not pythons.is_version(str(alone / "bin" / "python3.14"), 14)
    assert list(pythons.candidates(14)) == []


def test_the_newest_alone_is_tried_where_that_is_asked_for(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [minor for minor in (12, 13, 14) if minor != sys.version_info.minor]
    for minor in others:
        program(alone / "bin" / f"python3.{minor}", f"echo 3 {minor}")
    tried: list[int] = []

    def passes(minor: int, python: str) -> bool:
        tried.append(minor)
        return True

    monkeypatch.setattr(pythons, "try_with", passes)
    monkeypatch.setenv("PYTHONS", "newest")
    assert pythons.main() == 0
    assert tried == [others[-1]]
    monkeypatch.delenv("PYTHONS")
    assert pythons.main() == 0
    assert tried[1:] == others


@pytest.mark.parametrize(("passes", "status"), [(True, 0), (False, 1)])
def test_one_that_fails_fails_all(
    alone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], passes: bool, status: int
) -> None:
    other = 12 if sys.version_info.minor != 12 else 13
    program(alone / "bin" / f"python3.{other}", f"echo 3 {other}")
    monkeypatch.setattr(pythons, "try_with", lambda minor, python: passes)
    assert pythons.main() == status
    shown = capsys.readouterr().out
    assert f"3.{other}: {'passed' if passes else 'FAILED'}" in shown
    assert "not found, skipped" in shown
