"""What the client takes for an event, and that it goes on whatever its stream says."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from typing import Any

import pytest

from continuity.client import events
from continuity.client.events import Subscriber
from continuity.core.errors import Invalid
from continuity.events import delays
from continuity.events.topics import CONTROL_FRAMES
from continuity.live import subscribing, wire
from continuity.models import Event, Subscription, Team
from continuity.services.subscriptions import topics
from tests.events.test_bus import say, subscribed
from tests.events.test_reconnecting import Streams
from tests.serving import serving

CONTROL = sorted(CONTROL_FRAMES)
OPENING = wire.opening(retry_seconds=1) + wire.HEARTBEAT


@contextmanager
def listening(there: Streams) -> Iterator[Subscriber]:
    subscriber = Subscriber("billing", url=f"http://127.0.0.1:{there.server_address[1]}", key="none")
    thread = threading.Thread(target=subscriber._listen)
    with serving(there):
        thread.start()
        try:
            yield subscriber
        finally:
            subscriber.stop()
            thread.join(20)
    assert not thread.is_alive()


def streamed(found: Subscription) -> bytes:
    async def story() -> bytes:
        reader = subscribing._Reader(found.team, found.id, 100, None, delays.LEASE)
        async with aclosing(subscribing._stream(reader)) as body:
            return await anext(body) + await anext(body)

    return asyncio.run(story())


def frame(topic: str, **more: Any) -> bytes:
    """An event as a server sends it that knows nothing of what its own frames are called."""
    told: dict[str, Any] = dict.fromkeys(("publisher", "published_at", "correlation_id", "traceparent"), "")
    told |= {"attempt": 1, "replay": False}
    told |= {"id": f"id-{topic}", "topic": topic, "payload": None, "position": 1, "critical": False, "subject_id": None, **more}
    return f"id: 1\nevent: {topic}\ndata: {json.dumps(told)}\n\n".encode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("topic", CONTROL)
def test_it_works(team: Team, topic: str) -> None:
    """An event that was published under such a topic, when that could be, is an event to every client."""
    found = subscribed(team, pattern=f"{topic},task:*")
    ids = say(team, "task:a", "task:b")
    Event.objects.filter(id=ids[0]).update(topic=topic)
    body = streamed(found)
    assert f"event: {topic}\n".encode() not in body
    with listening(Streams(body)) as subscriber:
        got = [subscriber._arrived.get(timeout=20).event for _ in ids]
        assert [(event.id, event.topic) for event in got] == [(str(ids[0]), topic), (str(ids[1]), "task:b")]
        assert subscriber._ended is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("topic", CONTROL)
def test_nobody_publishes_what_could_be_taken_for_a_frame_of_the_stream(team: Team, topic: str) -> None:
    with pytest.raises(Invalid, match=f"add a word, such as {topic}:found"):
        say(team, topic)
    with pytest.raises(Invalid):
        topics.declare(team=team, name=topic, schema=None, critical=False)
    assert len(say(team, f"{topic}:found")) == 1


@pytest.mark.parametrize("topic", CONTROL)
def test_an_older_server_s_events_are_events(topic: str) -> None:
    with listening(Streams(OPENING + frame(topic, after_ms=None))) as subscriber:
        assert subscriber._arrived.get(timeout=20).event.topic == topic


def test_the_stream_s_own_frames_are_none(caplog: pytest.LogCaptureFixture) -> None:
    body = OPENING + b'event: gap\ndata: {"through": 7}\n\n' + frame("task:a", after_ms=None)
    with listening(Streams(body)) as subscriber:
        assert subscriber._arrived.get(timeout=20).event.topic == "task:a"
    assert "Events up to 7 are gone that were missed" in caplog.text


@pytest.mark.parametrize("odd", [b"event: task:a\ndata: 7\n\n", frame("task:a"), b'event: gap\ndata: {"strange": 1}\n\n'], ids=range(3))
def test_what_nobody_expected_is_told_and_it_goes_on_with_growing_pauses(odd: bytes, caplog: pytest.LogCaptureFixture) -> None:
    """Though each stream begins with a sign of life."""
    there = Streams(OPENING + odd)
    with listening(there) as subscriber:
        assert there.enough.wait(20)
        there.body = OPENING + frame("task:b", after_ms=None)
        assert subscriber._arrived.get(timeout=20).event.topic == "task:b"
    first, second, third = (after - before for before, after in zip(there.begun[:3], there.begun[1:4], strict=True))
    assert first < second < third
    told = [record for record in caplog.records if record.message == "The stream of events could not be read; it begins again"]
    assert len(told) >= 3
    assert {record.levelno for record in told} == {logging.ERROR}


def test_who_can_not_tell_what_became_of_events_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, *_: object) -> None:
            pass

        def call(self, *_: object) -> None:
            raise RuntimeError("unheard of")

        def close(self) -> None:
            pass

    monkeypatch.setattr(events, "Connection", Broken)
    there = Streams(OPENING + frame("task:a", after_ms=None))
    subscriber = Subscriber("billing", url=f"http://127.0.0.1:{there.server_address[1]}", key="none")
    subscriber.id, subscriber.epoch = "some", 1
    at_last = threading.Timer(20, subscriber.stop)
    at_last.start()
    with serving(there), pytest.raises(RuntimeError, match="unheard of"):
        subscriber.run()
    at_last.cancel()
