"""What is published together is stored together, or not at all."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, NotFound
from continuity.models import Event, PublishedPayload, Team, Topic
from continuity.services.subscriptions import publishing
from continuity.services.subscriptions.publishing import Publication, Published
from tests.events.test_bus import subscribed, taken

pytestmark = pytest.mark.django_db(transaction=True)


def publish(team: Team, *publications: Publication) -> Sequence[Published]:
    return publishing.publish(team=team, publications=publications, publisher="tests", now=timezone.now())


def stored() -> list[str]:
    return list(Event.objects.filter(name="event.published").order_by("position").values_list("topic", flat=True))


def batch(id: UUID, topic: str) -> list[Publication]:
    return [Publication("task:before"), Publication(topic, id=id), Publication("task:after")]


def test_it_works(team: Team, other_team: Team) -> None:
    id = uuid4()
    publish(team, Publication("task:a", id=id))
    for who, topic in ((team, "task:other"), (other_team, "task:a")):
        with pytest.raises(Conflict):
            publish(who, *batch(id, topic))
    assert stored() == ["task:a"]
    assert PublishedPayload.objects.count() == 1


def test_an_id_of_an_event_of_ours_is_refused(team: Team) -> None:
    subscribed(team)
    with pytest.raises(Conflict):
        publish(team, *batch(Event.objects.get(name="subscription.created").id, "task:a"))
    assert stored() == []


def test_what_is_sent_again_with_more_is_stored_once(team: Team) -> None:
    found, id = subscribed(team), uuid4()
    publish(team, Publication("task:a", id=id))
    assert [each.new for each in publish(team, *batch(id, "task:a"))] == [True, False, True]
    assert [item.event.subject for item in taken(found).items] == ["task:a", "task:before", "task:after"]


def test_what_another_process_declares_holds_at_once(team: Team) -> None:
    """This one remembers what it read, and never stores by it what is declared otherwise by now."""
    numbers, words = {"type": "integer"}, {"type": "string"}
    publish(team, Publication("task:a", 1))
    Topic.objects.create(team=team, name="task:a", schema=words)
    with pytest.raises(Invalid):
        publish(team, Publication("task:b"), Publication("task:a", 2))
    assert publish(team, Publication("task:a", "two"))[0].critical is False
    Topic.objects.get(name="task:a").delete()
    Topic.objects.create(team=team, name="task:a", schema=numbers, critical=True)
    assert publish(team, Publication("task:a", 3))[0].critical is True
    with pytest.raises(Invalid):
        publish(team, Publication("task:a", "four"))
    Topic.objects.get(name="task:a").delete()
    assert publish(team, Publication("task:a", "five"))[0].critical is False
    assert list(PublishedPayload.objects.order_by("event__position").values_list("body", flat=True)) == [1, "two", 3, "five"]


def test_an_event_is_stored_by_one_statement(team: Team, other_team: Team) -> None:
    """What a topic's declaration says is asked for once; every team has its own."""
    Topic.objects.create(team=other_team, name="task:a", schema={"type": "string"})
    publish(team, Publication("task:a", 1))
    with CaptureQueriesContext(connection) as statements:
        publish(team, Publication("task:a", 2))
    assert len(statements) == 2  # The other marks it as sent.
    with pytest.raises(Invalid):
        publish(other_team, Publication("task:a", 3))


@pytest.mark.parametrize(("topic", "expected"), [("task:a", ["task:a", "task:before", "task:after"]), ("task:other", ["task:a"])])
def test_an_id_that_is_stored_in_the_same_moment(team: Team, topic: str, expected: list[str]) -> None:
    """The second waits for its turn, and could not see the first when it began to."""
    id, results = uuid4(), list[object]()

    def second() -> None:
        try:
            results.append([each.new for each in publish(team, *batch(id, topic))])
        except Conflict as error:
            results.append(error.code)
        finally:
            connection.close()

    thread = threading.Thread(target=second)
    with transaction.atomic():
        publish(team, Publication("task:a", id=id))
        thread.start()
        while not someone_waits():
            assert thread.is_alive()
    thread.join(20)
    assert results == ([[True, False, True]] if topic == "task:a" else ["conflict"])
    assert stored() == expected


def someone_waits(kind: str = "advisory") -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = %s AND NOT granted)", [kind])
        return bool(cursor.fetchone()[0])


def test_a_team_that_is_gone_publishes_nothing(team: Team) -> None:
    gone = Team(name="gone")
    with pytest.raises(NotFound):
        publish(gone, Publication("task:a"))
    assert stored() == []
