"""Purges what is over: delivered events, idempotent replies, levels of segments, files of given-up imports.

Rows go in batches, each a short transaction of its own that passes over what somebody holds. A run ends after some seconds; where
more is left it asks for another one.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Exists, Min, OuterRef, QuerySet

from continuity.core.transactions import atomic
from continuity.models import CompressedSegment, Cursor, DeadLetter, Event, IdempotentReply, Job, Notice
from continuity.services.events import event_replay
from continuity.services.jobs import deferrals, queueing, sweep_parts
from continuity.services.shared_state import state_erasure
from continuity.services.subscriptions import gaps

logger = logging.getLogger("continuity.retention")

REPLY_LIFE = timedelta(hours=24)
NOTICE_LIFE = timedelta(days=7)
UPLOAD_LIFE = timedelta(days=2)
# An event stays for the subscriber that could not take it, but not for ever.
LETTER_LIFE = timedelta(days=30)
BATCH = 1000
SECONDS = 30.0
# Readers of our own, for which events are kept until they were read.
OUR_READERS = "continuity."


class _Run:
    """One run: until when it may take batches, how many rows went, and whether some are left."""

    def __init__(self, seconds: float) -> None:
        self.deadline = time.monotonic() + seconds
        self.rows = 0
        self.complete = True

    def batches(self, delete: Callable[[], int]) -> None:
        """Calls `delete`, which gives how many rows went, until nothing is left or the time is over. The first batch always goes."""
        while True:
            gone = delete()
            self.rows += gone
            if gone < BATCH:
                return
            if time.monotonic() >= self.deadline:
                self.complete = False
                return


def purge(*, now: datetime, seconds: float = SECONDS) -> int:
    """Deletes what retention allows, for about `seconds`. Of events only those that were delivered, relayed and read, and that no
    subscriber still waits for. Returns how many rows."""
    run = _Run(seconds)
    replies = IdempotentReply.objects.filter(created_at__lt=now - REPLY_LIFE)
    levels = CompressedSegment.objects.filter(expires_at__lte=now)  # A level can always be made again.
    warned = Notice.objects.filter(due_at__lt=now - NOTICE_LIFE)
    try:
        sweep_parts.all_of(
            letters=partial(run.batches, partial(_delete_letters, now)),
            events=partial(run.batches, partial(_delete_events, now)),
            replies=partial(run.batches, partial(_delete, replies)),
            levels=partial(run.batches, partial(_delete, levels)),
            notices=partial(run.batches, partial(_delete, warned)),
            deferrals=partial(deferrals.forget, now=now),
            uploads=partial(_purge_uploads, now),
            states=partial(run.batches, partial(state_erasure.purge_removed, now=now)),
        )
    finally:
        if not run.complete:
            queueing.send("continuity.purge")
    return run.rows


def read_through() -> int | None:
    """Up to which position all readers of our own have counted the events; None where there is none."""
    position: int | None = Cursor.objects.filter(consumer__startswith=OUR_READERS).aggregate(position=Min("position"))["position"]
    return position


def in_batches(rows: "QuerySet[Any]", *, seconds: float = SECONDS) -> int:
    """Deletes all the rows, in short transactions, for about so many seconds. Returns how many went."""
    run = _Run(seconds)
    run.batches(partial(_delete, rows))
    return run.rows


@atomic
def _delete(rows: "QuerySet[Any]") -> int:
    ids = list(rows.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True)[:BATCH])
    return int(rows.model._default_manager.filter(pk__in=ids).delete()[0]) if ids else 0


@atomic
def _delete_events(now: datetime) -> int:
    """Deletes a batch, and notes up to where, for readers that come back later."""
    old = now - timedelta(hours=settings.EVENT_RETENTION_HOURS)
    waits = Exists(DeadLetter.objects.filter(event_id=OuterRef("id")))
    delivered = Event.objects.filter(~waits, created_at__lt=old).exclude(dispatched_at=None).exclude(relayed_at=None)
    behind = read_through()
    if behind is not None:
        delivered = delivered.filter(position__lte=behind)
    rows = delivered.select_for_update(skip_locked=True, of=("self",)).order_by("position")
    batch = list(rows.only("id", "team", "position", "name", "topic", "critical")[:BATCH])
    if not batch:
        return 0
    event_replay.note_purged(max((event.position or 0 for event in batch), default=0))
    gaps.note(batch)
    Event.objects.filter(id__in=[event.id for event in batch]).delete()
    return len(batch)


def _delete_letters(now: datetime) -> int:
    gone = _delete(DeadLetter.objects.filter(created_at__lt=now - LETTER_LIFE))
    if gone:
        logger.warning("%d dead letters were deleted that nobody saw to in %d days", gone, LETTER_LIFE.days)
    return gone


def _purge_uploads(now: datetime) -> None:
    folder = Path(settings.MEDIA_ROOT)
    if not folder.is_dir():
        return
    unfinished = Job.objects.filter(kind="import", status__in=["queued", "running"])
    wanted = set(unfinished.values_list("arguments__file", flat=True))
    for path in folder.iterdir():
        try:
            if path.name not in wanted and path.stat().st_mtime < (now - UPLOAD_LIFE).timestamp():
                path.unlink(missing_ok=True)
        except OSError:
            logger.exception("A file of a given-up import could not be deleted")
