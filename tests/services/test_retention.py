"""What is purged: only what was delivered, only when its time is over."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from continuity.models import Event, IdempotentReply, Job
from continuity.services import retention


@pytest.fixture
def old(settings):
    return timezone.now() - timedelta(hours=settings.EVENT_RETENTION_HOURS, minutes=1)


def event(created_at, *, delivered=True):
    times = {"dispatched_at": created_at, "relayed_at": created_at} if delivered else {}
    return Event.objects.create(name="thing.happened", created_at=created_at, **times)


@pytest.mark.django_db
def test_it_works(old):
    gone, kept = event(old), event(timezone.now())
    assert retention.purge(now=timezone.now()) == 1
    assert list(Event.objects.all()) == [kept] != [gone]


@pytest.mark.django_db
def test_an_event_that_nobody_got_is_kept_however_old(old):
    waiting = event(old, delivered=False)
    retention.purge(now=timezone.now())
    assert Event.objects.filter(id=waiting.id).exists()


def test_replies_are_kept_for_a_day(team):
    now = timezone.now()
    for hours in (1, 25):
        IdempotentReply.objects.create(team=team, key=f"k{hours}", request_digest="d", created_at=now - timedelta(hours=hours))
    retention.purge(now=now)
    assert list(IdempotentReply.objects.values_list("key", flat=True)) == ["k1"]


def test_files_of_given_up_imports_go_and_those_of_waiting_ones_stay(team, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    Job.objects.create(team=team, kind="import", arguments={"file": "waiting"})
    long_ago = (timezone.now() - timedelta(days=3)).timestamp()
    for name in ("waiting", "forgotten", "new"):
        path = Path(tmp_path / name)
        path.write_text("x")
        if name != "new":
            os.utime(path, (long_ago, long_ago))
    retention.purge(now=timezone.now())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "waiting"]
