"""The demo's agents, group, shared state and packs: made by the services, in the past, and none of them alive."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from continuity.agents.statuses import AgentStatus
from continuity.groups.model import GroupStatus, TurnStatus
from continuity.models import (
    Agent,
    AgentInstance,
    AgentOrder,
    AttemptStatus,
    Group,
    GroupParticipant,
    GroupSelection,
    GroupTransition,
    RecoveryAttempt,
    StateEntry,
    StateVersion,
    Team,
    User,
)
from continuity.services.agents import capacity
from continuity.services.shared_state import state_queries
from diagnostics.demo import agents
from diagnostics.services import demo
from handoffs.models import Artifact, ArtifactStatus, Handoff, HandoffStatus, PackSession, Repository, StoredPack

pytestmark = pytest.mark.django_db
# What the agents did, and no session of a person.
AGENTS_ONLY = {agents.CHECKED: (), agents.EXPLAINED: ()}


@pytest.fixture
def now() -> datetime:
    return timezone.now()


@pytest.fixture
def loaded(owner: User, now: datetime) -> Team:
    return demo.load(owner=owner, now=now, schedule=AGENTS_ONLY)


def test_it_works(loaded: Team, now: datetime) -> None:
    rows = Agent.objects.filter(team=loaded)
    assert set(rows.values_list("name", flat=True)) == set(agents.agents())
    # Nobody is alive, nor waited for.
    assert set(rows.values_list("status", flat=True)) == {AgentStatus.STOPPED}
    assert not rows.exclude(instance_id=None).exists()
    assert capacity.of_team(loaded).live == 0
    assert Group.objects.get(team=loaded).status == GroupStatus.CLOSED
    assert not Group.objects.exclude(due_at=None).exists()
    assert not AgentOrder.objects.filter(status="open").exists()
    # All of it is said to have happened days ago.
    for model in (
        Agent,
        AgentInstance,
        AgentOrder,
        RecoveryAttempt,
        Group,
        GroupParticipant,
        GroupSelection,
        GroupTransition,
        StateVersion,
    ):
        assert model.objects.exists()
        assert not model.objects.filter(created_at__gt=now - timedelta(days=1)).exists(), model
    assert not AgentInstance.objects.exclude(ended_at__lt=now - timedelta(days=1)).exists()
    assert not StateEntry.objects.exclude(updated_at__lt=now - timedelta(days=1)).exists()


def test_who_was_killed_was_replaced_with_a_briefing(loaded: Team) -> None:
    attempt = RecoveryAttempt.objects.get()
    first, second = Agent.objects.get(name=agents.check().first), Agent.objects.get(name=agents.check().second)
    assert (attempt.agent, attempt.backup, attempt.status) == (first, second, AttemptStatus.SUCCEEDED)
    assert (first.reason, attempt.signal) == ("replaced", 9)
    assert attempt.handoff_id is not None
    briefing = Handoff.objects.get(id=attempt.handoff_id)
    assert briefing.status == HandoffStatus.RESUMED
    assert second.working_on is not None
    assert second.working_on.resumed_from_id == briefing.conversation_id
    begun = AgentInstance.objects.get(agent=first)
    assert begun.ended_at is not None
    assert timedelta(0) < begun.ended_at - begun.created_at < timedelta(hours=2)


def test_a_group_found_a_cause_and_left_a_choice_to_a_person(loaded: Team) -> None:
    group = Group.objects.get(team=loaded)
    turns = GroupSelection.objects.filter(group=group).order_by("number")
    assert [turn.name for turn in turns] == [turn.who for turn in agents.incident().turns]
    assert {turn.status for turn in turns} == {TurnStatus.DONE}
    reasons = [turn.reason for turn in turns]
    assert reasons[1].startswith("gauges knows of gauges, sensors")
    assert reasons[2] == "journal was asked by name"
    assert reasons[3] == "scribe owns the step note"
    assert list(group.transitions.order_by("version").values_list("after", flat=True)) == ["cause", "note", "end"]
    cause = StateEntry.objects.get(key="cause")
    assert (cause.unresolved, cause.shown, cause.version) == (True, 1, 3)
    assert [each.number for each in state_queries.contenders(cause)] == [2, 3]
    assert StateEntry.objects.get(key="timeline").version == 3


def test_packs_of_its_repository_were_given(owner: User, now: datetime) -> None:
    team = demo.load(owner=owner, now=now, schedule=demo.schedule_of([agents.CHECKED]))
    repository = Repository.objects.get(team=team)
    assert repository.name == "tidewatch"
    assert PackSession.objects.filter(repository=repository).count() == 2
    assert set(Artifact.objects.filter(repository=repository).values_list("status", flat=True)) >= {ArtifactStatus.ACCEPTED}
    newest = StoredPack.objects.filter(repository=repository).latest("used_at")
    assert "tidewatch/" in newest.anchor
    assert "tidewatch/moving.py" in newest.context
