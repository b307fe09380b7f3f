"""Groups of ten: choosing a speaker, a whole turn, and what everybody reads."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import TurnTaken
from continuity.models import Group, GroupSelection, Team
from continuity.services.agents.heartbeats import ReportedBeat
from continuity.services.groups import opening, shared_context, turns
from continuity.services.groups.groups import ParticipantInput
from continuity.services.groups.turns import Acting
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from diagnostics.bench.beating import BeatingAgents
from diagnostics.bench.rows import BenchRow, row, timed

FIELDS = ("postgres", "dns", "python", "css", "invoices", "shipping", "tests", "docs", "security", "design")
MESSAGES = 200
PATIENCE_SECONDS = 5.0


class GroupsAtWork:
    """Groups of three that a person asks something again and again, each answered by the one whose turn it is."""

    SIZE = 3

    def __init__(self, team: Team) -> None:
        self._team = team
        self._speakers: dict[str, ReportedBeat] = {}
        self._asking: dict[UUID, threading.Lock] = {}

    @property
    def groups(self) -> list[UUID]:
        return list(self._asking)

    def open(self, agents: Sequence[ReportedBeat]) -> None:
        """One more group, of these agents."""
        self._speakers.update((agent.agent, agent) for agent in agents)
        self._asking[self._opened([agent.agent for agent in agents])] = threading.Lock()

    def _opened(self, names: Sequence[str]) -> UUID:
        given = [ParticipantInput(name) for name in names]
        return opening.open_group(team=self._team, participants=given, now=timezone.now(), message="What is slow?", rules=[]).id

    def take_turn(self, group: UUID, number: int) -> None:
        """A question, the choice of who answers it, and the answer, once the question before is answered. Raises RuntimeError where nobody
        was chosen."""
        with self._asking[group]:
            self._ask(group, number)

    def _ask(self, group: UUID, number: int) -> None:
        asked = _message(Role.USER, Voice.PERSON, f"Question {number}: what else is slow about part {number}?")
        turns.hear(team=self._team, group_id=group, messages=[asked], now=timezone.now())
        turn = self._next_turn(group)
        _said(self._team, group, self._speakers[turn.name], turn.id, number)

    def _next_turn(self, group: UUID) -> GroupSelection:
        """The turn that is open; waits where the group lets nobody speak so soon."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            try:
                turn = turns.next_speaker(team=self._team, group_id=group, now=timezone.now()).turn
            except TurnTaken:
                turn = None
            if turn is not None:
                return turn
            time.sleep(PATIENCE_SECONDS / 50)
        raise RuntimeError("nobody was chosen")


def measured(team: Team, n: int) -> Iterator[BenchRow]:
    agents = BeatingAgents(team)
    speakers = {
        each.agent: each for each in (agents.start(f"bench-{number}", {"expertise": [field]}) for number, field in enumerate(FIELDS))
    }
    with agents.beating():
        group = _group(team, list(speakers))
        samples = list(_turns(team, group, speakers, n))
        yield row("choose a speaker among 10", [each[0] for each in samples], specified_ms=100, target_ms=20)
        yield row("next speaker of 10, stored and told", [each[1] for each in samples], specified_ms=100, target_ms=20)
        yield row("say something and end the turn", [each[2] for each in samples])
        context = partial(shared_context.context, team=team, group_id=group, budget=4000)
        yield row("shared context of 4,000 tokens", [timed(context) for _ in range(n)], specified_ms=50, target_ms=50)


def _group(team: Team, names: list[str]) -> UUID:
    now = timezone.now()
    rules = [{"pattern": "bench:*", "action": "raise", "agent": "bench-0"}]
    given = [ParticipantInput(each) for each in names]
    group = opening.open_group(team=team, participants=given, now=now, message="Why is the query slow?", rules=rules)
    texts = (f"Question {number} about {FIELDS[number % 10]} and what else is slow." for number in range(MESSAGES))
    asked = [_message(Role.USER, Voice.PERSON, text) for text in texts]
    turns.hear(team=team, group_id=group.id, messages=asked, now=now)
    return group.id


def _message(role: Role, voice: Voice, text: str) -> Message:
    return Message(external_id="", role=role, parts=(Part(PartKind.TEXT, voice, text),))


def _turns(team: Team, group: UUID, speakers: dict[str, ReportedBeat], n: int) -> Iterator[tuple[float, float, float]]:
    """Of `n` turns the milliseconds of the choice itself, of all that came with it and of saying. What a monitor beside us chose before
    we asked counts for nothing."""
    counted = 0
    for number in range(4 * n):
        long_ago = timezone.now() - timedelta(minutes=1)
        Group.objects.filter(id=group).update(selected_at=long_ago, asked_at=timezone.now(), turns=0, status="active")
        now = timezone.now()
        begun = time.perf_counter()
        turn = turns.next_speaker(team=team, group_id=group, now=now).turn
        chosen = (time.perf_counter() - begun) * 1000
        if turn is None:
            raise RuntimeError("nobody was chosen")
        said = _said(team, group, speakers[turn.name], turn.id, number)
        if turn.created_at == now:
            counted += 1
            yield turn.took_ms, chosen, said
        if counted == n:
            return


def _said(team: Team, group: UUID, speaker: ReportedBeat, turn: UUID, number: int) -> float:
    acting = Acting(speaker.agent, speaker.epoch, speaker.instance)
    said = _message(Role.ASSISTANT, Voice.AGENT, f"Answer {number} is about {number}.")
    return timed(partial(turns.say, team=team, group_id=group, acting=acting, turn_id=turn, messages=[said], now=timezone.now()))
