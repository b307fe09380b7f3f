"""`manage.py bench --packs` measures what it says, and leaves nothing behind."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from diagnostics.bench.packs import timing, trees


def test_it_works(tmp_path: Path) -> None:
    tree = tmp_path / "small"
    trees.make(tree, 20)
    assert len(timing.hooked(tree, tmp_path, 2)) == 2
    # A recorder says there what it does: none was started, and none outlives the measurement.
    assert not (tmp_path / "home" / "recorder.log").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the peak of one program")
def test_memory_is_that_of_the_program_alone(tmp_path: Path) -> None:
    trees.make(tmp_path / "small", 20)
    ours = bytearray(300_000_000)
    assert 1 < timing.alone(tmp_path / "small").memory_mb < 150 < len(ours) / 1e6
