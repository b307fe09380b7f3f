"""A turn asks the database a fixed number of times, however long the group has talked. What it takes, `bench --load` measures."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from continuity.models import Group, Team
from continuity.services.groups import group_watch, turns
from diagnostics.bench.beating import BeatingAgents
from diagnostics.bench.groups import GroupsAtWork

pytestmark = pytest.mark.django_db(transaction=True)
# As many as there are, with the beginnings and ends of transactions, and two for the events of each.
HEAR, NEXT, SAY = 13, 14, 17


def test_it_works(team: Team, django_assert_max_num_queries: Any) -> None:
    agents, work = BeatingAgents(team), GroupsAtWork(team)
    work.open([agents.start(f"member-{number}") for number in range(3)])
    group = work.groups[0]
    for number in (1, 2, 3):
        a_second_ago(group)
        with django_assert_max_num_queries(HEAR + NEXT + SAY):
            work.take_turn(group, number)
    a_second_ago(group)
    turns.next_speaker(team=team, group_id=group, now=timezone.now())
    with django_assert_max_num_queries(4):  # beginning and end, the group, its turn: nothing is chosen or written
        turns.next_speaker(team=team, group_id=group, now=timezone.now())


def test_an_event_that_concerns_no_group_costs_the_monitor_two_statements(team: Team, django_assert_num_queries: Any) -> None:
    agents, work = BeatingAgents(team), GroupsAtWork(team)
    work.open([agents.start("member")])
    Group.objects.update(due_at=(due := timezone.now() + timedelta(seconds=30)))
    with django_assert_num_queries(2):
        assert group_watch.watch(timezone.now()) == due


def a_second_ago(group: Any) -> None:
    Group.objects.filter(id=group).update(selected_at=timezone.now() - timedelta(seconds=2))
