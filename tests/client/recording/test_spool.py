"""What waits on disk, in a folder that somebody named."""

from __future__ import annotations

from pathlib import Path

import pytest

from continuity.client.recording.spool import Full, Spool


def test_it_works(tmp_path: Path) -> None:
    """A folder that is not there yet is made: the first write that has to wait must not be the first to find out."""
    spool = Spool(tmp_path / "of" / "an agent")
    spool.add("plan", {"n": 1})
    spool.add("plan", {"n": 2})
    assert spool.sessions() == ["plan"]
    assert (spool.count(), len(spool.pending("plan"))) == (2, 2)


def test_a_folder_that_can_not_be_made_is_told_when_something_is_to_wait(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    spool = Spool(tmp_path / "file" / "below")
    with pytest.raises(Full):
        spool.add("plan", {"n": 1})


def test_a_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool")
    spool.folder.rmdir()
    spool.add("plan", {"n": 1})
    assert spool.count() == 1


def test_a_full_spool_takes_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool", limit=10)
    with pytest.raises(Full):
        spool.add("plan", {"n": "more than ten"})
    assert spool.sessions() == []
