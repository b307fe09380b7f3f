"""What is swept away when its time is over: delivered events, idempotent replies, levels of segments, files of given-up imports."""

from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.db.models import Min, QuerySet

from continuity.models import CompressedSegment, Cursor, Event, IdempotentReply, Job, Notice
from continuity.services import following

REPLY_LIFE = timedelta(hours=24)
NOTICE_LIFE = timedelta(days=7)
UPLOAD_LIFE = timedelta(days=2)
BATCH = 5000
# Readers of our own, for which events are kept until they were read.
OUR_READERS = "continuity."


def purge(*, now: datetime) -> int:
    """Deletes what retention allows. Of events only those that were delivered, relayed and read. Returns how many rows."""
    old = now - timedelta(hours=settings.EVENT_RETENTION_HOURS)
    delivered = Event.objects.filter(created_at__lt=old).exclude(dispatched_at=None).exclude(relayed_at=None)
    behind = read_through()
    if behind is not None:
        delivered = delivered.filter(position__lte=behind)
    purged = _purge_events(delivered)
    purged += IdempotentReply.objects.filter(created_at__lt=now - REPLY_LIFE).delete()[0]
    # A level can always be made again.
    lapsed = CompressedSegment.objects.filter(expires_at__lte=now)
    purged += CompressedSegment.objects.filter(id__in=lapsed.values("id")[:BATCH]).delete()[0]
    purged += Notice.objects.filter(due_at__lt=now - NOTICE_LIFE).delete()[0]
    _purge_uploads(now)
    return purged


def read_through() -> int | None:
    """Up to which position all readers of our own have counted the events; None where there is none."""
    position: int | None = Cursor.objects.filter(consumer__startswith=OUR_READERS).aggregate(position=Min("position"))["position"]
    return position


@transaction.atomic
def _purge_events(delivered: "QuerySet[Event]") -> int:
    """Deletes a batch, and notes up to where, for readers that come back later."""
    batch = dict(delivered.order_by("position").values_list("id", "position")[:BATCH])
    following.note_purged(max((position or 0 for position in batch.values()), default=0))
    return Event.objects.filter(id__in=batch).delete()[0]


def _purge_uploads(now: datetime) -> None:
    folder = Path(settings.MEDIA_ROOT)
    if not folder.is_dir():
        return
    unfinished = Job.objects.filter(kind="import", status__in=["queued", "running"])
    wanted = set(unfinished.values_list("arguments__file", flat=True))
    for path in folder.iterdir():
        if path.name not in wanted and path.stat().st_mtime < (now - UPLOAD_LIFE).timestamp():
            path.unlink(missing_ok=True)
