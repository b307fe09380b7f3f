"""What a killed run of the tests left mounted is no fault of the next one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.small_disks import release, small_disk


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk in the folder of another run."""
    folder = tmp_path / "pytest-of-root" / "pytest-7" / "small0"
    folder.mkdir(parents=True)
    with small_disk(folder, "1m"):
        yield folder


def test_it_works(disk: Path, tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    disk.with_name(".lock").write_text(str(ended.pid))

    assert release(tmp_path) == [disk]
    assert not disk.is_mount()
    assert release(tmp_path) == []


def test_a_run_without_a_lock_is_over(disk: Path, tmp_path: Path) -> None:
    assert release(tmp_path) == [disk]


def test_the_disk_of_a_run_that_goes_on_stays(disk: Path, tmp_path: Path) -> None:
    disk.with_name(".lock").write_text(str(os.getpid()))

    assert release(tmp_path) == []
    assert disk.is_mount()


def test_other_disks_stay(tmp_path: Path, disk: Path) -> None:
    assert release(tmp_path / "pytest-of-root") == []
    assert disk.is_mount()
