"""The monitor's sending of webhooks: one receiver, whatever is wrong with it, keeps no other from its events."""

from __future__ import annotations

import logging
import socket
import time
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from continuity.models import Acknowledgement, Delivery, Event, Subscription, Team
from continuity.services.subscriptions import receivers, sending, subscriptions, webhooks
from tests.events import receiving
from tests.events.test_bus import say
from tests.events.test_webhooks import LOCAL, hooked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def here(settings: Any) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL


def send(sender: sending.WebhookSender) -> None:
    """One round, and all that it began."""
    sender(timezone.now())
    for future in list(sender._busy.values()):
        future.result(30)


def test_it_works(team: Team) -> None:
    with receiving.receiver() as one, receiving.receiver() as other:
        hooked(team, one.url, "one")
        hooked(team, other.url, "other")
        say(team, "task:a")
        send(sending.WebhookSender())
    assert len(one.got) == len(other.got) == 1


def test_a_name_that_can_not_be_looked_up_is_a_failure_of_its_receiver(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that was stored before such names were refused."""
    row = hooked(team, "http://127.0.0.1/")
    Subscription.objects.filter(id=row.id).update(url="https://hooks..example.com/")
    say(team, "task:a")
    send(sending.WebhookSender())
    row.refresh_from_db()
    assert row.failures == 1
    assert "part of the host" in Delivery.objects.get(subscription=row).reason

    def none(*_: Any, **__: Any) -> None:
        "..".encode("idna")

    monkeypatch.setattr(socket, "getaddrinfo", none)
    assert receivers.post("http://127.0.0.1/", b"{}", {}).error == "no answer (UnicodeError)"


def test_a_fault_of_ours_is_told_and_stops_no_other(team: Team, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    with receiving.receiver() as there:
        bad, good = hooked(team, there.url + "/bad", "bad"), hooked(team, there.url, "good")
        body = webhooks._body

        def faulty(row: Subscription, item: Any) -> bytes:
            if row.id == bad.id:
                raise RuntimeError("ours")
            return body(row, item)

        monkeypatch.setattr(webhooks, "_body", faulty)
        sender = sending.WebhookSender()
        with caplog.at_level(logging.ERROR, "continuity.events"):
            for _ in range(5):
                say(team, "task:a")
                send(sender)
        assert len(there.got) == 5
    told = [record for record in caplog.records if record.message == "A webhook could not be sent; the others go on"]
    assert {record.metadata["subscription_id"] for record in told} == {str(bad.id)}  # type: ignore[attr-defined]
    bad.refresh_from_db()
    good.refresh_from_db()
    assert (bad.failures, good.failures) == (5, 0)
    assert bad.resting_until is not None


def test_one_that_is_removed_while_it_is_sent_is_over(team: Team, caplog: pytest.LogCaptureFixture) -> None:
    with receiving.receiver() as there:
        row = hooked(team, there.url)

        def remove(handler: Any) -> None:
            subscriptions.remove(team=team, subscription_id=row.id)
            connection.close()
            receiving.accept(handler)

        there.answering = remove
        say(team, "task:a", "task:b")
        with caplog.at_level(logging.ERROR, "continuity.events"):
            send(sending.WebhookSender())
        assert len(there.got) == 1
    assert caplog.records == []
    assert Event.objects.filter(name="subscription.removed").count() == 1


def test_a_receiver_that_answers_slowly_gives_its_place_to_those_that_wait(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "PLACES", 1)
    monkeypatch.setattr(webhooks, "TURN_SECONDS", 0.3)

    def slowly(handler: Any) -> None:
        time.sleep(0.1)
        receiving.accept(handler)

    with receiving.receiver(slowly) as slow, receiving.receiver() as quick:
        hooked(team, slow.url, "slow")
        say(team, *["task:a"] * 30)
        sender = sending.WebhookSender()
        send(sender)
        assert 1 <= len(slow.got) < 20
        hooked(team, quick.url, "quick")
        say(team, "task:a")
        send(sender)
        assert len(quick.got) == 1
        monkeypatch.setattr(webhooks, "TURN_SECONDS", 60.0)
        send(sender)
    assert len(slow.got) == 31
    assert not Delivery.objects.exists()
    assert set(Acknowledgement.objects.values_list("attempts", flat=True)) == {1}
