"""Publishing, handing out and acknowledging, against the real database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from continuity.core.errors import Conflict, Fenced, Invalid, NotFound, TooLarge
from continuity.events import delays
from continuity.events.policies import ReplayPolicy
from continuity.models import Acknowledgement, DeadLetter, Delivery, Event, PublishedPayload, Subscription, Team
from continuity.services.events import redelivery
from continuity.services.subscriptions import acknowledging, event_delivery, letters, publishing, subscriptions, topics
from continuity.services.subscriptions.acknowledging import AckOutcome, ReportedOutcome
from continuity.services.subscriptions.event_delivery import TakenEvents
from continuity.services.subscriptions.publishing import Publication

pytestmark = pytest.mark.django_db(transaction=True)


def say(team: Team, *topics: str, critical: bool = False, payload: Any = None) -> Sequence[UUID]:
    told = [Publication(topic, payload, critical) for topic in topics]
    return [each.id for each in publishing.publish(team=team, publications=told, publisher="tests", now=timezone.now())]


def taken(found: Subscription, **how: Any) -> TakenEvents:
    return event_delivery.take(team=found.team, subscription_id=found.id, now=how.pop("now", timezone.now()), **how)


def ack(found: Subscription, ids: Sequence[UUID], outcome: AckOutcome = AckOutcome.HANDLED, **how: Any) -> acknowledging.Counted:
    told = [ReportedOutcome(id, outcome, "ValueError" if outcome == AckOutcome.FAILED else "") for id in ids]
    return acknowledging.acknowledge(team=found.team, subscription_id=found.id, told=told, now=how.pop("now", timezone.now()), **how)


def subscribed(team: Team, name: str = "billing", pattern: str = "task:*", **how: Any) -> Subscription:
    return subscriptions.subscribe(team=team, name=name, pattern=pattern, **how)[0]


def test_it_works(team: Team) -> None:
    found = [subscribed(team, name) for name in ("one", "two", "three")]
    ids = say(team, "task:completed", "note:written", "task:completed", payload={"n": 1})
    for each in found:
        got = taken(each)
        assert [item.event.id for item in got.items] == [ids[0], ids[2]]
        assert got.items[0].event.payload == {"n": 1}
        assert [item.event.position for item in got.items] == sorted(item.event.position or 0 for item in got.items)
        assert ack(each, [ids[0], ids[2]]).handled == 2
        assert taken(each, now=timezone.now() + timedelta(hours=1)).items == []
    assert Acknowledgement.objects.count() == 6
    assert not Delivery.objects.exists()


def test_our_own_events_have_topics_too(team: Team) -> None:
    found = subscribed(team, pattern="subscription:*")
    subscribed(team, "second")
    assert [item.event.subject for item in taken(found).items] == ["subscription:created", "subscription:created"]


def test_what_is_not_acknowledged_comes_again_by_itself(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    first, second = say(team, "task:a", "task:b")
    assert len(taken(found, now=now).items) == 2
    ack(found, [second])
    assert taken(found, now=now + timedelta(seconds=29)).items == []
    again = taken(found, now=now + timedelta(seconds=31))
    assert [(item.event.id, item.attempt) for item in again.items] == [(first, 2)]


def test_who_still_works_is_left_in_peace(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    (id,) = say(team, "task:a")
    taken(found, now=now)
    assert ack(found, [id], AckOutcome.WORKING, now=now + timedelta(seconds=25)).working == 1
    assert taken(found, now=now + timedelta(seconds=50)).items == []
    assert len(taken(found, now=now + timedelta(seconds=56)).items) == 1


def test_what_always_fails_becomes_a_dead_letter_and_holds_up_nothing(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    (poison,) = say(team, "task:poison")
    waits = []
    for attempt in range(1, delays.ATTEMPTS + 1):
        (fine,) = say(team, "task:fine")
        got = taken(found, now=now)
        assert {item.event.id for item in got.items} == {poison, fine}
        assert next(item.attempt for item in got.items if item.event.id == poison) == attempt
        ack(found, [fine])
        assert ack(found, [poison], AckOutcome.FAILED, now=now).failed == 1
        waits.append(delays.after(attempt))
        now += waits[-1]
    assert waits[:4] == [timedelta(seconds=seconds) for seconds in (1, 2, 4, 8)]
    letter = DeadLetter.objects.get(subscription=found)
    assert (letter.status, letter.reason, letter.attempts) == ("dead", "ValueError", 5)
    assert Event.objects.filter(name="delivery.abandoned", team=team).count() == 1
    assert taken(found, now=now + timedelta(days=1)).items == []
    letters.retry(team=team, letter_id=letter.id)
    assert [item.event.id for item in taken(found).items] == [poison]
    ack(found, [poison])
    assert not DeadLetter.objects.exists()


def test_an_answer_that_comes_after_all_takes_the_letter_away(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    (id,) = say(team, "task:slow")
    for _ in range(delays.ATTEMPTS + 1):
        taken(found, now=now)
        now += timedelta(seconds=60)
    assert DeadLetter.objects.count() == 1
    assert ack(found, [id]).handled == 1
    assert not DeadLetter.objects.exists()
    assert ack(found, [id]).again == 1


def test_removing_a_subscriber_frees_what_it_held(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    say(team, "task:a", "task:b")
    taken(found, now=now)
    Delivery.objects.update(attempts=delays.ATTEMPTS)
    taken(found, now=now + timedelta(minutes=1), limit=1)
    assert DeadLetter.objects.count() == 1
    subscriptions.remove(team=team, subscription_id=found.id)
    assert not (DeadLetter.objects.exists() or Delivery.objects.exists())
    assert redelivery.sweep(now=timezone.now()) == 0


def test_an_event_is_published_once_under_an_id(team: Team, other_team: Team) -> None:
    given = Publication("task:a", {"n": 1}, id=uuid4())
    assert publishing.publish(team=team, publications=[given], publisher="x", now=timezone.now())[0].new
    assert not publishing.publish(team=team, publications=[given], publisher="x", now=timezone.now())[0].new
    assert Event.objects.filter(id=given.id).count() == 1
    for who, topic in ((team, "task:b"), (other_team, "task:a")):
        with pytest.raises(Conflict):
            publishing.publish(team=who, publications=[Publication(topic, id=given.id)], publisher="x", now=timezone.now())


def test_secrets_are_masked_before_they_are_stored(team: Team) -> None:
    found = subscribed(team)
    (id,) = say(team, "task:a", payload={"env": "DB_PASSWORD=hunter2hunter2"})
    assert "hunter2" not in str(PublishedPayload.objects.get(event=id).body)
    assert "[secret" in str(taken(found).items[0].event.payload)


def test_what_can_not_be_published_is_refused_clearly(team: Team, other_team: Team) -> None:
    for topic in ("", "a b", "task:*", "alert:raised", "conversation:erased", "x" * 201):
        with pytest.raises(Invalid):
            say(team, topic)
    with pytest.raises(TooLarge, match="65,536 bytes"):
        say(team, "task:a", payload="x" * 65_536)
    with pytest.raises(NotFound):
        publishing.publish(team=team, publications=[Publication("a", conversation_id=uuid4())], publisher="x", now=timezone.now())
    assert not PublishedPayload.objects.exists()


def test_a_topic_may_say_how_payloads_look(team: Team) -> None:
    schema = {"type": "object", "required": ["task"], "properties": {"task": {"type": "string", "maxLength": 5}}}
    topics.declare(team=team, name="task:completed", schema=schema, critical=True)
    with pytest.raises(Invalid, match=r"payload\.task is missing"):
        say(team, "task:completed", payload={})
    (id,) = say(team, "task:completed", payload={"task": "done"})
    assert Event.objects.get(id=id).critical


def test_a_later_instance_fences_off_the_one_before(team: Team) -> None:
    found, now = subscribed(team, policy=ReplayPolicy.FULL), timezone.now()
    first = subscriptions.begin(team=team, subscription_id=found.id, now=now).epoch
    (id,) = say(team, "task:a")
    assert len(taken(found, epoch=first).items) == 1
    second = subscriptions.begin(team=team, subscription_id=found.id, now=now).epoch
    with pytest.raises(Fenced):
        taken(found, epoch=first)
    with pytest.raises(Fenced):
        ack(found, [id], epoch=first)
    assert [item.event.id for item in taken(found, epoch=second).items] == [id]


def test_another_team_sees_nothing(team: Team, other_team: Team) -> None:
    found, theirs = subscribed(team), subscribed(other_team, pattern="*")
    say(team, "task:a")
    ids = [item.event.id for item in taken(theirs).items]
    assert not Event.objects.filter(id__in=ids).exclude(team=other_team).exists()
    with pytest.raises(NotFound):
        event_delivery.take(team=other_team, subscription_id=found.id, now=timezone.now())
