"""CONT-06's ContinuityMetricsSnapshot: true in every process, for one team, over a time, from rows."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from continuity.core.errors import GateClosed, Invalid
from continuity.models import Conversation, Tier
from diagnostics.models import Attempt, AttemptKind
from diagnostics.services import snapshots
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.packages import cleanup, preparation
from tests.api.caller import Caller
from tests.handoffs.story import overloaded, story


def prepare(conversation: Conversation, **options: Any) -> Handoff:
    wanted = preparation.options_of(**options)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=wanted)


def snapshot(team, days=30):
    return snapshots.of_team(team=team, now=timezone.now(), days=days)


def took(team, *durations, **fields):
    values = {"team": team, "kind": AttemptKind.HANDOFF, "at": timezone.now(), "succeeded": True, **fields}
    Attempt.objects.bulk_create([Attempt(id=uuid4(), duration_ms=duration, **values) for duration in durations])


def test_it_works(team):
    first = prepare(story(team))
    resumed = resumption.resume(team=team, handoff_id=first.id)
    prepare(resumed.conversation)
    prepare(overloaded(team), budget=150)
    seen = snapshot(team)
    assert (seen.total_handoffs, seen.successful_handoffs, seen.failed_handoffs) == (3, 2, 1)
    assert (seen.total_resumptions, seen.successful_resumptions) == (1, 1)
    assert 0 < seen.average_handoff_latency_ms <= seen.p95_handoff_latency_ms
    assert seen.average_resumption_latency_ms == seen.p95_resumption_latency_ms > 0
    assert 0 < seen.average_task_preservation_rate < 1
    assert seen.max_chain_length == 2


def test_cont06_p95_is_the_nearest_rank_of_what_was_measured(team):
    took(team, *range(1, 101))
    assert snapshot(team).p95_handoff_latency_ms == 95
    assert snapshot(team).average_handoff_latency_ms == 50.5


@pytest.mark.parametrize(("durations", "p95"), [([7], 7), ([1, 2], 2), (range(1, 20), 19), (range(1, 21), 19)])
def test_p95_of_few(team, durations, p95):
    took(team, *durations)
    assert snapshot(team).p95_handoff_latency_ms == p95


def test_nothing_happened_yet(team):
    seen = snapshot(team)
    assert (seen.total_handoffs, seen.total_resumptions, seen.max_chain_length) == (0, 0, 0)
    assert (seen.average_handoff_latency_ms, seen.p95_handoff_latency_ms, seen.average_resumption_latency_ms) == (0, 0, 0)
    assert (seen.average_anchor_preservation_rate, seen.average_task_preservation_rate) == (0, 0)


def test_only_what_lies_in_the_time_counts(team):
    took(team, 5, at=timezone.now() - timedelta(days=8))
    took(team, 9)
    assert snapshot(team, days=7).total_handoffs == 1
    assert snapshot(team, days=9).total_handoffs == 2


def test_what_is_deleted_later_still_happened(team):
    handoff = prepare(story(team))
    Handoff.objects.filter(id=handoff.id).update(expires_at=timezone.now())
    cleanup.delete_expired(now=timezone.now())
    assert snapshot(team).successful_handoffs == 1


def test_each_team_sees_its_own(team, other_team):
    prepare(story(team))
    assert snapshot(other_team).total_handoffs == 0


def test_it_takes_a_fixed_number_of_queries(team, django_assert_num_queries):
    took(team, *range(300))
    snapshot(team)
    relay, cursor, figures = 1, 4, 2
    with django_assert_num_queries(relay + cursor + figures):
        snapshot(team)


def test_below_teams_it_is_refused_with_gate_and_tier(team):
    team.tier = Tier.WRITER_PRO
    team.save()
    with pytest.raises(GateClosed, match=r"Agents\.Continuity\.Metrics.*Teams"):
        snapshot(team)
    assert Caller.of(team).get("/metrics/snapshot").status_code == 403


@pytest.mark.parametrize("days", [0, -1, 91])
def test_a_time_out_of_range_is_refused(team, days):
    with pytest.raises(Invalid, match="1 and 90"):
        snapshot(team, days)


def test_the_api_gives_it(team, other_team):
    prepare(story(team))
    told = Caller.of(team).get("/metrics/snapshot", days=7).json()
    assert told["total_handoffs"] == told["successful_handoffs"] == 1
    assert told["p95_handoff_latency_ms"] > 0
    assert Caller.of(other_team).get("/metrics/snapshot").json()["total_handoffs"] == 0
    assert Caller.of(team).get("/metrics/snapshot", days=0).status_code == 422
    assert Caller().get("/metrics/snapshot").status_code == 401
