"""The store of log lines: written in batches, found by correlation id, cleared away after a day."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection

from continuity.models import LogLine
from continuity.secrets.masking import mask_text
from continuity.transcripts.base.sanitise import clean_json

KEPT = timedelta(hours=24)
LONGEST_MESSAGE, LONGEST_METADATA = 4_000, 16_000
BATCH = 5_000
logger = logging.getLogger("continuity.log_lines")
_OLDEST = "DELETE FROM continuity_logline WHERE id IN (SELECT id FROM continuity_logline WHERE logged_at < %s ORDER BY logged_at LIMIT %s)"
_BEYOND = "SELECT logged_at FROM continuity_logline ORDER BY logged_at DESC, id DESC OFFSET %s LIMIT 1"


def store(*, lines: Sequence[Mapping[str, Any]], host: str, process: str) -> None:
    """Keeps lines that have FR-045's fields. Raises DatabaseError."""
    LogLine.objects.bulk_create([_row(line, host, process) for line in lines])


def find(*, correlation_id: str = "", level: str = "", since: datetime | None = None, limit: int = 500) -> list[LogLine]:
    """The latest lines that fit, oldest first."""
    rows = LogLine.objects.all()
    rows = rows.filter(correlation_id=correlation_id) if correlation_id else rows
    rows = rows.filter(level=level) if level else rows
    rows = rows.filter(logged_at__gte=since) if since else rows
    return list(rows.order_by("-logged_at", "-id")[:limit])[::-1]


def purge(*, now: datetime) -> int:
    """Removes what is older than a day, and the oldest beyond CONTINUITY_LOG_LINES. Returns how many."""
    before = now - KEPT
    gone = 0
    with connection.cursor() as cursor:
        cursor.execute(_BEYOND, [settings.CONTINUITY_LOG_LINES])
        if (beyond := cursor.fetchone()) is not None and beyond[0] >= before:
            before = beyond[0] + timedelta(microseconds=1)
        while True:
            cursor.execute(_OLDEST, [before, BATCH])
            deleted = int(cursor.rowcount)
            gone += deleted
            if deleted < BATCH:
                return gone


def _row(line: Mapping[str, Any], host: str, process: str) -> LogLine:
    told = {"exception": line["exception"]} if "exception" in line else {}
    told |= {"trace_id": line["trace_id"]} if "trace_id" in line else {}
    return LogLine(
        logged_at=datetime.fromisoformat(line["timestamp"]),
        level=str(line["level"])[:10],
        correlation_id=mask_text(str(line["correlation_id"])[:100])[:100],
        component=str(line["component"])[:100],
        message=_masked(str(line["message"]))[:LONGEST_MESSAGE],
        metadata=_small({**line["metadata"], **told}),
        host=host[:100],
        process=process[:40],
    )


def _small(metadata: dict[str, Any]) -> Any:
    """Masked as one text, so that a secret is found wherever it stands; one that is too long is kept as the beginning of that text."""
    text = _masked(json.dumps(metadata, ensure_ascii=False, default=repr))
    try:
        return clean_json(json.loads(text)) if len(text) <= LONGEST_METADATA else {"cut": text[:LONGEST_METADATA]}
    except ValueError:  # Masking ate a sign of the JSON.
        return {"masked": text}


def _masked(text: str) -> str:
    return mask_text(text[: 4 * LONGEST_METADATA])
