"""One reader of the stream: what it hears, in which order, and what it is told where something is missing."""

import asyncio
import json
from contextlib import aclosing
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from continuity.live import hub, stream, wire
from continuity.models import Event
from continuity.services.erasure import retention
from continuity.services.events import event_replay, relay
from continuity.services.recording import conversations
from tests.api.caller import Caller
from tests.live.listening import heard, listening, say

pytestmark = pytest.mark.django_db(transaction=True)


def test_it_works(team):
    async def story(body):
        ready = await heard(body)
        conversation = await say(team, "Ours")
        event = await heard(body)
        assert (ready.name, ready.data) == ("ready", {})
        assert (event.name, event.data["name"], event.data["about"]) == ("conversation.created", "conversation.created", [conversation])
        assert event.id > ready.id

    listening(team, None, story)


def test_a_page_hears_of_all_events_with_one_listener(team):
    async def story(body):
        await heard(body)
        await say(team)
        event = await heard(body)
        assert (event.name, event.data["name"]) == ("", "conversation.created")

    listening(team, None, story, named=False)


def test_it_goes_on_where_the_reader_stopped_without_loss_or_doubles(team, monkeypatch):
    monkeypatch.setattr(stream, "BATCH", 2)
    before = event_replay.latest()
    made = [str(conversations.create(team=team).id) for _ in range(5)]

    async def story(body):
        assert (await heard(body)).name == "ready"
        events = [await heard(body) for _ in range(3)]
        async with aclosing(stream.body(team, events[1].id, named=True)) as again:
            await heard(again)
            events[2:] = [await heard(again) for _ in range(3)]
            made.append(await say(team))
            events.append(await heard(again))
        assert [event.data["about"] for event in events] == [[each] for each in made]

    listening(team, before, story)


def test_nothing_of_another_team_is_heard(team, other_team):
    async def story(body):
        await heard(body)
        await say(other_team)
        ours = await say(team)
        assert (await heard(body)).data["about"] == [ours]

    listening(team, None, story)


def test_no_words_are_sent(team):
    before = event_replay.latest()
    conversation = conversations.create(team=team, title="Unsayable")
    conversations.change(team=team, conversation_id=conversation.id, changes={"title": "Unspeakable"})

    async def story(body):
        chunks = [await anext(body) for _ in range(4)]
        assert b"conversation.changed" in chunks[-1]
        assert b"Un" not in b"".join(chunks)

    listening(team, before, story)


def test_what_was_purged_is_told(team, settings):
    conversations.create(team=team)
    relay.relay()
    first = event_replay.latest()
    conversations.create(team=team)
    relay.relay_pending()
    settings.EVENT_RETENTION_HOURS = 1
    Event.objects.update(created_at=timezone.now() - timedelta(hours=2), dispatched_at=timezone.now(), relayed_at=timezone.now())
    last = event_replay.latest()
    retention.purge(now=timezone.now())
    assert not Event.objects.exists()

    async def story(body):
        told = await heard(body)
        assert (told.name, told.id) == ("reset", last)
        ours = await say(team)
        assert (await heard(body)).data["about"] == [ours]

    listening(team, first, story)
    assert event_replay.resume_from(last) == (last, False)


@pytest.mark.parametrize("seen", [-1, 10**17])
def test_a_place_that_is_none_of_ours_is_reset(team, seen):
    async def story(body):
        told = await heard(body)
        assert (told.name, told.id) == ("reset", following_latest)

    following_latest = event_replay.latest()
    listening(team, seen, story)


@pytest.mark.parametrize(("header", "position"), [("", None), ("  ", None), ("12", 12), ("x", -1), ("-3", -1), ("9" * 40, -1), ("١٢", -1)])
def test_last_event_id_is_read_or_is_none_of_ours(header, position):
    assert wire.position_of(header) == position


def test_what_this_process_did_is_heard_at_once_whatever_the_broker_does(team, settings, monkeypatch):
    monkeypatch.setattr(hub, "POLL_SECONDS", 600.0)
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 600.0)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    async def story(body):
        await heard(body)
        for _ in range(3):
            waiting = asyncio.ensure_future(heard(body))
            ours = await say(team)
            assert (await waiting).data["about"] == [ours]

    listening(team, None, story)


