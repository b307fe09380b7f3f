"""The pages Events and Alerts: in plain words, with names instead of ids, and only with buttons that their reader may press."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.models import Agent, Conversation, DeadLetter, Delivery, Event, LetterStatus, Role, Subscription, Team, User
from continuity.services.accounts import accounts
from continuity.services.subscriptions import delivery_failures
from continuity.views.bus import events as events_view
from diagnostics.alerting.rules import RULES, AlertRule
from diagnostics.models import Alert
from diagnostics.services import alert_raising, background_alerts
from tests.api.caller import Caller
from tests.cast import person
from tests.events.test_bus import ack, say, subscribed, taken
from tests.web.world import browser

pytestmark = pytest.mark.django_db(transaction=True)


def page(user: User, address: str) -> str:
    """What stands on a page, as one reads it."""
    answer = browser(user).get(address)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def lost(found: Subscription, topic: str) -> DeadLetter:
    """An event that a subscriber never took."""
    say(found.team, topic)
    taken(found)
    with transaction.atomic():
        delivery_failures.bury(found, Delivery.objects.filter(subscription=found).order_by("-position")[0], "ValueError")
    return DeadLetter.objects.get(subscription=found, event__topic=topic)


def test_it_works(team: Team, owner: User) -> None:
    assert "No subscriptions yet" in page(owner, "/events")
    found = subscribed(team, pattern="task:*,note:written", policy="full")
    lost(found, "task:failed")
    say(team, "task:begun")
    text = page(owner, "/events")
    assert "billing task:*, note:written · replay of missed events: all fine 1 0 1 none yet" in text
    assert "task:failed #" in text
    assert "after 1 attempt Retry" in text
    assert text.index("Dead letters") < text.index("Subscriptions") < text.index("As they happen")
    DeadLetter.objects.all().delete()
    assert "Retry" not in page(owner, "/events")


def test_why_a_subscriber_does_not_get_its_events(team: Team, owner: User) -> None:
    now = timezone.now()
    long_ago = now - timedelta(hours=1)
    silent, holding, resting, paused, missed = (subscribed(team, name) for name in ("silent", "holding", "resting", "paused", "missed"))
    say(team, "task:a")
    taken(holding)
    Delivery.objects.update(created_at=long_ago)
    Subscription.objects.filter(id=silent.id).update(seen_at=long_ago)
    Subscription.objects.filter(id=resting.id).update(failures=6, resting_until=now + timedelta(minutes=5))
    Subscription.objects.filter(id=paused.id).update(paused=True, gaps=2)
    Subscription.objects.filter(id=missed.id).update(degraded_at=now)
    text = page(owner, "/events")
    assert "stands still it does not ask for its events" in text
    assert "stands still it has not acknowledged the events it was given" in text
    assert "left alone its receiver failed 6 times in a row; tried again in" in text
    assert "paused missed events for good, 2 times" in text
    assert "failed on what it missed it may not know what happened" in text


def test_who_never_asked_stands_still_as_well(team: Team, owner: User) -> None:
    found = subscribed(team)
    say(team, "task:a")
    assert "none yet" in page(owner, "/events")
    assert "stands still" not in page(owner, "/events")
    Subscription.objects.filter(id=found.id).update(created_at=timezone.now() - timedelta(hours=3))
    assert "stands still it does not ask for its events" in page(owner, "/events")


def test_operators_give_a_dead_letter_again(team: Team, owner: User, teammate: User) -> None:
    found = subscribed(team)
    letter = lost(found, "task:failed")
    address = re.search(r'action="(/[^"]+)"[^>]*>(?:<[^>]+>)?\s*<button aria-label="Retry task:failed"', shown(owner))
    assert address is not None
    assert "Retry task:failed" not in shown(teammate)
    assert browser(teammate).post(address[1]).status_code == 403
    assert taken(found).items == []
    answer = browser(owner).post(address[1], follow=True)
    assert "It is given to its subscriber again." in answer.content.decode()
    (again,) = taken(found).items
    assert (again.event.id, again.attempt) == (letter.event_id, 1)
    assert ack(found, [letter.event_id]).handled == 1
    assert not DeadLetter.objects.exists()
    assert browser(owner).post(address[1]).status_code == 404


def shown(user: User) -> str:
    return browser(user).get("/events").content.decode()


def test_events_name_the_conversation_that_they_are_about(team: Team, owner: User) -> None:
    Caller.of(team).open(title="Rebuild the harbour")
    assert "conversation:created Continuity Rebuild the harbour" in page(owner, "/events")


def test_critical_events_are_looked_for_among_the_newest(team: Team, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    say(team, "deploy:failed", critical=True)
    say(team, "task:a", "task:b")
    assert "deploy:failed" in page(owner, "/events?critical=1")
    monkeypatch.setattr(events_view, "LOOKED_AT", 2)
    with CaptureQueriesContext(connection) as asked:
        assert "No such event is among the latest" in page(owner, "/events?critical=1")
    (statement,) = [each["sql"] for each in asked if f'FROM "{Event._meta.db_table}"' in each["sql"] and "LIMIT 2" in each["sql"]]
    assert '"payload"' not in statement


@pytest.mark.parametrize("asked", ["task: *", "task:*,note:written", "*"])
def test_what_was_asked_for_stays_in_its_field(team: Team, owner: User, asked: str) -> None:
    answer = browser(owner).get("/events", {"topic": asked}).content.decode()
    assert f'value="{asked}"' in answer
    assert ("A pattern is a topic in which" in answer) is (asked == "task: *")


def test_every_alert_says_what_it_is_and_when_it_is_over(team: Team, owner: User) -> None:
    for rule in AlertRule:
        Alert.objects.all().delete()
        alert_raising.raise_once(rule, subject=team.id, team=team, message="why", now=timezone.now())
        text = page(owner, "/alerts")
        assert f"{RULES[rule].title} {RULES[rule].meaning}".replace("'", "&#x27;") in text
        assert rule == AlertRule.TEST or "It is over when" in text or "It is over with" in text


def test_an_alert_names_what_it_is_about(team: Team, owner: User) -> None:
    found, conversation = subscribed(team), Conversation.objects.get(id=Caller.of(team).open(title="Rebuild the harbour"))
    alert_raising.raise_once(AlertRule.RECEIVER_FAILS, subject=found.id, team=team, message="5 times in a row", now=timezone.now())
    alert_raising.raise_once(AlertRule.AUDIT_DIFFERS, subject=conversation.id, team=team, message="3 differences", now=timezone.now())
    letter = lost(found, "task:failed")
    subject = background_alerts._id_of(letter.subscriber)
    alert_raising.raise_once(
        AlertRule.DEAD_LETTER, subject=subject, team=team, message=f"{letter.subscriber}: ValueError", now=timezone.now()
    )
    text = page(owner, "/alerts")
    assert "The receiver of a webhook fails: billing" in text
    assert "A check found a difference: Rebuild the harbour" in text
    assert "A subscriber did not take its events: billing" in text
    assert str(found.id) not in text
    Alert.objects.update(over_at=timezone.now())
    assert "A check found a difference: Rebuild the harbour began" in page(owner, "/alerts")


def test_an_alert_names_the_agent_that_it_is_about(team: Team, owner: User) -> None:
    now = timezone.now()
    agents = [Agent.objects.create(team=team, name=name, status_at=now, replay="full") for name in ("billing", "bookkeeping")]
    for agent, rule in zip(agents, (AlertRule.AGENT_FAILED, AlertRule.AGENT_LOST), strict=True):
        alert_raising.raise_once(rule, subject=agent.id, team=team, message="crash", now=now)
    text = page(owner, "/alerts")
    assert "An agent failed and waits for a person: billing" in text
    assert "An agent is not heard of, or hangs: bookkeeping" in text
    assert f'href="/agents/{agents[0].name}"' in browser(owner).get("/alerts").content.decode()


def test_who_may_not_or_need_not_say_that_they_saw_it_is_not_asked(team: Team, owner: User, teammate: User) -> None:
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    alert_raising.raise_once(AlertRule.TEST, subject=team.id, team=team, message="by owner", now=timezone.now())
    alert = Alert.objects.get()
    assert browser(owner).post(f"/alerts/{alert.id}/seen").status_code == 302
    shown = {user: page(user, "/alerts") for user in (owner, teammate, viewer)}
    assert ["I have seen it" in text for text in shown.values()] == [False, True, False]
    assert all("seen by Owner" in text for text in shown.values())
    assert ["Send a test" in text for text in shown.values()] == [True, False, False]


def test_operators_read_where_alerts_go(team: Team, owner: User, settings: Any) -> None:
    assert "They also go to the log; no other channel is set." in page(owner, "/alerts")
    settings.ALERT_PAGERDUTY_KEY, settings.ALERT_EMAIL_TO = "key", ["ops@example.com"]
    assert "They also go to the log and to PagerDuty, e-mail." in page(owner, "/alerts")


def test_the_critical_ones_come_first(team: Team, owner: User) -> None:
    for number, rule in enumerate((AlertRule.REPLAY_DEGRADED, AlertRule.RECEIVER_FAILS)):
        at = timezone.now() + timedelta(seconds=number)
        alert_raising.raise_once(rule, subject=team.id, team=team, message="why", now=at)
    text = page(owner, "/alerts")
    assert text.index(RULES[AlertRule.REPLAY_DEGRADED].title) < text.index(RULES[AlertRule.RECEIVER_FAILS].title)


def test_a_letter_that_is_tried_again_by_itself_says_when(team: Team, owner: User) -> None:
    letter = lost(subscribed(team), "task:failed")
    DeadLetter.objects.filter(id=letter.id).update(status=LetterStatus.RETRYING, retry_at=timezone.now() + timedelta(minutes=9))
    assert re.search(r", again in \d+ min", page(owner, "/events"))
