"""`manage.py bench --packs` leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

from diagnostics.bench.packs import timing, trees


def test_it_works(tmp_path: Path) -> None:
    tree = tmp_path / "small"
    trees.make(tree, 20)
    assert len(timing.hooked(tree, tmp_path, 2)) == 2
    # A recorder says there what it does: none was started, and none outlives the measurement.
    assert not (tmp_path / "home" / "recorder.log").exists()
