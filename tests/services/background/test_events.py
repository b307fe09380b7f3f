"""Events stand or fall with their cause, are delivered at least once, and are read by position without gaps."""

import threading
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.models import Event, Team
from continuity.services.events import bus, events, relay
from continuity.services.jobs import broker

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def heard(monkeypatch):
    """Names of the events that a handler registered for this test got."""
    names = []
    monkeypatch.setattr(bus, "_handlers", {**{name: list(found) for name, found in bus._handlers.items()}, "thing.happened": []})
    bus.on("thing.happened")(lambda event: names.append(event.name))
    return names


def publish(team: Team | None = None) -> Event:
    with transaction.atomic():
        return events.publish(name="thing.happened", team=team)


def test_it_works(heard):
    event = publish()
    event.refresh_from_db()
    assert heard == ["thing.happened"]
    assert event.dispatched_at and event.relayed_at and event.position


def test_events_of_one_transaction_are_numbered_and_sent_together(heard, django_assert_num_queries):
    relay.relay()
    # Beginning and end, three rows, how long the handler may wait, all numbered, all marked as sent, the one with a handler as taken.
    with django_assert_num_queries(2 + 3 + 2 + 1 + 1 + 1), transaction.atomic():
        for name in ("thing.unheard", "thing.happened", "thing.unheard"):
            written = events.publish(name=name, team=None)
    stored = list(Event.objects.order_by("created_at"))
    assert written.id == stored[-1].id
    assert all(event.dispatched_at and event.relayed_at and event.position for event in stored)
    assert [event.position for event in stored] == sorted(event.position or 0 for event in stored)
    assert heard == ["thing.happened"]


def test_an_event_that_nobody_numbered_is_told_of_by_the_sweep_though_it_has_no_handler(monkeypatch):
    monkeypatch.setattr(bus, "deliver", lambda event: None)  # as where the process ends right after its commit
    with transaction.atomic():
        event = events.publish(name="thing.unheard", team=None)
    bus.sweep(older_than=timedelta(0))
    event.refresh_from_db()
    assert event.position and event.relayed_at and event.dispatched_at


def test_an_event_of_a_rolled_back_change_never_was(heard):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        events.publish(name="thing.happened", team=None)
        raise ZeroDivisionError
    assert heard == []
    assert not Event.objects.filter(name="thing.happened").exists()


def test_publishing_outside_a_transaction_is_refused():
    with pytest.raises(RuntimeError, match=r"thing\.happened"):
        events.publish(name="thing.happened", team=None)


def test_an_event_that_no_process_delivered_is_swept(heard):
    Event.objects.create(name="thing.happened")
    assert bus.sweep(older_than=timedelta(0)) == 1
    assert heard == ["thing.happened"]
    assert bus.sweep(older_than=timedelta(0)) == 0


def test_positions_follow_the_order_of_commits(heard):
    """One transaction is open while another commits: the late one gets the higher position, though it began first."""
    began, may_commit = threading.Event(), threading.Event()

    def late() -> None:
        with transaction.atomic():
            slow.append(events.publish(name="thing.happened", team=None))
            began.set()
            assert may_commit.wait(60)
        connection.close()

    slow: list[Event] = []
    thread = threading.Thread(target=late)
    thread.start()
    assert began.wait(60)
    quick = publish()
    may_commit.set()
    thread.join(60)
    quick.refresh_from_db()
    slow[0].refresh_from_db()
    assert slow[0].created_at < quick.created_at
    assert quick.position
    assert slow[0].position
    assert slow[0].position > quick.position


def test_a_clock_set_back_does_not_turn_the_order_round(heard):
    now = timezone.now()
    with transaction.atomic():
        written = [Event.objects.create(name="thing.happened", created_at=now - timedelta(seconds=10 * age)) for age in range(3)]
    relay.relay()
    read = Event.objects.filter(name="thing.happened").order_by("position").values_list("id", flat=True)
    assert list(read) == [event.id for event in written]


def test_positions_do_not_follow_the_places_on_disk(heard):
    """Planned for a table that was empty when it was last looked at; the first event lies behind the others."""
    with transaction.atomic(), connection.cursor() as cursor:
        publish()
        Event.objects.all().delete()
        cursor.execute("ANALYZE continuity_event")
        written = [Event.objects.create(name="thing.happened") for _ in range(3)]
        Event.objects.filter(id=written[0].id).update(attempts=1)
        relay.relay()
    read = Event.objects.filter(name="thing.happened").order_by("position").values_list("id", flat=True)
    assert list(read) == [event.id for event in written]


def test_many_writers_get_distinct_positions(heard):
    def write() -> None:
        for _ in range(10):
            publish()
        connection.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    positions = list(Event.objects.filter(name="thing.happened").values_list("position", flat=True))
    assert len(positions) == 40
    assert None not in positions
    assert len(set(positions)) == 40


def test_a_dead_broker_never_fails_the_writer(heard, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    broker.client.cache_clear()
    try:
        event = publish()
        event.refresh_from_db()
        assert heard == ["thing.happened"]
        assert event.dispatched_at and event.position
        assert event.relayed_at is None
    finally:
        broker.client.cache_clear()
        broker._breaker.close()


def test_a_listener_that_fails_stops_neither_the_writer_nor_the_others(heard, monkeypatch):
    told: list[UUID] = []

    def failing(_events):
        raise ValueError("one of ours")

    monkeypatch.setattr(relay, "_listeners", [failing, lambda events: told.extend(each.id for each in events)])
    event = publish()
    event.refresh_from_db()
    assert told == [event.id]
    assert event.relayed_at is not None
