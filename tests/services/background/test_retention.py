"""What is purged: only what was delivered, only when its time is over."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from continuity.models import Event, IdempotentReply, Job
from continuity.services.erasure import retention
from continuity.services.jobs import queueing
from tests import holding


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


@pytest.mark.django_db
def test_a_backlog_larger_than_one_run_goes_batch_by_batch_over_runs_that_ask_for_the_next(old, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 3)
    asked = []
    monkeypatch.setattr(queueing, "send", lambda task, **_: asked.append(task))
    for _ in range(8):
        event(old)
    kept = event(timezone.now())
    gone = []
    for runs in range(1, 5):
        # Without any time a run takes one batch, and says that more is left.
        gone.append(retention.purge(now=timezone.now(), seconds=0))
        if len(asked) < runs:
            break
    assert gone == [3, 3, 2]
    assert asked == ["continuity.purge"] * 2
    assert list(Event.objects.all()) == [kept]


@pytest.mark.django_db
def test_one_run_with_time_takes_all_in_batches_none_of_which_is_larger_than_its_bound(old, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 3)
    batches, delete = [], retention._delete_events

    def counted(now):
        batches.append(delete(now))
        return batches[-1]

    monkeypatch.setattr(retention, "_delete_events", counted)
    for _ in range(8):
        event(old)
    assert retention.purge(now=timezone.now()) == 8
    assert batches == [3, 3, 2]


@pytest.mark.django_db(transaction=True)
def test_no_batch_waits_for_an_event_that_somebody_holds_nor_holds_what_it_does_not_delete(old, monkeypatch):
    monkeypatch.setattr(retention, "BATCH", 2)
    mine, *others = (event(old) for _ in range(5))
    with holding.held(Event._meta.db_table, mine.id):
        assert retention.purge(now=timezone.now()) == len(others)
    assert list(Event.objects.all()) == [mine]
    assert retention.purge(now=timezone.now()) == 1


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
