"""Counting events: each once, in whatever process, with bounded labels."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.models import Cursor, Event
from continuity.services.erasure import retention
from continuity.services.events import events, relay
from diagnostics.models import Attempt, Series
from diagnostics.services import attempts, measurements
from tests.handoffs.story import story
from tests.metrics.reading import ids, value

ATTEMPTS = "lexichord_continuity_handoffs_total"


def failed(team, conversation=None, **more):
    payload = {"conversation_id": str(conversation or uuid4()), "reason": "unavailable", "duration_ms": 12.5, **more}
    with transaction.atomic():
        events.publish(name="handoff.failed", team=team, subject_id=uuid4(), payload=payload)
    return payload["conversation_id"]


def test_it_works(team):
    conversation = failed(team)
    assert measurements.catch_up() > 0
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 1
    assert Attempt.objects.get(team=team).reason == "unavailable"


def test_an_event_counts_once_however_often_it_is_looked_for(team):
    conversation = failed(team)
    for _ in range(3):
        measurements.catch_up()
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 1
    failed(team, conversation)
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 2
    assert Attempt.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_many_processes_count_each_event_once(team):
    conversation = failed(team)
    for _ in range(49):
        failed(team, conversation)
    failures = []

    def work() -> None:
        try:
            measurements.catch_up()
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 50


@pytest.mark.django_db(transaction=True)
def test_what_breaks_off_while_counting_is_counted_later(team):
    conversation = failed(team)
    with pytest.raises(RuntimeError), transaction.atomic():
        measurements.catch_up()
        raise RuntimeError("the process ends here")
    assert not Series.objects.exists()
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 1


def test_an_event_of_an_older_release_says_nothing(team):
    with transaction.atomic():
        for name in ("handoff.prepared", "handoff.failed", "handoff.resumed", "messages.appended", "knowledge.distilled"):
            events.publish(name=name, team=team, subject_id=uuid4(), payload={"conversation_id": str(uuid4())})
    assert measurements.catch_up() >= 5
    assert set(Series.objects.values_list("instrument", flat=True)) == {"event_throughput"}
    assert not Attempt.objects.exists()


def test_ids_beyond_the_bound_are_counted_as_other(team, settings):
    settings.CONTINUITY_METRIC_IDS = 3
    named = [failed(team) for _ in range(3)]
    measurements.catch_up()
    for _ in range(4):
        failed(team)
    failed(team, named[0])
    assert ids(ATTEMPTS, "conversation_id") == {*named, "other"}
    assert value(ATTEMPTS, conversation_id="other", success="false") == 4
    assert value(ATTEMPTS, conversation_id=named[0], success="false") == 2


def test_the_bound_holds_within_one_batch_too(team, settings):
    settings.CONTINUITY_METRIC_IDS = 2
    first = [failed(team) for _ in range(5)][:2]
    assert ids(ATTEMPTS, "conversation_id") == {*first, "other"}
    assert value(ATTEMPTS, conversation_id="other", success="false") == 3


def test_an_id_that_was_quiet_for_a_day_gives_its_place_to_a_new_one(team, settings):
    settings.CONTINUITY_METRIC_IDS = 2
    quiet, busy = failed(team), failed(team)
    measurements.catch_up()
    Series.objects.filter(subject=quiet).update(updated_at=timezone.now() - timedelta(hours=25))
    new = failed(team)
    assert ids(ATTEMPTS, "conversation_id") == {busy, new}


def test_live_gauges_keep_the_bound(team, settings):
    settings.CONTINUITY_METRIC_IDS = 1
    tokens = [conversation.context_tokens for conversation in (story(team), story(team))]
    assert len(ids("Agents_Continuity_TokenUsage", "conversation_id")) == 2
    assert value("Agents_Continuity_TokenUsage", conversation_id="other") in tokens


def test_events_are_not_purged_before_they_are_counted(team):
    conversation = failed(team)
    Cursor.objects.create(consumer=measurements.CONSUMER, position=0)
    long_ago = timezone.now() - timedelta(days=3)
    relay.relay()
    Event.objects.update(created_at=long_ago, dispatched_at=long_ago, relayed_at=long_ago)
    assert retention.purge(now=timezone.now()) == 0
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 1
    assert retention.purge(now=timezone.now()) > 0
    assert not Event.objects.exists()


def test_old_attempts_are_forgotten_and_counters_stay(team, settings):
    conversation = failed(team)
    measurements.catch_up()
    assert attempts.forget(now=timezone.now()) == 0
    assert attempts.forget(now=timezone.now() + timedelta(days=settings.CONTINUITY_METRICS_DAYS, minutes=1)) == 1
    assert value(ATTEMPTS, conversation_id=conversation, success="false") == 1
