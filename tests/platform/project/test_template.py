"""Tables that an earlier run made are used again, and only as long as nothing that decides about them has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import template

DECIDING = (
    "continuity/migrations/0001_first.py",
    "continuity/migrations/sql/0001_first.sql",
    "continuity/models/notes.py",
    "continuity/words.py",
    "continuity/apps.py",
    "continuity/upgrades/before.py",
    "config/settings.py",
    "requirements.txt",
    "requirements-dev.txt",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one app, whose migration takes its choices from a module."""
    monkeypatch.setattr(template, "PROJECT", tmp_path)
    monkeypatch.setattr(template, "APPS", ("continuity",))
    monkeypatch.setattr(template, "KEPT", tmp_path / "kept")
    for name in (*DECIDING, "continuity/views.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\n", encoding="utf-8")
    (tmp_path / DECIDING[0]).write_text("from continuity.words import CHOICES\n", encoding="utf-8")
    return tmp_path


def change(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "y = 2\n", encoding="utf-8")


def test_it_works(project: Path) -> None:
    kept = template.KEPT / f"tables-{template.digest()}.sql"
    assert template.read(kept) is None
    template.keep(b"CREATE TABLE a ();", kept)
    change(project / "continuity/views.py")
    assert template.read(template.KEPT / f"tables-{template.digest()}.sql") == b"CREATE TABLE a ();"
    other = template.KEPT / "tables-other.sql"
    template.keep(b"CREATE TABLE b ();", other)
    assert (template.read(kept), list(template.KEPT.iterdir())) == (None, [other])


@pytest.mark.parametrize("name", DECIDING)
def test_whatever_decides_about_the_tables_makes_them_anew(project: Path, name: str) -> None:
    before = template.digest()
    change(project / name)
    assert template.digest() != before


def test_who_waits_for_tables_that_can_not_be_made_is_told_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = tmp_path / "tables.sql"
    monkeypatch.setenv("CONTINUITY_TEST_TABLES", str(tables))
    tables.with_suffix(".failed").write_text("no room", encoding="utf-8")
    with pytest.raises(AssertionError, match="no room"):
        template.whole_tables()
    tables.write_bytes(b"")
    assert template.whole_tables() == tables
