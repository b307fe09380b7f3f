"""A transcript file to a checked handoff in one go, without a database: what `manage.py handoff` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from continuity.distill import FoldState, Memory, fold
from continuity.distill.language.rules import RULES, RuleSet
from continuity.segments.units import Unit
from continuity.tokens import Counter, counter_for, message_tokens
from continuity.transcripts import open_transcript
from continuity.transcripts.model import Abandoned, Message, Report
from handoffs.fidelity.probes import Bank, questions
from handoffs.packages.course import Course
from handoffs.packages.masking import masked
from handoffs.packages.model import Options, Prepared
from handoffs.packages.preparing import prepare
from handoffs.packages.remainder import READ_FOR_ROOM, Pieces

# Messages folded at once, and between two reports of progress.
BATCH = 200
ANCHORS_AT_MOST = 2000


@dataclass(slots=True)
class OneShot:
    """What became of a file: the handoff, and what the reader has to say about the file."""

    prepared: Prepared
    report: Report


@dataclass(slots=True)
class _Reading:
    """One pass over the live messages of the main conversation, counted from 1, with their tokens."""

    path: Path
    format: str
    cut: int | None
    abandoned: frozenset[str]
    counter: Counter
    progress: Callable[[int], None]
    report: Report = field(default_factory=Report)
    tokens: int = 0

    def __iter__(self) -> Iterator[tuple[int, Message, int]]:
        transcript = open_transcript(self.path, format=self.format, cut=self.cut)
        seq = 0
        for entry in transcript:
            if isinstance(entry, Abandoned) or entry.external_id in self.abandoned:
                continue
            seq += 1
            tokens = message_tokens(entry, self.counter)
            self.tokens += tokens
            if seq % BATCH == 0:
                self.progress(seq)
            yield seq, entry, tokens
        self.report = transcript.report


def from_transcript(
    path: Path,
    options: Options,
    *,
    now: datetime,
    format: str = "auto",
    cut: int | None = None,
    model: str = "",
    show_secrets: bool = False,
    rules: RuleSet = RULES,
    progress: Callable[[int], None] = lambda _: None,
) -> OneShot:
    """The handoff of a transcript file, of its first `cut` lines where given.

    `model` names the model that the budget counts for, `rules` the language rules to distil with. Two passes: the first
    learns which messages were rewound.
    Raises TranscriptError where the file cannot be read, ValueError on a budget out of range.
    """
    counter = counter_for(model)
    reading = _Reading(path, format, cut, _abandoned(path, format, cut), counter, progress)
    state, memory, course, bank = FoldState(), Memory(), Course(counter), Bank()
    messages = iter(reading)
    while batch := list(islice(messages, BATCH)):
        folded = fold(state, ((seq, message) for seq, message, _ in batch), rules=rules)
        state = folded.state
        memory.apply(folded.changes)
        course.read(batch, folded.changes, memory.anchors)
        for seq, message, _ in batch:
            bank.read(seq, message)
    known = memory.knowledge(state, tokens=reading.tokens, anchor_limit=ANCHORS_AT_MOST)
    knowledge = replace(known, earlier=course.passages(memory.anchors))
    session = reading.report.session_id or path.name
    probes = questions(bank)
    prepared = prepare(
        knowledge if show_secrets else masked(knowledge),
        options,
        counter=counter,
        now=now,
        handoff_id=str(uuid5(NAMESPACE_URL, f"handoff:{session}:{knowledge.through_seq}")),
        conversation_id=session,
        probes=probes if show_secrets else masked(probes),
        pieces=_pieces(course, memory, mask=not show_secrets),
    )
    return OneShot(prepared, reading.report)


def _pieces(course: Course, memory: Memory, *, mask: bool) -> Pieces:
    def those(room: int) -> Sequence[Unit]:
        found = tuple(course.pieces(memory.anchors, READ_FOR_ROOM * room))
        return masked(found) if mask else found

    return those


def _abandoned(path: Path, format: str, cut: int | None) -> frozenset[str]:
    entries = open_transcript(path, format=format, cut=cut)
    return frozenset(key for entry in entries if isinstance(entry, Abandoned) for key in entry.external_ids)
