"""SQL of migrations in files of its own, where it is read, searched and highlighted as SQL."""

from __future__ import annotations

from pathlib import Path

from django.db.migrations import RunSQL


def from_file(migration: str, name: str) -> RunSQL:
    """What `sql/NAME.sql` beside the migration (its `__file__`) does, and `sql/NAME.back.sql`, where there is one, takes back."""
    there, back = (Path(migration).parent / "sql" / f"{name}{suffix}" for suffix in (".sql", ".back.sql"))
    return RunSQL(there.read_text(encoding="utf-8"), back.read_text(encoding="utf-8") if back.exists() else RunSQL.noop)
