"""A hundred conversations of agents and groups at work beside ten (FR-035, SC-018, SC-020), the limit, and what the metrics cost (SC-024).

Each agent appends a turn every five seconds, whether the others are done or not; every tenth conversation is that of a group
of three others, which is asked something and answers as often. On a machine that is busy with other work only the
processor's time of our own process says something: it is told beside what passed on the wall.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.db import connection

from continuity import warmup
from continuity.core.errors import AllSessionsTaken
from continuity.models import Conversation, Team
from continuity.services.agents import admission
from continuity.services.agents.heartbeats import ReportedBeat
from continuity.services.recording import conversations
from diagnostics.bench import material
from diagnostics.bench.beating import BeatingAgents
from diagnostics.bench.groups import GroupsAtWork
from diagnostics.bench.load_verdict import CREATION_MS, LoadVerdict
from diagnostics.bench.rows import BenchRow, percentile, row, timed
from diagnostics.bench.scenarios import CONNECTIONS
from diagnostics.measuring.exposition import exposition
from diagnostics.services import measurements, scrapes

FEW = 10
EVERY_SECONDS = 5.0
GROUP_EVERY = 10  # one conversation in so many is that of a group
# So often Prometheus asks where nobody says otherwise.
SCRAPE_SECONDS = 15.0


# Milliseconds that an append took, on the wall and of the processor.
Append = tuple[float, float]


class LoadRun:
    """Rows come from `rows`, and then the `verdict`."""

    def __init__(self, team: Team, *, seconds: float) -> None:
        self._team, self._seconds = team, seconds
        self._agents = BeatingAgents(team)
        self._groups = GroupsAtWork(team)
        self.verdict: LoadVerdict | None = None

    def rows(self) -> Iterator[BenchRow]:
        warmup.ready_to_record()
        with self._agents.beating():
            yield from self._measured(settings.MAX_CONCURRENT_SESSIONS)

    def _measured(self, most: int) -> Iterator[BenchRow]:
        opened = [self._open(number) for number in range(FEW - FEW // GROUP_EVERY)]
        self._group(FEW // GROUP_EVERY)
        few, _, of_few = self._load([found for found, _ in opened], scraping=False)
        quiet = _told(f"append one turn, {FEW} conversations at work", few)
        yield quiet
        yield _told(f"ask a group and let it answer, {len(self._groups.groups)} groups among these", of_few)
        rest = [self._open(number) for number in range(len(opened), most - most // GROUP_EVERY)]
        opened += rest
        self._group(most // GROUP_EVERY)
        opening = row(f"open a conversation for an agent, up to {most}", [took for _, took in rest], specified_ms=CREATION_MS)
        yield opening
        many, cpu, of_many = self._load([found for found, _ in opened], scraping=True)
        full = _told(f"append one turn, {most} conversations at work", many)
        yield full
        yield _told(f"ask a group and let it answer, {len(self._groups.groups)} groups among these", of_many)
        refused = self._is_refused(most)
        let_in = conversations.create(team=self._team, source_tool="bench").id is not None
        slower = full.p95_ms / max(quiet.p95_ms, 0.01)
        processor = (full.processor_ms or 0.0) / max(quiet.processor_ms or 0.0, 0.01)
        self.verdict = LoadVerdict(most, opening.p95_ms, round(slower, 2), round(processor, 2), round(cpu, 4), refused, let_in)

    def _group(self, groups: int) -> None:
        """Opens groups until there are so many."""
        while len(self._groups.groups) < groups:
            of = len(self._groups.groups)
            self._groups.open([self._agents.start(f"member-{of}-{number}") for number in range(GroupsAtWork.SIZE)])

    def _open(self, number: int) -> tuple[Conversation, float]:
        beat = self._agents.start(f"load-{number}")
        found: list[Conversation] = []
        took = timed(lambda: found.append(self._opened(beat)))
        return found[0], took

    def _opened(self, beat: ReportedBeat) -> Conversation:
        return admission.open_conversation(
            team=self._team, name=beat.agent, epoch=beat.epoch, instance=beat.instance, source_tool="bench", model="gpt-5"
        )

    def _is_refused(self, most: int) -> bool:
        try:
            self._opened(self._agents.start(f"load-{most}"))
        except AllSessionsTaken as refusal:
            return refusal.data.get("retry_after") == 60
        return False

    def _load(self, opened: list[Conversation], *, scraping: bool) -> tuple[list[Append], float, list[Append]]:
        """What each append took, its waiting for its turn included; the share of time for which metrics kept a core busy; and what each
        turn of a group took."""
        rounds = max(1, math.ceil(self._seconds / EVERY_SECONDS))
        asked: list[Future[Append]] = []
        answered: list[Future[Append]] = []
        groups = self._groups.groups
        apart = len(opened) // max(1, len(groups))
        busy, next_scrape = 0.0, time.perf_counter()
        begun = time.perf_counter()
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            for turn in range(rounds):
                for place, conversation in enumerate(opened):
                    due = begun + EVERY_SECONDS * (turn + place / len(opened))
                    time.sleep(max(0.0, due - time.perf_counter()))
                    asked.append(pool.submit(self._append, conversation.id, place, turn, due))
                    if groups and place % apart == 0 and place // apart < len(groups):
                        answered.append(pool.submit(self._answer, groups[place // apart], turn, due))
                    if scraping and time.perf_counter() >= next_scrape:
                        next_scrape += SCRAPE_SECONDS
                        busy += _scraped()
            took, of_groups = [each.result() for each in asked], [each.result() for each in answered]
            together = threading.Barrier(CONNECTIONS)
            for closing in [pool.submit(_leave, together) for _ in range(CONNECTIONS)]:
                closing.result()
        return took, busy / (time.perf_counter() - begun), of_groups

    def _answer(self, group: UUID, number: int, due: float) -> Append:
        processor = time.thread_time()
        self._groups.take_turn(group, number)
        return (time.perf_counter() - due) * 1000, (time.thread_time() - processor) * 1000

    def _append(self, conversation: UUID, place: int, turn: int, due: float) -> Append:
        processor = time.thread_time()
        messages = material.plain(10_000_000 + place * 1000 + turn, 2)
        conversations.append(team=self._team, conversation_id=conversation, messages=messages)
        return (time.perf_counter() - due) * 1000, (time.thread_time() - processor) * 1000


def _told(name: str, appends: Sequence[Append]) -> BenchRow:
    processor = percentile([processor for _, processor in appends], 0.5)
    return replace(row(name, [wall for wall, _ in appends]), processor_ms=round(processor, 2))


def _leave(together: threading.Barrier) -> None:
    """Each thread closes its own connection, none of them twice."""
    together.wait(60)
    connection.close()


def _scraped() -> float:
    """Seconds of this thread's processor for counting what happened and telling all of it once."""
    before = time.thread_time()
    measurements.catch_up()
    exposition(scrapes.points())
    return time.thread_time() - before
