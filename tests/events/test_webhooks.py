"""Webhooks: signed, to allowed addresses only, bounded whatever the receiver does."""

from __future__ import annotations

import hmac
import json
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from continuity.core.errors import Invalid
from continuity.events import signatures
from continuity.events.receivers import Allowed, BadReceiver, allowed, check_host, chosen, receiver_of
from continuity.models import Acknowledgement, Delivery, Subscription, Team, User
from continuity.services.subscriptions import receivers, sending, subscriptions, webhooks
from diagnostics.models import Alert
from handoffs.services.chains import offers
from handoffs.services.packages.authors import Author
from tests.events import receiving
from tests.events.test_bus import say
from tests.factories import ConversationFactory
from tests.web import rows

LOCAL = allowed(["127.0.0.1"])
HERE = pytest.mark.django_db(transaction=True)


def hooked(team: Team, url: str, name: str = "hook") -> Subscription:
    return subscriptions.subscribe(team=team, name=name, pattern="task:*", url=url)[0]


@HERE
def test_it_works(team: Team, settings) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver() as there:
        row = hooked(team, there.url)
        ids = say(team, "task:a", "note:other", "task:b", payload={"n": 1})
        assert webhooks.wanting(now=timezone.now()) == [row.id]
        assert webhooks.send(subscription_id=row.id) == 2
    bodies = [json.loads(body) for _, body in there.got]
    assert [body["id"] for body in bodies] == [str(ids[0]), str(ids[2])]
    assert bodies[0]["payload"] == {"n": 1}
    headers, body = there.got[0]
    secret, now = subscriptions.secret_of(row), int(time.time())
    at, digest = headers[signatures.HEADER].removeprefix("t=").split(",v1=")
    assert abs(now - int(at)) < 60
    assert digest == hmac.new(secret.encode(), at.encode() + b"." + body, "sha256").hexdigest()
    assert Acknowledgement.objects.filter(subscription=row).count() == 2
    assert webhooks.wanting(now=timezone.now()) == []


@HERE
def test_a_receiver_that_fails_is_left_alone_and_tried_again(team: Team, settings) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver(receiving.refuse) as there, receiving.receiver() as well:
        bad, good = hooked(team, there.url), hooked(team, well.url, "good")
        say(team, *["task:a"] * 8)
        assert webhooks.send(subscription_id=bad.id) == 0
        assert webhooks.send(subscription_id=good.id) == 8
        assert len(there.got) == 5
        bad.refresh_from_db()
        assert bad.failures == 5
        assert bad.resting_until is not None
        assert bad.id not in webhooks.wanting(now=timezone.now())
        assert set(Delivery.objects.filter(subscription=bad, position__gt=0).values_list("attempts", flat=True)) == {0, 1}
        there.answering = receiving.accept
        Subscription.objects.filter(id=bad.id).update(resting_until=timezone.now() - timedelta(seconds=1))
        Delivery.objects.update(due_at=timezone.now())
        assert webhooks.send(subscription_id=bad.id) == 8
        assert Subscription.objects.filter(id=bad.id, failures=0, resting_until=None).exists()


@HERE
@pytest.mark.parametrize("moved", [False, True])
def test_the_alert_of_a_receiver_ends_though_an_operator_changed_the_webhook(team: Team, settings, moved: bool) -> None:
    """And the next outage is told again."""
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver(receiving.refuse) as there, receiving.receiver(receiving.refuse) as elsewhere:
        row = hooked(team, there.url)

        def fail() -> list[bool]:
            say(team, *["task:a"] * 8)
            Subscription.objects.filter(id=row.id).update(resting_until=None)
            webhooks.send(subscription_id=row.id)
            return alerts_of(row)

        assert fail() == [False]
        subscriptions.change(team=team, subscription_id=row.id, given={"url": elsewhere.url} if moved else {"paused": False})
        assert webhooks.wanting(now=timezone.now()) == [row.id]
        assert alerts_of(row) == [moved]
        there.answering = elsewhere.answering = receiving.accept
        Delivery.objects.update(due_at=timezone.now())
        assert webhooks.send(subscription_id=row.id) == 8
        assert alerts_of(row) == [True]
        there.answering = elsewhere.answering = receiving.refuse
        assert fail() == [True, False]


def alerts_of(row: Subscription) -> list[bool]:
    """Which of the alerts about its receiver are over, the first first."""
    rows = Alert.objects.filter(rule="receiver_fails", subject_id=row.id).order_by("raised_at")
    return [over_at is not None for over_at in rows.values_list("over_at", flat=True)]


