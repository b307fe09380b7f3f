"""What subscribers get of what they missed: policies, gaps, failing replays."""

from __future__ import annotations

import logging
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from continuity.events.policies import ReplayPolicy
from continuity.models import DeadLetter, Event, Subscription, Team
from continuity.services.erasure import retention
from continuity.services.events import relay
from continuity.services.subscriptions import delivery_failures, meters, publishing, subscriptions, topics
from continuity.services.subscriptions.acknowledging import AckOutcome
from continuity.services.subscriptions.publishing import Publication
from tests.events.test_bus import ack, say, subscribed, taken

pytestmark = pytest.mark.django_db(transaction=True)


def topics_of(found: Subscription) -> list[str]:
    return [item.event.subject for item in taken(found).items]


def away(team: Team, found: Subscription) -> None:
    """It is there, goes, and misses two ordinary events and a critical one."""
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    say(team, "task:missed", "task:missed")
    say(team, "task:urgent", critical=True)


def test_it_works(team: Team) -> None:
    """Critical events only is the default (FR-016b)."""
    assert subscribed(team).policy == ReplayPolicy.CRITICAL_ONLY


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (ReplayPolicy.FULL, ["task:missed", "task:missed", "task:urgent", "task:new"]),
        (ReplayPolicy.CRITICAL_ONLY, ["task:urgent", "task:new"]),
        (ReplayPolicy.NONE, ["task:new"]),
    ],
)
def test_a_policy_says_what_is_given_of_what_was_missed(team: Team, policy: ReplayPolicy, expected: list[str]) -> None:
    found = subscribed(team, policy=policy)
    away(team, found)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    say(team, "task:new")
    assert topics_of(found) == expected


def test_who_was_not_heard_of_for_long_was_away(team: Team) -> None:
    found = subscribed(team)
    away(team, found)
    got = taken(found, now=timezone.now() + timedelta(seconds=91))
    assert [item.event.subject for item in got.items] == ["task:urgent"]


def test_the_file_alone_changes_what_an_agent_gets(team: Team, settings, tmp_path: Path) -> None:
    file = settings.CONTINUITY_AGENTS_FILE = tmp_path / "agents.yaml"
    found = subscribed(team, agent="billing")
    for policy, expected in (("full", 3), ("none", 0), ("critical-only", 1)):
        file.write_text(f"agents:\n  - name: billing\n    replay: {policy}\n# {policy}\n")
        away(team, found)
        subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
        got = taken(found)
        assert len(got.items) == expected, policy
        ack(found, [item.event.id for item in got.items])


def test_a_broken_file_is_told_by_line_and_changes_nothing(team: Team, settings, tmp_path: Path, caplog) -> None:
    file = settings.CONTINUITY_AGENTS_FILE = tmp_path / "agents.yaml"
    file.write_text("agents:\n  - name: billing\n    replay: full\n")
    assert subscribed(team, agent="billing").policy == "full"
    file.write_text("agents:\n  - name: billing\n    replay: sometimes, perhaps\n")
    assert subscribed(team, "other", agent="billing").policy == "full"
    assert "line 3" in str([record.metadata for record in caplog.records if hasattr(record, "metadata")])


def old(ids) -> None:
    Event.objects.filter(id__in=ids).update(created_at=timezone.now() - timedelta(hours=25))
    relay.relay_pending()
    Event.objects.filter(id__in=ids, dispatched_at=None).update(dispatched_at=timezone.now())


def test_what_was_purged_is_told_once_and_work_goes_on(team: Team, other_team: Team, caplog) -> None:
    found, quiet = subscribed(team, policy=ReplayPolicy.FULL), subscribed(other_team, policy=ReplayPolicy.FULL)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    gone = say(team, "task:gone", "task:gone")
    (kept,) = say(team, "task:kept")
    old(gone)
    assert retention.purge(now=timezone.now()) >= 2
    before = meters.read().get("event_replay_gap_detected", 0)
    with caplog.at_level(logging.ERROR):
        begun = subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    assert begun.gap is not None
    assert "Events unavailable for replay, gap detected" in caplog.text
    assert meters.read()["event_replay_gap_detected"] == before + 1
    assert [item.event.id for item in taken(found).items] == [kept]
    assert subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now()).gap is None
    assert subscriptions.begin(team=other_team, subscription_id=quiet.id, now=timezone.now()).gap is None


def test_what_was_handed_over_and_purged_is_a_gap_too(team: Team) -> None:
    found = subscribed(team)
    gone = say(team, "task:gone")
    taken(found)
    old(gone)
    retention.purge(now=timezone.now())
    assert taken(found).gap is not None
    assert taken(found).gap is None


def test_half_of_a_replay_failing_degrades_and_goes_on(team: Team, caplog) -> None:
    """TEST: Event replay with 50% failure rate."""
    found = subscribed(team, policy=ReplayPolicy.FULL)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    say(team, *["task:missed"] * 10)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    before = meters.read().get("event_replay_failure_total", 0)
    ids = [item.event.id for item in taken(found).items]
    ack(found, ids[5:])
    ack(found, ids[:4], AckOutcome.FAILED)
    degraded = Subscription.objects.filter(id=found.id, degraded_at__isnull=False)
    assert not degraded.exists()
    ack(found, ids[4:5], AckOutcome.FAILED)
    assert degraded.exists()
    assert meters.read()["event_replay_failure_total"] == before + 5
    assert any(record.levelname == "CRITICAL" for record in caplog.records)
    assert Event.objects.filter(name="subscription.degraded", subject_id=found.id).count() == 1
    (new,) = say(team, "task:new")
    assert new in [item.event.id for item in taken(found).items]


def test_a_thousand_missed_events_are_one_answer(team: Team) -> None:
    found = subscribed(team, policy=ReplayPolicy.FULL)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    for _ in range(10):
        say(team, *["task:missed"] * 100)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    got = taken(found, limit=1000)
    assert len(got.items) == 1000
    positions = [item.event.position or 0 for item in got.items]
    assert positions == sorted(positions)


def test_what_does_not_fit_its_topics_schema_any_more_is_a_failure_of_the_replay(team: Team, caplog) -> None:
    found = subscribed(team, policy=ReplayPolicy.FULL)
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    old = say(team, *["task:missed"] * (delivery_failures.BURIED_AT_ONCE + 2), payload={"n": 1})
    topics.declare(team=team, name="task:missed", schema={"type": "object", "required": ["owner"]}, critical=False)
    publication = Publication("task:missed", {"owner": "mira"})
    (fits,) = publishing.publish(team=team, publications=[publication], publisher="test", now=timezone.now())
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    before = meters.read().get("event_replay_failure_total", 0)
    assert [item.event.id for item in taken(found).items] == [fits.id]
    assert meters.read()["event_replay_failure_total"] == before + len(old)
    told = [record.metadata for record in caplog.records if record.message == "The replay of an event failed"]
    assert {each["event_id"] for each in told} == {str(id) for id in old}
    assert "owner" in told[0]["error"]
    assert Subscription.objects.filter(id=found.id, degraded_at__isnull=False).exists()
    assert DeadLetter.objects.filter(subscription=found).count() == delivery_failures.BURIED_AT_ONCE
    assert taken(found, now=timezone.now() + timedelta(seconds=1)).items == []
    assert DeadLetter.objects.filter(subscription=found).count() == len(old)