def test_without_the_broker_it_asks_by_itself(team, settings, monkeypatch):
    monkeypatch.setattr(hub, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 60.0)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    async def story(body):
        await heard(body)
        waiting = asyncio.ensure_future(heard(body))
        await asyncio.sleep(0)
        ours = await say(team)
        assert (await waiting).data["about"] == [ours]

    listening(team, None, story)


def test_a_quiet_stream_gives_signs_of_life_and_ends(team, monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.01)

    async def story(body):
        await heard(body)
        assert await anext(body) == wire.HEARTBEAT
        monkeypatch.setattr(stream, "LIFE_SECONDS", 0.0)
        async with aclosing(stream.body(team, None, named=True)) as short:
            assert len([chunk async for chunk in short]) == 2

    listening(team, None, story)


def test_a_reader_that_goes_is_counted_no_more(team):
    async def story(body):
        await heard(body)
        assert hub.open_streams(team.id) == (1, 1)
        await body.aclose()
        assert hub.open_streams(team.id) == (0, 0)

    listening(team, None, story)


def test_who_polls_again_and_again_is_listened_for_once(team, monkeypatch):
    monkeypatch.setattr(hub, "BLOCK_SECONDS", 0.05)

    async def story(body):
        await body.aclose()
        for number in range(20):
            with hub.hub().reader(team.id):
                await asyncio.sleep(number / 1000)
        assert len(listeners()) == 1
        monkeypatch.setattr(hub, "LINGER_SECONDS", 0.0)
        await asyncio.wait(listeners(), timeout=10)
        assert (listeners(), hub.hub()._task) == ([], None)
        with hub.hub().reader(team.id) as woken:
            ours = await say(team)
            await asyncio.wait_for(woken.wait(), 10)
        assert ours

    listening(team, None, story)


def test_a_listener_that_is_cancelled_ends(team, monkeypatch):
    """Also at the moments when the broker's client swallows it: each of them would have gone on for ever, woken by every event."""
    monkeypatch.setattr(hub, "BLOCK_SECONDS", 0.05)

    async def story(body):
        await body.aclose()
        for number in range(100):
            with hub.hub().reader(team.id):
                await asyncio.sleep(number / 5000)
            hub.hub().rest()
            await asyncio.wait(listeners(), timeout=10)
            assert listeners() == []

    listening(team, None, story)


def listeners():
    return [task for task in asyncio.all_tasks() if "Hub._listen" in repr(task)]


def test_beyond_the_limits_readers_are_refused_and_told_when_to_come_again(team, settings):
    settings.CONTINUITY_MAX_STREAMS_PER_TEAM = 0
    refused = Caller.of(team).get("/events/stream")
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (429, "too_many", "10")
    settings.CONTINUITY_MAX_STREAMS_PER_TEAM, settings.CONTINUITY_MAX_STREAMS = 1, 0
    refused = Caller.of(team).get("/events/stream")
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (503, "streams_taken", "10")


def test_the_pages_stream_is_for_members(team, teammate, settings):
    settings.CONTINUITY_MAX_STREAMS_PER_TEAM = 0
    browser = Client()
    assert browser.get("/live/").status_code == 302
    browser.force_login(teammate)
    assert browser.get("/live/").status_code == 429


def test_events_are_listed_in_pages(team):
    api = Caller.of(team)
    made = [api.open() for _ in range(3)]
    page = api.get("/events", limit=2, name="conversation.created").json()
    rest = api.get("/events", limit=2, name="conversation.created", cursor=page["next_cursor"]).json()
    assert [event["subject_id"] for event in page["items"] + rest["items"]] == made
    assert rest["next_cursor"] is None
    assert json.dumps(api.get("/events", after=page["items"][-1]["position"], subject_id=made[2]).json()).count("conversation.created") == 1


def test_an_outsider_lists_nothing(team, other_team):
    ours = Caller.of(team).open()
    assert Caller.of(team).get("/events", subject_id=ours).json()["items"]
    assert ours not in Caller.of(other_team).get("/events").content.decode()
