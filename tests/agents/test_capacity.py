"""Conversations of agents are limited for each team, and nothing else is (FR-035, FR-037, FR-010a)."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.utils import timezone

from continuity.agents.statuses import AgentStatus
from continuity.core.errors import AllSessionsTaken
from continuity.models import Agent, Conversation, Incident, Team
from continuity.services.agents import admission, capacity
from tests.agents.runner import Runner
from tests.api.caller import Caller
from tests.factories import ConversationFactory
from tests.metrics.reading import value

pytestmark = pytest.mark.django_db(transaction=True)
LIMIT = 100


def at_work(team: Team, number: int) -> None:
    """So many agents, each at work on a conversation."""
    now = timezone.now()
    made = ConversationFactory.create_batch(number, team=team)
    Agent.objects.bulk_create(
        [
            Agent(team=team, name=f"at-work-{each}", status=AgentStatus.ACTIVE, status_at=now, working_on=conversation)
            for each, conversation in enumerate(made)
        ]
    )


def open_one(runner: Runner, name: str) -> Conversation:
    known = runner.known[name]
    return admission.open_conversation(team=runner.team, name=name, epoch=known["epoch"], instance=UUID(known["instance"]))


def test_it_works(runner: Runner, team: Team, other_team: Team, caplog: pytest.LogCaptureFixture) -> None:
    """FR-037: the 101st is refused, and recorders, what exists and other teams are not."""
    rejected = value(admission.REJECTIONS) or 0
    at_work(team, LIMIT - 1)
    runner.start("last", "late")
    opened = runner.post("last", "conversation")
    assert opened.status_code == 201
    with caplog.at_level(logging.WARNING, "continuity.agents"):
        refused = runner.post("late", "conversation")
    assert (refused.status_code, refused.json()["code"], refused.headers["Retry-After"]) == (503, "sessions_taken", "60")
    (line,) = (record for record in caplog.records if record.name == "continuity.agents")
    assert (line.metadata["agent"], line.metadata["reason"], line.metadata["limit"]) == ("late", "sessions_taken", LIMIT)  # type: ignore[attr-defined]
    assert value(admission.REJECTIONS) == rejected + 1
    assert value("session_count") == LIMIT
    caller = Caller.of(team)
    assert caller.post("/conversations", {}).status_code == 201  # a recorder's
    there = opened.json()["conversation_id"]
    assert caller.post(f"/conversations/{there}/messages", {"messages": [{"role": "user", "content": "Go on."}]}).status_code == 201
    assert runner.post("last", "stop").status_code == 200
    assert runner.post("late", "conversation").status_code == 201
    theirs = Runner(other_team)
    theirs.start("first")
    assert theirs.post("first", "conversation").status_code == 201


def test_what_exists_is_taken_up_again_at_the_limit(runner: Runner, team: Team, settings: Any) -> None:
    settings.MAX_CONCURRENT_SESSIONS = 1
    at_work(team, 1)
    there = ConversationFactory.create(team=team)
    runner.start("back", conversation_id=str(there.id))
    assert capacity.of_team(team).live == 2


def test_of_two_at_the_last_place_one_is_refused(runner: Runner, team: Team) -> None:
    at_work(team, LIMIT - 1)
    runner.start("one", "two", "three", "four")
    together = Barrier(4)

    def ask(name: str) -> bool:
        together.wait(30)
        try:
            open_one(runner, name)
        except AllSessionsTaken:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(ask, ("one", "two", "three", "four"))) == [False, False, False, True]
    assert capacity.of_team(team).live == LIMIT


def test_half_of_them_while_the_team_is_degraded(team: Team) -> None:
    Incident.objects.create(team=team, correlation_id="c", agents=["a"], limit=50, created_at=timezone.now(), retried_at=timezone.now())
    at_work(team, 49)
    assert (capacity.of_team(team).limit, capacity.of_team(team).full) == (50, False)
    at_most = ConversationFactory.create(team=team)
    Agent.objects.create(team=team, name="x", status=AgentStatus.READY, status_at=timezone.now(), working_on=at_most)
    assert capacity.of_team(team).full


def test_two_agents_on_one_conversation_take_one_place(team: Team) -> None:
    shared = ConversationFactory.create(team=team)
    for name in "ab":
        Agent.objects.create(team=team, name=name, status=AgentStatus.READY, status_at=timezone.now(), working_on=shared)
    assert (capacity.of_team(team).live, capacity.of_installation()) == (1, 1)
