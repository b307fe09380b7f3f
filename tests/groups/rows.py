"""A row of every model of groups."""

from __future__ import annotations

from django.utils import timezone

from continuity.models import Agent, Group, GroupParticipant, GroupSelection, GroupTransition, Team
from tests.factories import ConversationFactory


def make_group(team: Team, words: str) -> None:
    now = timezone.now()
    agent = Agent.objects.create(team=team, name="speaker", status_at=now, replay="full")
    step = {"key": "look", "title": words, "owner": "", "expertise": [], "next": ["end"]}
    about = {"strategy": "priority", "status_at": now, "asked_at": now, "workflow": [step]}
    group = Group.objects.create(team=team, conversation=ConversationFactory.create(team=team), **about)
    GroupParticipant.objects.create(group=group, agent=agent, place=0, role=words)
    GroupSelection.objects.create(group=group, number=1, outcome="person", strategy="priority", reason="nobody")
    GroupTransition.objects.create(group=group, version=2, before="look", after="end")
