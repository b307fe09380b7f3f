"""The measurements, each through the services on the configured database, in a team of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from uuid import uuid4

from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import connection

from continuity import knowledge, warmup
from continuity.models import Conversation, Team
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, imports, restoring
from continuity.services.segments import segments
from diagnostics.bench import material
from diagnostics.bench.rows import BenchRow, row, timed
from handoffs.models import Handoff
from handoffs.services.chains import resumption
from handoffs.services.packages import decisions, handoffs, preparation, probe_bank

IMPORT_SIZE = 4_000_000
CONNECTIONS = 8


def recorded(team: Team, count: int, *, fold: bool = True) -> Conversation:
    """A conversation with `count` messages; where `fold`, with all that the workers do with them in the background."""
    conversation = conversations.create(team=team, title=f"bench {count}", source_tool="bench", max_context_tokens=1_000_000_000 // 10)
    source = material.messages(count, count)
    while batch := list(islice(source, 1000)):
        conversations.append(team=team, conversation_id=conversation.id, messages=batch)
    if fold:
        fold_runner.catch_up(conversation_id=conversation.id)
        segments.summarise_pending(conversation_id=conversation.id, limit=count)
        probe_bank.gather(conversation_id=conversation.id)
    return conversation


def append_batch(team: Team, n: int) -> Iterator[BenchRow]:
    warmup.ready_to_record()  # as a server does at its start
    conversation = conversations.create(team=team, source_tool="bench")
    batches = [material.plain(1_000_000 + i, 100) for i in range(n)]
    samples = [timed(partial(conversations.append, team=team, conversation_id=conversation.id, messages=batch)) for batch in batches]
    yield row("append 100 messages in one batch", samples, specified_ms=50, target_ms=15)


def append_turn(team: Team, n: int, sizes: Sequence[int]) -> Iterator[BenchRow]:
    def work(size: int) -> Callable[[int], object]:
        conversation = recorded(team, size)
        turns = [[turn[0], turn[-1]] for turn in material.turns(2_000_000 + size, n)]
        return lambda sample: conversations.append(team=team, conversation_id=conversation.id, messages=turns[sample])

    for size, samples in _side_by_side(n, {size: work(size) for size in sizes}).items():
        yield row(f"append one turn of two messages at {size:,} messages", samples, specified_ms=50, target_ms=5)


def _side_by_side(n: int, works: Mapping[int, Callable[[int], object]]) -> dict[int, list[float]]:
    """`n` samples of each, taken in turn, so that what else the machine does falls on all alike."""
    samples: dict[int, list[float]] = {size: [] for size in works}
    for sample in range(n):
        for size, work in works.items():
            samples[size].append(timed(partial(work, sample)))
    return samples


def fold(team: Team, n: int) -> Iterator[BenchRow]:
    """One process, no database; the target stands for 2,000 messages a second."""
    numbered = list(enumerate(material.messages(7, 1000), start=1))
    samples = [timed(partial(knowledge.fold, knowledge.FoldState(), numbered)) for _ in range(n)]
    yield row("fold 1,000 messages", samples, target_ms=500)


def restore(team: Team, n: int) -> Iterator[BenchRow]:
    """100 turns, five messages of a kilobyte each: 500 KB."""
    conversation = conversations.create(team=team, source_tool="bench")
    said = material.plain(3_000_000, 500)
    said = [replace(message, parts=(replace(message.parts[0], text=(message.parts[0].text * 2)[:1000]),)) for message in said]
    conversations.append(team=team, conversation_id=conversation.id, messages=said)
    fold_runner.catch_up(conversation_id=conversation.id)
    samples = [timed(partial(restoring.restore, team=team, conversation_id=conversation.id)) for _ in range(n)]
    yield row("restore 100 turns, 500 KB", samples, specified_ms=100, target_ms=100)


def decide(team: Team, n: int) -> Iterator[BenchRow]:
    conversation = recorded(team, 1000)
    samples = [timed(partial(decisions.decide_for, team=team, conversation_id=conversation.id)) for _ in range(n)]
    yield row("decision", samples, specified_ms=10, target_ms=2)


def prepare(team: Team, n: int, sizes: Sequence[int]) -> Iterator[BenchRow]:
    def work(size: int) -> Callable[[int], object]:
        conversation = recorded(team, size)
        return lambda _sample: _prepare(team, conversation)

    for size, samples in _side_by_side(n, {size: work(size) for size in sizes}).items():
        yield row(f"prepare, {size:,} messages, knowledge folded", samples, specified_ms=2000, target_ms=60)


def prepare_at_once(team: Team, counts: Sequence[int]) -> Iterator[BenchRow]:
    """All asked for at the same moment, on as many connections as the web process has; each waits for its turn in its time."""
    for count in counts:
        waiting = [recorded(team, 100) for _ in range(count)]
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            asked = time.perf_counter()
            samples = list(pool.map(partial(_prepare_since, team, asked), waiting))
        yield row(f"prepare, {count} at once, 100 messages each", samples, specified_ms=2000)


def _prepare_since(team: Team, asked: float, conversation: Conversation) -> float:
    try:
        _prepare(team, conversation)
    finally:
        connection.close()
    return (time.perf_counter() - asked) * 1000


def prepare_unfolded(team: Team, n: int) -> Iterator[BenchRow]:
    samples = [timed(partial(_prepare, team, recorded(team, 1000, fold=False))) for _ in range(n)]
    yield row("prepare, 1,000 messages, nothing folded", samples, specified_ms=2000, target_ms=800)


def resume(team: Team, n: int) -> Iterator[BenchRow]:
    conversation = recorded(team, 1000)
    ready = [_prepare(team, conversation) for _ in range(n)]
    samples = [timed(partial(resumption.resume, team=team, handoff_id=handoff.id)) for handoff in ready]
    yield row("resume", samples, specified_ms=500, target_ms=25)


def directive(team: Team, n: int) -> Iterator[BenchRow]:
    conversation = recorded(team, 1000)
    handoff = _prepare(team, conversation)
    samples = [timed(partial(handoffs.directive_text, handoff, style="narrative")) for _ in range(n)]
    yield row("directive", samples, specified_ms=300, target_ms=10)


def import_file(team: Team, n: int) -> Iterator[BenchRow]:
    samples = []
    for number in range(n):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "session.jsonl"
            material.write_claude_code(path, seed=uuid4().int % 1_000_000_000 + number, size=IMPORT_SIZE)
            upload = TemporaryUploadedFile("session.jsonl", "application/jsonl", path.stat().st_size, None)
            upload.write(path.read_bytes())
            upload.seek(0)
            samples.append(timed(partial(_import, team, upload)))
    yield row("import a 4 MB transcript", samples, target_ms=3000)


def _import(team: Team, upload: TemporaryUploadedFile) -> None:
    job = imports.begin(team=team, upload=upload)
    jobs.run(job_id=job.id)
    while jobs.get(team=team, job_id=job.id).status in ("queued", "running"):
        time.sleep(0.005)  # a worker beside us took it first


def _prepare(team: Team, conversation: Conversation) -> Handoff:
    """At the default budget, which a hundred messages nearly fill."""
    return preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
