"""Filling in the words by which messages and anchors are found, behind those who record them.

A row without words waits for it, whether it is new or its text was changed; what is masked is not among the words.
"""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import Model
from django.utils import timezone

from continuity import search
from continuity.core.transactions import atomic
from continuity.models import Anchor, Message
from continuity.models.deferrals import LONGEST_PAUSE
from continuity.secrets import mask_text, message_masking
from continuity.services.jobs import deferrals, lock_waits

logger = logging.getLogger("continuity.search")

KIND = "index"  # of work that is put off where it fails
BATCH = 200
BATCH_BYTES = 4_000_000

# Those that somebody holds are passed over, and those that are put off: neither keeps the ones behind them from being found.
_WAITING = """
WITH free AS MATERIALIZED (
    SELECT id, created_at, pg_column_size({table}.*) AS size FROM {table}
    WHERE words IS NULL AND NOT EXISTS (
        SELECT FROM continuity_deferral AS deferral
        WHERE deferral.kind = 'index' AND deferral.subject_id = {table}.id AND deferral.not_before > %s AND deferral.not_before <= %s
    )
    ORDER BY created_at, id LIMIT %s FOR UPDATE SKIP LOCKED
)
SELECT id FROM (SELECT id, sum(size) OVER (ORDER BY created_at, id) - size AS before FROM free) AS waiting WHERE before < %s
"""
_READ = "SELECT id, {columns} FROM {table} WHERE id = ANY(%s) AND words IS NULL FOR UPDATE SKIP LOCKED"
_STORE = """
UPDATE {table} AS kept SET words = to_tsvector('simple', given.words)
FROM jsonb_to_recordset(%s::jsonb) AS given (id uuid, words text) WHERE kept.id = given.id
"""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table that is searched: its rows, the columns that hold their text, and what of that is found."""

    model: type[Model]
    columns: tuple[str, ...]
    words: Callable[..., str]

    @property
    def name(self) -> str:
        return self.model._meta.db_table


def catch_up(*, limit: int = 5000) -> int:
    """Fills in the words of at most about `limit` messages and as many anchors. Returns how many it did.

    A row whose words can't be found or stored is left out by itself and tried again later.
    """
    done = 0
    for table in (_MESSAGES, _ANCHORS):
        done += _all(table, limit)
    return done


def _of_message(parts: str, secrets: str) -> str:
    shown = message_masking.masked(json.loads(parts), json.loads(secrets))
    return " ".join([search.indexed(search.words_of_parts(shown)), *search.tools_of(shown)])


def _of_anchor(*texts: str) -> str:
    return search.indexed(mask_text("\n".join(texts)))


_MESSAGES = _Table(Message, ("parts", "secrets"), _of_message)
_ANCHORS = _Table(Anchor, ("text", "subject", "rationale", "rejected"), _of_anchor)


def _all(table: _Table, limit: int) -> int:
    done = 0
    while done < limit:
        try:
            batch = _batch(table)
        except Exception as error:
            if lock_waits.is_lost() and isinstance(error, (OperationalError, InterfaceError)):
                raise
            logger.exception("A batch of %s can't be indexed as a whole; each row is taken by itself", table.name)
            batch = _one_by_one(table)
        if not batch:
            break
        done += batch
    return done


@atomic
def _batch(table: _Table) -> int:
    """The rows are held while their words are found: whoever changes their text meanwhile waits, and then empties them again."""
    waiting = _waiting(table)
    return _fill(table, waiting) if waiting else 0


def _one_by_one(table: _Table) -> int:
    with transaction.atomic():
        waiting = _waiting(table)

    def fill(row_id: UUID) -> None:
        with transaction.atomic():
            _fill(table, [row_id])

    deferrals.each(kind=KIND, ids=waiting, work=fill, of=table.model, claim=False)
    return len(waiting)


def _waiting(table: _Table) -> list[UUID]:
    now = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_WAITING.format(table=table.name), [now, now + LONGEST_PAUSE, BATCH, BATCH_BYTES])
        return [row[0] for row in cursor.fetchall()]


def _fill(table: _Table, ids: Sequence[UUID]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_READ.format(table=table.name, columns=", ".join(f"{column}::text" for column in table.columns)), [list(ids)])
        rows: Sequence[Any] = cursor.fetchall()
        found = [{"id": str(row[0]), "words": table.words(*row[1:])} for row in rows]
        cursor.execute(_STORE.format(table=table.name), [json.dumps(found)])
    return len(found)
