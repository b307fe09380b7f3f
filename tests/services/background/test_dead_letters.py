"""A subscriber that cannot take an event gets it again by itself; in the end it waits as a dead letter, and holds up nobody."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone

from continuity.models import DeadLetter, Event, LetterStatus
from continuity.services.erasure import retention
from continuity.services.events import bus, dead_letters, events, redelivery
from diagnostics.models import Alert
from tests.holding import held

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def heard(monkeypatch):
    """What a healthy and a failing handler of `thing.happened` got; the second fails while `broken` is true."""
    monkeypatch.setattr(bus, "_handlers", {**{name: list(found) for name, found in bus._handlers.items()}, "thing.happened": []})
    got: dict[str, Any] = {"failing": [], "healthy": [], "broken": True}

    def failing(event: Event) -> None:
        got["failing"].append(event.id)
        if got["broken"]:
            raise ValueError("words of a conversation")

    bus.on("thing.happened")(failing)
    bus.on("thing.happened")(lambda event: got["healthy"].append(event.id))
    return got


def publish(team=None) -> Event:
    with transaction.atomic():
        event = events.publish(name="thing.happened", team=team)
    event.refresh_from_db()
    return event


def try_all(times: int = 1) -> None:
    for _ in range(times):
        DeadLetter.objects.filter(status=LetterStatus.RETRYING).update(retry_at=timezone.now())
        redelivery.sweep(now=timezone.now())


def test_it_works(heard):
    event = publish()
    assert event.dispatched_at is not None
    assert heard["healthy"] == [event.id]
    letter = DeadLetter.objects.get()
    assert (letter.event_id, letter.status, letter.attempts) == (event.id, LetterStatus.RETRYING, 1)
    assert letter.reason.startswith("ValueError") and "words" not in letter.reason
    heard["broken"] = False
    try_all()
    assert not DeadLetter.objects.exists()
    assert (len(heard["failing"]), len(heard["healthy"])) == (2, 1)


def test_before_its_time_it_is_not_tried_again(heard):
    publish()
    DeadLetter.objects.update(retry_at=timezone.now() + timedelta(minutes=5))
    assert redelivery.sweep(now=timezone.now()) == 0
    assert len(heard["failing"]) == 1


def test_after_twenty_attempts_it_waits_for_a_person_who_can_have_it_tried_again(heard, team):
    event = publish(team)
    try_all(30)
    assert len(heard["failing"]) == dead_letters.MAX_ATTEMPTS
    letter = DeadLetter.objects.get()
    assert letter.status == LetterStatus.DEAD
    alert = Alert.objects.get(rule="dead_letter")
    assert (alert.team, alert.over_at) == (team, None)
    later = publish(team)
    assert later.id in heard["healthy"]
    heard["broken"] = False
    assert redelivery.try_again(chosen=DeadLetter.objects.filter(event=event)) == 1
    try_all()
    assert not DeadLetter.objects.exists()


def test_one_by_one_on_the_command_line(heard, team):
    publish(team)
    try_all(dead_letters.MAX_ATTEMPTS)
    said = StringIO()
    call_command("dead_letters", stdout=said)
    assert "thing.happened" in said.getvalue() and "1 dead" in said.getvalue()
    heard["broken"] = False
    call_command("dead_letters", "--retry", stdout=said)
    assert "1 taken" in said.getvalue()
    assert not DeadLetter.objects.exists()


def test_what_is_discarded_is_told_of(heard, team):
    event = publish(team)
    call_command("dead_letters", "--discard", str(DeadLetter.objects.get().id), stdout=StringIO())
    assert not DeadLetter.objects.exists()
    assert Event.objects.get(name="delivery.discarded").payload["event_id"] == str(event.id)


def test_a_letter_to_a_handler_that_is_gone_is_dead_at_once(heard):
    event = publish()
    DeadLetter.objects.update(subscriber="no.such.handler")
    try_all()
    assert DeadLetter.objects.get(event=event).status == LetterStatus.DEAD


def test_an_alert_that_cannot_be_delivered_does_not_raise_another(heard, monkeypatch):
    def no_alert(event: Event) -> None:
        raise RuntimeError

    bus._handlers[redelivery.ABANDONED] = []
    bus.on(redelivery.ABANDONED)(no_alert)
    publish()
    try_all(3 * dead_letters.MAX_ATTEMPTS)
    assert Event.objects.filter(name=redelivery.ABANDONED).count() == 1
    assert DeadLetter.objects.dead().count() == 2


def test_events_given_up_by_an_earlier_release_are_taken_up(heard):
    """They were left undispatched after twenty attempts."""
    old = Event.objects.create(name="thing.happened", attempts=20, created_at=timezone.now() - timedelta(days=1))
    assert bus.sweep(older_than=timedelta(0)) == 1
    old.refresh_from_db()
    assert old.dispatched_at is not None
    assert DeadLetter.objects.filter(event=old).count() == 2
    assert heard["failing"] == []


def test_a_handler_that_waits_for_a_row_is_not_waited_for(heard, team):
    def waits(event: Event) -> None:
        with connection.cursor() as cursor:
            cursor.execute("UPDATE continuity_team SET name = 'Other' WHERE id = %s", [team.id])

    bus.on("thing.happened")(waits)
    with held("continuity_team", team.id):
        event = publish()  # without an end, if it were waited for
    assert event.dispatched_at is not None
    assert DeadLetter.objects.filter(reason__contains="OperationalError").count() == 1


def test_the_event_is_kept_as_long_as_its_letter(heard, settings):
    event = publish()
    old = timezone.now() - timedelta(hours=settings.EVENT_RETENTION_HOURS + 1)
    Event.objects.update(created_at=old, relayed_at=old)
    retention.purge(now=timezone.now())
    assert Event.objects.filter(id=event.id).exists()
    DeadLetter.objects.update(created_at=timezone.now() - timedelta(days=31))
    retention.purge(now=timezone.now())
    assert not Event.objects.filter(id=event.id).exists()
