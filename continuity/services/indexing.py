"""Filling in the words by which messages and anchors are found, behind those who record them.

A row without words waits for it, whether it is new or its text was changed; what is masked is not among the words.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection, transaction

from continuity import masking, search
from continuity.secrets import mask_text

BATCH = 200
BATCH_BYTES = 4_000_000

_WAITING = """
SELECT id FROM (
    SELECT id, sum(pg_column_size({table}.*)) OVER (ORDER BY created_at, id) - pg_column_size({table}.*) AS before
    FROM {table} WHERE words IS NULL ORDER BY created_at, id LIMIT %s
) AS waiting WHERE before < %s
"""
_LOCK = "SELECT id, {columns} FROM {table} WHERE id = ANY(%s) AND words IS NULL FOR UPDATE SKIP LOCKED"
_STORE = """
UPDATE {table} AS kept SET words = to_tsvector('simple', given.words)
FROM jsonb_to_recordset(%s::jsonb) AS given (id uuid, words text) WHERE kept.id = given.id
"""


def catch_up(*, limit: int = 5000) -> int:
    """Fills in the words of at most about `limit` messages and as many anchors. Returns how many it did."""
    messages = _all("continuity_message", ("parts", "secrets"), _of_message, limit)
    return messages + _all("continuity_anchor", ("text", "subject", "rationale", "rejected"), _of_anchor, limit)


def _of_message(parts: str, secrets: str) -> str:
    shown = masking.masked(json.loads(parts), json.loads(secrets))
    return " ".join([search.indexed(search.words_of_parts(shown)), *search.tools_of(shown)])


def _of_anchor(*texts: str) -> str:
    return search.indexed(mask_text("\n".join(texts)))


def _all(table: str, columns: Sequence[str], words: Callable[..., str], limit: int) -> int:
    done = 0
    while done < limit:
        batch = _batch(table, columns, words)
        if not batch:
            break
        done += batch
    return done


@transaction.atomic
def _batch(table: str, columns: Sequence[str], words: Callable[..., str]) -> int:
    """The rows are held while their words are found: whoever changes their text meanwhile waits, and then empties them again."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING.format(table=table), [BATCH, BATCH_BYTES])
        waiting = [row[0] for row in cursor.fetchall()]
        if not waiting:
            return 0
        cursor.execute(_LOCK.format(table=table, columns=", ".join(f"{column}::text" for column in columns)), [waiting])
        rows: Sequence[Any] = cursor.fetchall()
        found = [{"id": str(row[0]), "words": words(*row[1:])} for row in rows]
        cursor.execute(_STORE.format(table=table), [json.dumps(found)])
    return len(found)
