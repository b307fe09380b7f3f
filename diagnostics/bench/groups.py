"""Groups of ten: choosing a speaker, a whole turn, and what everybody reads."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from continuity.agents.statuses import AgentStatus
from continuity.models import Agent, Group, GroupSelection, Team
from continuity.services.groups import opening, people, sharing, turns
from continuity.services.groups.groups import GivenParticipant
from continuity.services.groups.turns import Acting
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.bench.rows import BenchRow, row

FIELDS = ("postgres", "dns", "python", "css", "invoices", "shipping", "tests", "docs", "security", "design")
MESSAGES = 200


def measured(team: Team, n: int) -> Iterator[BenchRow]:
    group = _group(team)
    samples = [_turn(team, group, number) for number in range(n)]
    chosen = GroupSelection.objects.filter(group=group, outcome="chosen").order_by("-number").values_list("took_ms", flat=True)[:n]
    yield row("choose a speaker among 10", list(chosen), specified_ms=100, target_ms=20)
    yield row("next speaker of 10, stored and told", [each[0] for each in samples], specified_ms=100, target_ms=20)
    yield row("say something and end the turn", [each[1] for each in samples])
    yield row("shared context of 4,000 tokens", [_context(team, group) for _ in range(n)], specified_ms=50, target_ms=50)


def _group(team: Team) -> UUID:
    now = timezone.now()
    rows = [
        Agent(team=team, name=f"bench-{number}", expertise=[field], status=AgentStatus.READY, status_at=now, replay="none", epoch=1)
        for number, field in enumerate(FIELDS)
    ]
    for each in rows:
        each.instance_id = each.id
    Agent.objects.bulk_create(rows)
    given = [GivenParticipant(each.name) for each in rows]
    rules = [{"pattern": "bench:*", "action": "raise", "agent": "bench-0"}]
    group = opening.open_group(team=team, participants=given, now=now, message="Why is the query slow?", rules=rules)
    for number in range(MESSAGES):
        people.say(team=team, group_id=group.id, text=f"Question {number} about {FIELDS[number % 10]} and what else is slow.", now=now)
    return group.id


def _turn(team: Team, group: UUID, number: int) -> tuple[float, float]:
    """Milliseconds of choosing and of saying."""
    long_ago = timezone.now() - timedelta(minutes=1)
    Group.objects.filter(id=group).update(selected_at=long_ago, asked_at=timezone.now(), turns=0, status="active")
    begun = time.perf_counter()
    turn = turns.next_speaker(team=team, group_id=group, now=timezone.now()).turn
    took = (time.perf_counter() - begun) * 1000
    if turn is None or turn.agent is None:
        raise RuntimeError("nobody was chosen")
    acting = Acting(turn.name, 1, turn.agent.id)
    said = Message(external_id="", role=Role.ASSISTANT, parts=(Part(PartKind.TEXT, Voice.AGENT, f"Answer {number} is about {number}."),))
    begun = time.perf_counter()
    turns.say(team=team, group_id=group, acting=acting, turn_id=turn.id, messages=[said], now=timezone.now())
    return took, (time.perf_counter() - begun) * 1000


def _context(team: Team, group: UUID) -> float:
    begun = time.perf_counter()
    sharing.context(team=team, group_id=group, budget=4000)
    return (time.perf_counter() - begun) * 1000
