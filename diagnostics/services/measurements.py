"""Adding up what the events say, each event once, whichever process wrote it and whoever died meanwhile (docs/adr/0006).

A reader with a cursor goes through the events in their order; figures and cursor move in one transaction.
"""

import logging
from collections.abc import Container, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from continuity.core.isolation import name_of
from continuity.models import Cursor, Event, Team
from continuity.services.events import dead_letters, relay
from continuity.services.jobs import lock_waits
from continuity.services.subscriptions import meters
from diagnostics.measuring.instruments import EVENT_THROUGHPUT, PERCENTILES
from diagnostics.measuring.observing import Observation, observe
from diagnostics.measuring.points import Key, MetricPoint, sum_up
from diagnostics.models import Attempt, Series
from diagnostics.services.attempts import attempt_of

logger = logging.getLogger("continuity.metrics")

CONSUMER = "continuity.metrics"
BATCH = 1000
# An id that was quiet for so long gives its place to a new one when there is no other.
QUIET = timedelta(days=1)


def begin() -> None:
    """Lets the reader stand before the first event where it never read, so that nothing is purged or erased uncounted."""
    Cursor.objects.get_or_create(consumer=CONSUMER)


def catch_up(*, batches: int = 20) -> int:
    """Counts what happened since the last time, at most `batches` of 1,000 events. Returns how many events it read."""
    relay.relay()  # what a process committed and did not live to number
    taken = 0
    for _ in range(batches):
        read = _read_batch()
        taken += read
        if read < BATCH:
            break
    return taken


@transaction.atomic
def _read_batch() -> int:
    now = timezone.now()
    held = Cursor.objects.select_for_update().filter(consumer=CONSUMER)
    cursor = held.first()
    if cursor is None:
        begin()
        cursor = held.get()
    events = list(Event.objects.filter(position__gt=cursor.position).order_by("position")[:BATCH])
    if events:
        made_up = set(Team.objects.filter(demo=True).values_list("id", flat=True))
        try:
            with transaction.atomic():
                _take(events, made_up, now)
        except Exception as error:
            if lock_waits.is_lost():
                raise
            logger.warning(
                "A batch of events can't be counted as a whole; each is by itself", extra={"metadata": {"error": name_of(error)}}
            )
            _take_one_by_one(events, made_up, now)
        Cursor.objects.filter(consumer=CONSUMER).update(position=events[-1].position, updated_at=now)
    return len(events)


def _take(events: Sequence[Event], made_up: Container[UUID | None], now: datetime) -> None:
    _count([event for event in events if event.team_id not in made_up], now)
    Attempt.objects.bulk_create([attempt for event in events if (attempt := attempt_of(event))], ignore_conflicts=True)


def _take_one_by_one(events: Sequence[Event], made_up: Container[UUID | None], now: datetime) -> None:
    """Counts events one by one: one that can't be counted becomes a dead letter, and holds up nothing behind it."""
    for event in events:
        try:
            with transaction.atomic():
                _take([event], made_up, now)
        except Exception as error:
            if lock_waits.is_lost():
                raise
            logger.exception("Event %s can't be counted", event.id, extra={"metadata": {"name": event.name}})
            dead_letters.note(event=event, subscriber=CONSUMER, error=error)


@transaction.atomic
def _take_again(event: Event) -> None:
    _take([event], set(Team.objects.filter(demo=True).values_list("id", flat=True)), timezone.now())


dead_letters.subscriber(CONSUMER, _take_again)


def _count(events: Sequence[Event], now: datetime) -> None:
    seen = [found for event in events for found in observe(event.name, str(event.subject_id), event.payload)]
    if events:
        seen.append(Observation(EVENT_THROUGHPUT, len(events)))
        meters.processed(events=len(events), now=now)
    for found in seen:
        if found.instrument.name in PERCENTILES:
            meters.took(found.instrument.name, found.value, now=now)
    wanted: dict[str, dict[str, None]] = {}
    for found in seen:
        if found.instrument.id_label:
            wanted.setdefault(found.instrument.id_label, {})[found.subject] = None
    named = {id_label: _admit(id_label, list(subjects), now) for id_label, subjects in wanted.items()}
    _store(sum_up(seen, named), now)


def _admit(id_label: str, subjects: Sequence[str], now: datetime) -> set[str]:
    """Those of the ids that have, or now get, a series of their own: first come, first served, up to the bound."""
    of_label = Series.objects.named(id_label)
    known = set(of_label.filter(subject__in=subjects).values_list("subject", flat=True))
    new = [subject for subject in subjects if subject not in known]
    if not new:
        return known
    room = settings.CONTINUITY_METRIC_IDS - of_label.values("subject").distinct().count()
    if len(new) > room:
        latest = of_label.exclude(subject__in=known).values("subject").annotate(latest=Max("updated_at"))
        quiet = latest.filter(latest__lt=now - QUIET).order_by("latest").values_list("subject", flat=True)[: len(new) - room]
        gone = list(quiet)
        of_label.filter(subject__in=gone).delete()
        room += len(gone)
    return known | set(new[: max(0, room)])


def _store(points: dict[Key, MetricPoint], now: datetime) -> None:
    names, subjects = {key[0] for key in points}, {key[1] for key in points}
    stored = {_key(row): row for row in Series.objects.filter(instrument__in=names, subject__in=subjects)}
    rows = []
    for key, point in points.items():
        row = stored.get(key) or Series(
            instrument=key[0], id_label=point.instrument.id_label, subject=key[1], labels=[list(label) for label in key[2]], since=now
        )
        row.count += point.count
        row.total += point.total
        row.buckets = [have + more for have, more in zip(row.buckets or [0] * len(point.buckets), point.buckets, strict=True)]
        row.updated_at = now
        rows.append(row)
    unique, changed = ["instrument", "subject", "labels"], ["count", "total", "buckets", "updated_at"]
    Series.objects.bulk_create(rows, batch_size=500, update_conflicts=True, unique_fields=unique, update_fields=changed)


def _key(row: Series) -> Key:
    return row.instrument, row.subject, tuple((name, value) for name, value in row.labels)