@HERE
def test_the_monitor_sends_and_says_when_it_is_next_due(team: Team, settings) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver(receiving.refuse) as there:
        row = hooked(team, there.url)
        say(team, "task:a")
        sender = sending.WebhookSender()
        sender(timezone.now())
        for future in list(sender._busy.values()):
            future.result(30)
        due = sender(timezone.now())
        assert due is not None
        assert due <= timezone.now() + timedelta(seconds=1)
        assert Delivery.objects.get(subscription=row).reason == "it answered 500"


@pytest.mark.parametrize(
    ("answering", "error"),
    [(receiving.redirect, "it answered 302"), (receiving.trickle, "no answer within 0.5 seconds"), (receiving.flood, "")],
)
def test_whatever_a_receiver_does_is_bounded(settings, answering: receiving.Answering, error: str) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver(answering) as there:
        begun = time.monotonic()
        answer = receivers.post(there.url, b"{}", {}, seconds=0.5)
        assert time.monotonic() - begun < 20
    assert answer.error == error


def test_over_tls_it_is_bounded_too(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    own = receiving.certificate(tmp_path / "own.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(own))
    with receiving.receiver(certificate=own) as there:
        assert receivers.post(there.url, b"{}", {}, seconds=5).error == ""
        there.answering = receiving.trickle
        answer = receivers.post(there.url, b"{}", {}, seconds=0.5)
    assert answer.error == "no answer within 0.5 seconds"
    assert len(there.got) == 2


def test_a_certificate_that_is_none_is_refused(settings) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver() as there:
        answer = receivers.post(there.url.replace("http:", "https:"), b"{}", {}, seconds=5)
    assert "certificate" in answer.error
    assert there.got == []


INSIDE = [
    "127.0.0.1",
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "::1",
    "fd00::1",
    "::ffff:10.0.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "100.64.0.1",
]


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_refused(address: str) -> None:
    with pytest.raises(BadReceiver):
        chosen(receiver_of("https://hooks.example.com/x"), ["93.184.216.34", address], allowed(["hooks.example.com"]))


@pytest.mark.parametrize(
    "url",
    ["ftp://hooks.example.com", "https://", "hooks.example.com", "https://a:b@hooks.example.com", "https://hooks.example.com:99999",
     "x" * 600,
     "https://hooks.example.com/#x", "https://hooks.example.com\n.evil", "https://hooks.example.com\\@evil", "https://häh.example.com",
     "https://hooks..example.com/", "https://.example.com/", "https://./", f"https://{'a' * 64}.example.com/"],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(BadReceiver):
        receiver_of(url)


def test_operators_say_where_webhooks_may_go(settings) -> None:
    where = allowed(["hooks.example.com", "*.example.org", "10.1.0.0/16"])
    longest = f"https://{'a' * 63}.example.org./"
    for url in ("https://hooks.example.com/x", "https://a.b.example.org", "http://10.1.2.3:8080/", longest):
        check_host(receiver_of(url), where)
    assert chosen(receiver_of("https://any.where"), ["10.1.2.3"], where) == "10.1.2.3"
    for url in ("http://10.2.0.1", "http://[::1]/"):
        with pytest.raises(BadReceiver):
            check_host(receiver_of(url), where)
    with pytest.raises(BadReceiver):
        check_host(receiver_of("https://example.org"), allowed(["*.example.org"]))
    settings.CONTINUITY_WEBHOOK_HOSTS = Allowed()
    with pytest.raises(Invalid, match="CONTINUITY_WEBHOOK_HOSTS"):
        receivers.check("https://hooks.example.com")
    for wrong in ("https://x", "a b", "*x", "a*b", ""):
        with pytest.raises(ValueError, match="neither"):
            allowed([wrong])


@HERE
def test_an_offer_and_its_answer_are_sent_to_who_subscribed(team: Team, owner: User, teammate: User, settings) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    handoff = rows.handoff(ConversationFactory.create(team=team, owner=owner), status="ready")
    with receiving.receiver() as there:
        row = subscriptions.subscribe(team=team, name="chat", pattern="handoff:*", url=there.url)[0]
        offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
        offers.decline(team=team, handoff_id=handoff.id, author=Author(user=teammate), reason="On leave")
        webhooks.send(subscription_id=row.id)
    told = [json.loads(body) for _, body in there.got]
    assert [each["topic"] for each in told] == ["handoff:offered", "handoff:offer_declined"]
    assert {each["payload"]["to"] for each in told} == {str(teammate.id)}
