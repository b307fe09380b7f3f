"""Events about a conversation: what their publisher said is erased as messages are, wherever it had come to."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone

from continuity.core.errors import NotFound
from continuity.events import delays
from continuity.live import subscribing
from continuity.models import Conversation, DeadLetter, Delivery, Erasure, Event, PublishedPayload, Subscription, Team, User
from continuity.services.events import relay
from continuity.services.jobs import broker, jobs
from continuity.services.recording import conversations
from continuity.services.subscriptions import delivery_failures, letters, publishing
from continuity.services.subscriptions.publishing import Publication
from handoffs.services.erasure import erasing
from tests.api.caller import Caller
from tests.events.test_bus import subscribed, taken
from tests.events.test_publishing import someone_waits, stored
from tests.life.everywhere import tables_holding

pytestmark = pytest.mark.django_db(transaction=True)
WORDS = "marzipan export of the client"
SAID = {"task": 7, "note": f"Finished the {WORDS}."}


@pytest.fixture(autouse=True)
def uploads(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(autouse=True)
def soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that has nothing more to give says so soon: `streamed` reads up to that."""
    monkeypatch.setattr(subscribing, "HEARTBEAT_SECONDS", 0.5)


@pytest.fixture
def by(owner: User) -> erasing.By:
    return erasing.By(owner.email, owner)


def publish(team: Team, about: UUID, topics: Sequence[str] = ("task:held", "task:dead", "task:waits")) -> list[UUID]:
    events = [{"topic": topic, "payload": SAID, "conversation_id": str(about)} for topic in topics]
    answer = Caller.of(team).post("/events", {"events": events})
    assert answer.status_code == 201, answer.content
    return [UUID(item["id"]) for item in answer.json()["items"]]


def spread(team: Team, about: UUID) -> tuple[Subscription, list[UUID]]:
    """A subscriber that holds one event about the conversation, never took a second, and was not yet handed a third. The stream that all
    processes read has their ids alone."""
    found = subscribed(team)
    ids = publish(team, about)
    assert [item.event.payload for item in taken(found, limit=2).items] == [SAID, SAID]
    with transaction.atomic():
        delivery_failures.bury(found, Delivery.objects.get(event=ids[1]), "ValueError")
    assert tables_holding(WORDS) == {"continuity_publishedpayload"}
    relayed: Any = broker.client().xrange(relay.STREAM)
    assert str(ids[-1]) in str(relayed)
    assert WORDS not in str(relayed)
    return found, ids


def streamed(found: Subscription) -> dict[str, Any]:
    """All that the subscriber's stream gives it, with what it held and its dead letters: the payload of each by its topic."""
    for letter in DeadLetter.objects.filter(subscription=found):
        letters.retry(team=found.team, letter_id=letter.id)
    Delivery.objects.filter(subscription=found).update(due_at=timezone.now() - timedelta(seconds=1))

    async def story() -> bytes:
        reader = subscribing._Reader(found.team, found.id, 100, None, delays.LEASE)
        async with aclosing(subscribing._stream(reader)) as body:
            return await anext(body) + await anext(body) + await anext(body)

    told = [json.loads(line[6:]) for line in asyncio.run(story()).decode().splitlines() if line.startswith("data: {")]
    return {each["topic"]: each["payload"] for each in told}


def finish(erasure: Erasure) -> None:
    jobs.run(job_id=erasure.job_id)
    erasure.refresh_from_db()
    assert erasure.completed_at is not None


def test_it_works(team: Team) -> None:
    conversation = conversations.create(team=team)
    found = subscribed(team)
    (id,) = publish(team, conversation.id, ["task:a"])
    (item,) = taken(found).items
    assert (item.event.id, item.event.subject_id, item.event.payload) == (id, conversation.id, SAID)
    assert PublishedPayload.objects.get(event=id).conversation_id == conversation.id
    assert Event.objects.get(id=id).subject_id == conversation.id


def test_with_its_conversation_it_is_erased_everywhere(team: Team, by: erasing.By) -> None:
    conversation = conversations.create(team=team)
    found, _ = spread(team, conversation.id)
    (other,) = publish(team, conversations.create(team=team).id, ["task:other"])
    finish(erasing.erase_conversation(team=team, conversation_id=conversation.id, by=by))
    assert list(PublishedPayload.objects.values_list("event", flat=True)) == [other]
    assert not DeadLetter.objects.exists()
    assert streamed(found) == {"task:other": SAID}


def test_words_of_it_are_erased_everywhere(team: Team, by: erasing.By) -> None:
    conversation = conversations.create(team=team)
    found, _ = spread(team, conversation.id)
    erasure = erasing.erase_words(team=team, conversation_id=conversation.id, words=WORDS, by=by)
    assert erasure.removed["publishedpayload"] == 3
    finish(erasure)
    assert tables_holding(WORDS) == set()
    left = {"task": 7, "note": f"Finished the {'█' * len(WORDS)}."}
    assert streamed(found) == {"task:held": left, "task:dead": left, "task:waits": left}


def test_an_operator_erases_one_everywhere(team: Team) -> None:
    found, ids = spread(team, conversations.create(team=team).id)
    writer, operator = Caller.of(team, ["write"]), Caller.of(team)
    for caller, expected in ((writer, 403), (operator, 204), (operator, 404)):
        assert caller.call("DELETE", f"/events/{ids[1]}/payload").status_code == expected
    assert operator.call("DELETE", f"/events/{ids[0]}/payload").status_code == 204
    assert streamed(found) == {"task:held": None, "task:dead": None, "task:waits": SAID}
    assert operator.call("DELETE", f"/events/{ids[2]}/payload").status_code == 204
    assert tables_holding(WORDS) == set()


def test_another_team_says_nothing_about_it(team: Team, other_team: Team) -> None:
    answer = Caller.of(other_team).post(
        "/events", {"events": [{"topic": "task:a", "conversation_id": str(conversations.create(team=team).id)}]}
    )
    assert answer.status_code == 404
    assert stored() == []


def test_one_that_is_erased_in_the_same_moment(team: Team) -> None:
    """Whoever publishes waits for who erases, and could not know that when it began to."""
    kept, gone = conversations.create(team=team), conversations.create(team=team)
    results = list[object]()

    def about_both() -> None:
        told = [Publication("task:a", SAID, conversation_id=each.id) for each in (kept, gone)]
        try:
            results.append(publishing.publish(team=team, publications=told, publisher="tests", now=timezone.now()))
        except NotFound as error:
            results.append(error.data["noun"])
        finally:
            connection.close()

    thread = threading.Thread(target=about_both)
    with transaction.atomic():
        Conversation.objects.select_for_update().get(id=gone.id)
        thread.start()
        while not someone_waits("transactionid"):
            assert thread.is_alive()
        Conversation.objects.get(id=gone.id).delete()
    thread.join(20)
    assert results == ["conversation"]
    assert stored() == []
