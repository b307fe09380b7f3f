"""Events that retention deleted before a subscriber got them: who is told, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from continuity.events.policies import ReplayPolicy
from continuity.models import Subscription, Team
from continuity.services.erasure import retention
from continuity.services.subscriptions import subscriptions, webhooks
from diagnostics.models import Alert
from diagnostics.services import background_alerts
from tests.events import receiving
from tests.events.receiving import Receiver
from tests.events.test_bus import ack, say, subscribed, taken
from tests.events.test_replay import old
from tests.events.test_webhooks import LOCAL, hooked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def there(settings: Any) -> Any:
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    with receiving.receiver() as there:
        yield there


def gone(team: Team, *topics: str, critical: bool = False) -> None:
    """Events that nobody was handed, and that are deleted by now."""
    old(say(team, *topics, critical=critical))
    assert retention.purge(now=timezone.now()) >= len(topics)


def begun(found: Subscription) -> int | None:
    return subscriptions.begin(team=found.team, subscription_id=found.id, now=timezone.now()).gap


def alerts_of(found: Subscription) -> list[bool]:
    """Which of the alerts about its gaps are over, the first first."""
    rows = Alert.objects.filter(rule="replay_gap", subject_id=found.id).order_by("raised_at")
    return [over_at is not None for over_at in rows.values_list("over_at", flat=True)]


def sent(row: Subscription) -> int:
    return webhooks.send(subscription_id=row.id) or 0


@pytest.mark.parametrize("policy", ReplayPolicy)
def test_it_works(team: Team, there: Receiver, policy: ReplayPolicy) -> None:
    """A webhook is sent every event, whatever its policy: each that is gone is a gap."""
    row = hooked(team, there.url)
    Subscription.objects.filter(id=row.id).update(policy=policy)
    gone(team, "task:gone")
    (kept,) = say(team, "task:kept")
    assert sent(row) == 1
    assert str(kept) in str(there.got)
    row.refresh_from_db()
    assert (row.gaps, row.gap_through, alerts_of(row)) == (1, 0, [False])


def test_the_alert_of_a_webhook_is_over_when_it_took_what_came_after(team: Team, there: Receiver) -> None:
    row = hooked(team, there.url)
    gone(team, "task:gone")
    there.answering = receiving.refuse
    say(team, "task:after")
    assert sent(row) == 0
    background_alerts.settle_gaps()
    assert alerts_of(row) == [False]
    there.answering = receiving.accept
    row.deliveries.update(due_at=timezone.now())
    assert sent(row) == 1
    background_alerts.settle_gaps()
    assert alerts_of(row) == [True]


def test_a_second_gap_of_a_webhook_is_told_too(team: Team, there: Receiver) -> None:
    row = hooked(team, there.url)
    for _ in range(2):
        gone(team, "task:gone")
        say(team, "task:after")
        assert sent(row) == 1
    assert alerts_of(row) == [True, False]


BACK = [("full", False, True), ("full", True, True), ("critical-only", False, False), ("none", False, False)]


@pytest.mark.parametrize(
    ("before", "after", "critical", "expected"),
    [
        *((before, *each) for before in ReplayPolicy for each in BACK),
        ("critical-only", "critical-only", True, True),
        ("none", "none", True, False),
    ],
)
def test_the_policy_counts_that_holds_when_it_is_back(
    team: Team, settings: Any, tmp_path: Path, before: str, after: str, critical: bool, expected: bool
) -> None:
    """By the file, which may change after the events are gone."""
    file = settings.CONTINUITY_AGENTS_FILE = tmp_path / "agents.yaml"
    file.write_text(f"agents:\n  - name: billing\n    replay: {before}\n")
    found = subscribed(team, agent="billing")
    assert begun(found) is None
    gone(team, "task:gone", critical=critical)
    (kept,) = say(team, "task:kept", critical=True)
    file.write_text(f"agents:\n  - name: billing\n    replay: {after}  # now\n")
    assert (begun(found) is not None) == expected
    found.refresh_from_db()
    assert (found.gaps, found.gap_through) == (int(expected), 0)
    assert ids(found) == ([] if after == "none" else [kept])


def ids(found: Subscription) -> Sequence[UUID]:
    return [item.event.id for item in taken(found).items]


def test_who_is_there_and_too_slow_is_told_of_all(team: Team) -> None:
    """It would have got them, by any policy."""
    found = subscribed(team)
    begun(found)
    gone(team, "task:gone")
    (kept,) = say(team, "task:kept")
    got = taken(found)
    assert got.gap is not None
    assert [item.event.id for item in got.items] == [kept]


def test_what_it_would_not_have_got_ends_the_alert_of_the_gap_before(team: Team) -> None:
    found = subscribed(team)
    begun(found)
    gone(team, "task:gone", critical=True)
    assert begun(found) is not None
    assert alerts_of(found) == [False]
    gone(team, "task:gone")
    assert begun(found) is None
    assert alerts_of(found) == [True]


def test_what_was_handed_over_is_a_gap_by_any_policy(team: Team) -> None:
    found = subscribed(team, policy=ReplayPolicy.NONE)
    lost = say(team, "task:gone")
    taken(found)
    old(lost)
    retention.purge(now=timezone.now())
    assert begun(found) is not None
    assert ack(found, lost).handled == 0
