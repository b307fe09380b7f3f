"""Looking for words in every column of every table, in the event stream and in uploaded files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, models
from django.db.models.functions import Cast

from continuity.services.events import relay
from continuity.services.jobs import broker


def tables_holding(words: str) -> set[str]:
    """The tables in which some column, however nested, holds the words (in its own form or escaped)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        names = [name for (name,) in cursor.fetchall()]
        found = set()
        for name in names:
            cursor.execute(f'SELECT EXISTS (SELECT 1 FROM "{name}" AS row WHERE position(%s in row_to_json(row)::text) > 0)', [words])
            if cursor.fetchone()[0]:
                found.add(name)
    return found


def stream_tells_of(subject: object) -> bool:
    entries: Any = broker.client().xrange(relay.STREAM)
    return any(entry[b"subject"].decode() == str(subject) for _id, entry in entries)


def files_holding(words: str) -> list[str]:
    folder = Path(settings.MEDIA_ROOT)
    return [path.name for path in folder.iterdir() if words in path.read_text(errors="replace")] if folder.is_dir() else []


def rows_holding(model: Any, column: str, words: str) -> bool:
    """Whether a row of the model holds the words in this column, however nested."""
    return bool(model.objects.annotate(words=Cast(column, models.TextField())).filter(words__contains=words).exists())
