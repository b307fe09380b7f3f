"""Subscribers beside one that hangs, one that fails and one that is absent: all get the same, in order, and wait for none of these."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from http.server import BaseHTTPRequestHandler
from typing import Any
from uuid import UUID

import pytest
from asgiref.sync import sync_to_async
from django.db import connections
from django.db.models import Count
from django.utils import timezone

from continuity.events import delays
from continuity.live import subscribing
from continuity.models import Acknowledgement, Delivery, Subscription, Team
from continuity.services.subscriptions import sending
from continuity.services.subscriptions.acknowledging import AckOutcome
from tests.events import receiving
from tests.events.test_bus import ack, say, subscribed
from tests.events.test_following import Quiet
from tests.events.test_webhooks import LOCAL, hooked

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 8
# Far longer than a healthy one takes, far shorter than the lease of what another holds.
PATIENCE = 20
EVENTS = 20
Body = AsyncGenerator[bytes, None]


def stream_of(found: Subscription) -> Body:
    return subscribing._stream(subscribing._Reader(found.team, found.id, 100, None, delays.LEASE))


async def next_of(body: Body) -> list[UUID]:
    """The events of the next chunk that has some."""
    async for chunk in body:
        if ids := [UUID(json.loads(line[6:])["id"]) for line in chunk.decode().splitlines() if line.startswith("data: ")]:
            return ids
    raise AssertionError("the stream ended")


async def fail_on_all(found: Subscription) -> None:
    async with aclosing(stream_of(found)) as body:
        while True:
            await in_thread(ack, found, await next_of(body), AckOutcome.FAILED)


async def hold_all(found: Subscription) -> None:
    async with aclosing(stream_of(found)) as body:
        async for _ in body:
            pass


async def in_thread(work: Any, *given: Any) -> Any:
    def done() -> Any:
        try:
            return work(*given)
        finally:
            connections.close_all()

    return await sync_to_async(done, thread_sensitive=False)()


def settled(hanging: Subscription, failing: Subscription) -> bool:
    """Whether the one holds all that was told beside it, and the other failed on most of that."""
    held = set(Delivery.objects.values_list("subscription", "reason").annotate(Count("id")))
    failed = Delivery.objects.filter(subscription=failing, reason="ValueError").count()
    return (hanging.id, "", ROUNDS) in held and failed > ROUNDS / 2


def test_it_works(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an event wakes gives it to each of three at once, before the others are there and beside them: nobody has to handle, to give
    up or to look again first."""
    quiet = Quiet()
    monkeypatch.setattr(subscribing, "hub", lambda: quiet)
    monkeypatch.setattr(subscribing, "HEARTBEAT_SECONDS", 600.0)
    healthy = [subscribed(team, name) for name in ("one", "two", "three")]

    async def rounds(bodies: Sequence[Body]) -> None:
        for _ in range(ROUNDS):
            reading = [asyncio.create_task(next_of(body)) for body in bodies]
            expected = list(await in_thread(say, team, "task:a"))
            quiet.wake()
            async with asyncio.timeout(PATIENCE):
                assert await asyncio.gather(*reading) == [expected] * len(bodies)
            for found in healthy:
                await in_thread(ack, found, expected)

    async def story() -> list[Subscription]:
        async with AsyncExitStack() as stack, asyncio.timeout(120):
            bodies = [await stack.enter_async_context(aclosing(stream_of(found))) for found in healthy]
            await rounds(bodies)
            hanging, failing, absent = [await in_thread(subscribed, team, name) for name in ("hanging", "failing", "absent")]
            bad = [asyncio.create_task(hold_all(hanging)), asyncio.create_task(fail_on_all(failing))]
            await rounds(bodies)
            while not await in_thread(settled, hanging, failing):
                await asyncio.sleep(0.05)
            for each in bad:
                assert not each.done()
                each.cancel()
            await asyncio.gather(*bad, return_exceptions=True)
            return [hanging, failing, absent]

    hanging, failing, absent = asyncio.run(story())
    assert settled(hanging, failing)
    assert not Delivery.objects.filter(subscription__in=[absent, *healthy]).exists()
    assert Acknowledgement.objects.count() == 2 * 3 * ROUNDS


def test_receivers_of_webhooks_are_sent_all_while_another_hangs(team: Team, settings: Any) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    let_go, reached = threading.Event(), threading.Event()

    def hang(handler: BaseHTTPRequestHandler) -> None:
        reached.set()
        let_go.wait(60)
        receiving.accept(handler)

    with receiving.receiver(hang) as hanging, receiving.receiver(receiving.refuse) as failing, receiving.receiver() as there:
        rows = {name: hooked(team, url, name) for name, url in (
            ("hanging", hanging.url), ("failing", failing.url), ("absent", "http://127.0.0.1:9/hook"),
            *((f"good-{number}", f"{there.url}/{number}") for number in range(3)),
        )}  # fmt: skip
        good = [row for name, row in rows.items() if name.startswith("good")]
        ids = say(team, *["task:a"] * EVENTS)
        sender = sending.WebhookSender()
        try:
            sender(timezone.now())
            assert reached.wait(30)
            for row in good:
                sender._busy[row.id].result(30)
            assert not sender._busy[rows["hanging"].id].done()
            assert len(hanging.got) == 1
            for row in good:
                got = [json.loads(body) for _, body in there.got if json.loads(body)["subscription"] == row.name]
                assert [(each["id"], each["attempt"]) for each in got] == [(str(id), 1) for id in ids]
        finally:
            let_go.set()
            for future in sender._busy.values():
                future.result(30)
    assert Acknowledgement.objects.filter(subscription=rows["hanging"]).count() == EVENTS
    assert set(Subscription.objects.filter(failures=delays.FAILURES).values_list("name", flat=True)) == {"failing", "absent"}
