"""Subscriptions that are changed, or subscribed to once more; and webhooks, which nobody may ask for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from continuity.core.errors import Conflict
from continuity.events import signatures
from continuity.events.policies import ReplayPolicy
from continuity.events.receivers import allowed
from continuity.models import AuditEntry, DeadLetter, Delivery, Event, Subscription, Team
from continuity.services.subscriptions import event_delivery, event_scan, gaps, letters, subscriptions, webhooks
from continuity.services.subscriptions.acknowledging import AckOutcome
from tests.api.caller import Caller
from tests.events import receiving
from tests.events.test_bus import ack, say, subscribed, taken
from tests.events.test_webhooks import hooked

pytestmark = pytest.mark.django_db(transaction=True)
NOBODY = "http://127.0.0.1:9/hook"


@pytest.fixture
def here(settings) -> None:
    settings.CONTINUITY_WEBHOOK_HOSTS = allowed(["127.0.0.1"])


def test_it_works(team: Team, settings, tmp_path: Path) -> None:
    """A policy stays what it was where nothing else is said."""
    assert subscribed(team).policy == ReplayPolicy.CRITICAL_ONLY
    subscribed(team, policy=ReplayPolicy.FULL)
    assert subscribed(team).policy == ReplayPolicy.FULL
    file = settings.CONTINUITY_AGENTS_FILE = tmp_path / "agents.yaml"
    file.write_text("agents:\n  - name: billing\n    replay: none\n")
    assert subscribed(team).policy == ReplayPolicy.NONE


def test_a_receiver_at_a_new_address_did_not_fail_yet(team: Team, here: None) -> None:
    row = hooked(team, NOBODY)
    Subscription.objects.filter(id=row.id).update(failures=7, resting_until=timezone.now() + timedelta(minutes=5))
    assert hooked(team, NOBODY).failures == 7
    assert hooked(team, NOBODY + "/other").failures == 0
    assert Subscription.objects.filter(id=row.id, failures=0, resting_until=None).exists()


@pytest.mark.parametrize("before", [3, 3 * event_scan.NEAR])
def test_a_new_pattern_holds_from_now_on(team: Team, before: int) -> None:
    found = subscribed(team, pattern="invoice:*")
    say(team, *["task:a"] * before)
    assert taken(found).items == []
    subscriptions.change(team=team, subscription_id=found.id, given={"pattern": "task:*"})
    assert taken(found).items == []
    (id,) = say(team, "task:a")
    assert [item.event.id for item in taken(found).items] == [id]


def test_a_new_pattern_holds_for_what_waits(team: Team) -> None:
    found = subscribed(team, pattern="invoice:*")
    ids = say(team, "task:a", "invoice:a", "task:a")
    subscribed(team, pattern="task:*,invoice:*")
    assert [item.event.id for item in taken(found).items] == ids[1:]


def test_nobody_asks_for_the_events_of_a_webhook(team: Team, here: None) -> None:
    row, caller = hooked(team, NOBODY), Caller.of(team, ["write"])
    (id,) = say(team, "task:a")
    event_delivery.take(team=team, subscription_id=row.id, now=timezone.now())
    path = f"/subscriptions/{row.id}"
    for answer in (
        caller.get(f"{path}/events"),
        caller.call("GET", f"{path}/events", Accept="text/event-stream"),
        caller.post(f"{path}/begin", {}),
        caller.post(f"{path}/acks", {"acks": [{"event_id": str(id)}]}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert Delivery.objects.filter(subscription=row, event=id, attempts=1).exists()


def test_only_operators_change_a_webhook(team: Team, here: None) -> None:
    row, asks = hooked(team, NOBODY), subscribed(team)
    writer, operator = Caller.of(team, ["write"]), Caller.of(team)
    for caller, expected in ((writer, 403), (operator, 200)):
        assert caller.patch(f"/subscriptions/{row.id}", {"paused": True}).status_code == expected
    for caller, expected in ((writer, 403), (operator, 204)):
        assert caller.call("DELETE", f"/subscriptions/{row.id}").status_code == expected
    assert writer.patch(f"/subscriptions/{asks.id}", {"paused": True}).status_code == 200
    assert writer.call("DELETE", f"/subscriptions/{asks.id}").status_code == 204


def test_a_secret_can_be_changed(team: Team, here: None) -> None:
    with receiving.receiver() as there:
        row, operator = hooked(team, there.url), Caller.of(team)
        before = operator.get(f"/subscriptions/{row.id}/secret").json()["secret"]
        after = operator.post(f"/subscriptions/{row.id}/secret").json()["secret"]
        assert operator.get(f"/subscriptions/{row.id}/secret").json()["secret"] == after != before
        say(team, "task:a")
        assert webhooks.send(subscription_id=row.id) == 1
    headers, body = there.got[0]
    header = headers[signatures.HEADER]
    at = int(header.split(",")[0].removeprefix("t="))
    assert header == signatures.sign(after, body, at) != signatures.sign(before, body, at)
    assert AuditEntry.objects.filter(team=team, action="subscription.secret_changed").exists()
    with pytest.raises(Conflict):
        subscriptions.rotate_secret(team=team, subscription_id=subscribed(team).id)


def test_what_comes_again_says_nothing_of_how_fast_we_are(team: Team) -> None:
    found, now = subscribed(team), timezone.now()
    dead, given_back = say(team, "task:a", "task:b")
    items = event_delivery.take(team=team, subscription_id=found.id, now=now, waiting_since=now - timedelta(minutes=1)).items
    assert [item.fresh for item in items] == [True, True]
    for _ in range(5):
        ack(found, [dead], AckOutcome.FAILED, now=now)
        now += timedelta(seconds=20)
        taken(found, now=now)
    letters.retry(team=team, letter_id=DeadLetter.objects.get(event_id=dead).id)
    (again,) = taken(found).items
    assert (again.event.id, again.attempt, again.fresh) == (dead, 1, False)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    assert {(item.event.id, item.fresh) for item in taken(found).items} == {(dead, False), (given_back, False)}


def test_gaps_are_noted_in_as_many_queries_for_many_subscribers(team: Team, django_assert_num_queries) -> None:
    found = [subscribed(team, f"number-{number}", policy=ReplayPolicy.FULL) for number in range(20)]
    ids = say(team, "task:a", "task:b")
    taken(found[0])
    gone = list(Event.objects.filter(id__in=ids).order_by("position"))
    with django_assert_num_queries(3):
        gaps.note(gone)
    gaps.note(gone[:1])
    last = gone[1].position
    assert {abs(gap) for gap in Subscription.objects.values_list("gap_through", flat=True)} == {last}
