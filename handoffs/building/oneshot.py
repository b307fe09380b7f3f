"""A transcript file to a checked handoff in one go, without a database: what `manage.py handoff` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from continuity.core.isolation import MessageSkipped
from continuity.core.stored_json import message_as_stored
from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.rules.catalogue import RULES, RuleSet
from continuity.secrets.message_masking import message_without
from continuity.transcripts import open_transcript
from continuity.transcripts.base.model import Abandoned, Message, Report
from continuity.usage.tokens import Counter, counter_for, message_tokens
from handoffs.budgeting.read_limits import anchors_for
from handoffs.building.masking import masked
from handoffs.building.preparation import prepare
from handoffs.contract.model import Options, Prepared
from handoffs.fidelity.probes import Bank, Timeline, questions
from handoffs.notes import summary
from handoffs.notes.check import check
from handoffs.notes.note import HandoffNote
from handoffs.notes.note_date import written_through

# Messages folded at once, and between two reports of progress.
BATCH = 200


@dataclass(slots=True)
class OneShot:
    """The result of a file: the handoff, what the reader has to say about the file, and the messages that were passed over since
    reading them raised."""

    prepared: Prepared
    report: Report
    skipped: tuple[MessageSkipped, ...] = ()


@dataclass(slots=True)
class _Reading:
    """One pass over the live messages of the main conversation with their tokens. They are counted from 1 as a store counts them, and
    so is their length: those that were rewound are in neither, but keep their numbers and tokens."""

    path: Path
    format: str
    cut: int | None
    abandoned: frozenset[str]
    counter: Counter
    progress: Callable[[int], None]
    report: Report = field(default_factory=Report)
    tokens: int = 0
    through: int = 0

    def __iter__(self) -> Iterator[tuple[int, Message, int]]:
        transcript = open_transcript(self.path, format=self.format, cut=self.cut)
        for entry in transcript:
            if isinstance(entry, Abandoned):
                continue
            self.through += 1
            tokens = message_tokens(entry, self.counter)
            self.tokens += tokens
            if self.through % BATCH == 0:
                self.progress(self.through)
            if entry.external_id not in self.abandoned:
                yield self.through, message_as_stored(entry), tokens
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
    note: HandoffNote | None = None,
    note_cut: int | None = None,
    with_note: bool = True,
    progress: Callable[[int], None] = lambda _: None,
) -> OneShot:
    """The handoff of a transcript file, of its first `cut` lines where given.

    `model` names the model that the budget counts for, `rules` the language rules to distil with. `note` is the outgoing agent's, written
    when the file had `note_cut` lines, or after the last request that it tells of; where none is given, a summary that the tool wrote is
    one up to its place, unless there is to be none (`with_note`). Two passes: the first learns which messages were rewound.
    Raises TranscriptError where the file cannot be read, ValueError on a budget out of range.
    """
    counter = counter_for(model)
    reading = _Reading(path, format, cut, _abandoned(path, format, cut), counter, progress)
    state, memory, bank = FoldState(), InMemoryStore(), Bank()
    skipped: list[MessageSkipped] = []
    messages = iter(reading)
    while batch := list(islice(messages, BATCH)):
        folded = fold(state, ((seq, message) for seq, message, _ in batch), rules=rules)
        state = folded.state
        memory.apply(folded.changes)
        masked_ones = {} if show_secrets else _without_secrets(batch)
        bank, unasked = bank.read_on([(seq, masked_ones.get(seq, message)) for seq, message, _ in batch])
        skipped += (*folded.skipped, *unasked)
    known = memory.knowledge(state, tokens=reading.tokens, anchor_limit=anchors_for(options.budget))
    knowledge = replace(
        known if show_secrets else masked(known),
        through_seq=reading.through,
        messages=reading.through,
    )
    if with_note and note is not None:
        given = note if show_secrets else masked(note)
        through = written_through(given, knowledge) if note_cut is None else _count(path, format, min(note_cut, cut or note_cut))
        knowledge = replace(knowledge, note=check(given, knowledge, through_seq=through))
    elif with_note:
        knowledge = replace(knowledge, note=summary.note_of(knowledge))
    session = reading.report.session_id or path.name
    prepared = prepare(
        knowledge,
        options,
        counter=counter,
        now=now,
        handoff_id=str(uuid5(NAMESPACE_URL, f"handoff:{session}:{knowledge.through_seq}")),
        conversation_id=session,
        probes=questions(bank),
        course=bank.course,
    )
    return OneShot(prepared, reading.report, tuple(skipped))


def _count(path: Path, format: str, cut: int) -> int:
    """How many messages the first `cut` lines of a file hold."""
    return sum(1 for entry in open_transcript(path, format=format, cut=cut) if not isinstance(entry, Abandoned))


def timeline_of(path: Path, *, cut: int | None = None, format: str = "auto") -> Timeline:
    """The raw evidence of a transcript file, of its first `cut` lines where given. Raises TranscriptError where it cannot be read."""
    bank = Bank()
    messages = iter(_Reading(path, format, cut, _abandoned(path, format, cut), counter_for(""), lambda _: None))
    while batch := list(islice(messages, BATCH)):
        masked_ones = _without_secrets(batch)
        bank, _ = bank.read_on([(seq, masked_ones.get(seq, message)) for seq, message, _ in batch])
    return bank.course


def _without_secrets(batch: Sequence[tuple[int, Message, int]]) -> dict[int, Message]:
    """Those of the messages that hold secrets, masked."""
    found = ((seq, message_without(message)) for seq, message, _ in batch)
    return {seq: message for seq, message in found if message is not None}


def _abandoned(path: Path, format: str, cut: int | None) -> frozenset[str]:
    entries = open_transcript(path, format=format, cut=cut)
    return frozenset(key for entry in entries if isinstance(entry, Abandoned) for key in entry.external_ids)
