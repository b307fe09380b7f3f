"""The questions that a bank asks: the weightiest of each kind, a fixed number at most."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoffs.fidelity.probes.bank import Bank, Note
from handoffs.fidelity.probes.evidence import compares
from handoffs.fidelity.probes.model import Probe, ProbeKind
from handoffs.fidelity.probes.sentence_forms import for_good
from handoffs.fidelity.probes.turns import in_work

MOST = {
    ProbeKind.RECALL: 8,
    ProbeKind.ARTIFACT: 8,
    ProbeKind.DECISION: 10,
    ProbeKind.CONTINUATION: 10,
    ProbeKind.CONSTRAINT: 12,
    ProbeKind.ERROR: 6,
    ProbeKind.OUTCOME: 4,
}
# A name that returns in so many messages is one that the work goes on about.
RECURS = 4
MISMATCHES = 2
BLANK = "___"
SENTENCE = 240
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def questions(bank: Bank) -> tuple[Probe, ...]:
    """At most 58 questions, by kind, the weightiest first: what binds, what was chosen, what now and next, what is done, what is broken."""
    return (
        *_constraints(bank),
        *_decisions(bank),
        *_continuation(bank),
        *_outcomes(bank),
        *_artifacts(bank),
        *_faults(bank),
        *_names(bank),
    )


def _constraints(bank: Bank) -> Iterator[Probe]:
    working = in_work(bank.course.turns)
    standing_ones = {key: note for key, note in bank.rules.items() if for_good(note.words) or _turn_at(bank, note.seq) in working}
    for note in _weightiest(standing_ones, ProbeKind.CONSTRAINT):
        what = "What did the user rule out" if note.weight == 1.0 else "What did the user ask to be kept to"
        yield Probe(ProbeKind.CONSTRAINT, f"{what}{_at(note)}?", note.words, note.seq, note.weight)


def _decisions(bank: Bank) -> Iterator[Probe]:
    for note in _weightiest(bank.choices, ProbeKind.DECISION):
        question = note.about or f"What did the user settle{_at(note)}?"
        yield Probe(ProbeKind.DECISION, question, note.words, note.seq, note.weight)


def _continuation(bank: Bank) -> Iterator[Probe]:
    if bank.request:
        yield Probe(ProbeKind.CONTINUATION, "What did the user say last?", bank.request.words, bank.request.seq, 1.0)
    working = in_work(bank.course.turns)
    asked = next((turn for turn in bank.course.turns if turn.seq in working), None)
    if asked and bank.request and asked.seq != bank.request.seq and not asked.command:
        yield Probe(ProbeKind.CONTINUATION, "What is being worked on?", _first_sentence(asked.words), asked.seq, 1.0)
    if bank.check:
        yield Probe(ProbeKind.CONTINUATION, "Which check was run last?", bank.check.words, bank.check.seq, 0.7)
    for item in bank.items[: MOST[ProbeKind.CONTINUATION] - 3]:
        yield Probe(ProbeKind.CONTINUATION, "What is left of the list of tasks?", item, bank.items_seq, 0.9)


def _outcomes(bank: Bank) -> Iterator[Probe]:
    """What was committed last, and the latest points of a list that are done."""
    for commit in list(bank.course.commits.values())[-1:]:
        if commit.words:
            yield Probe(ProbeKind.OUTCOME, "What was committed last?", commit.words, commit.seq, 0.8)
    done = sorted((point for point in bank.course.items.values() if point.good), key=lambda point: (-point.end, point.words))
    for point in done[: MOST[ProbeKind.OUTCOME] - 1]:
        yield Probe(ProbeKind.OUTCOME, "What of the list of tasks is done already?", point.words, point.end, 0.6)


def _artifacts(bank: Bank) -> Iterator[Probe]:
    latest = sorted(bank.files.values(), key=lambda note: (-note.count, -note.seq, note.words))[: MOST[ProbeKind.ARTIFACT]]
    for note in latest:
        often = "once" if note.count == 1 else f"{note.count} times"
        yield Probe(ProbeKind.ARTIFACT, f"Which file was changed {often}, the last time{_at(note)}?", note.words, note.seq, 0.8)


def _faults(bank: Bank) -> Iterator[Probe]:
    latest = sorted(bank.faults.values(), key=lambda note: (-note.seq, note.words))[: MOST[ProbeKind.ERROR] - MISMATCHES]
    for note in latest:
        yield Probe(ProbeKind.ERROR, f"How did `{note.about}` fail{_at(note)}?", note.words, note.seq, note.weight)

    came = [fault for fault in bank.course.faults.values() if not fault.end and compares(fault.words)]
    for fault in sorted(came, key=lambda fault: (-fault.seq, fault.words))[:MISMATCHES]:
        question = f"What did `{fault.about}` expect in message {fault.seq}, and what came?"
        yield Probe(ProbeKind.ERROR, question, fault.words, fault.seq, 0.7)


def _names(bank: Bank) -> Iterator[Probe]:
    changed = {path.rpartition("/")[2] for path in bank.files} | set(bank.files)
    known = [note for note in bank.names.values() if note.count >= RECURS and note.words.rpartition("/")[2] not in changed]
    known.sort(key=lambda note: (not note.person, -note.count, -note.seq, note.words))
    for note in known[: MOST[ProbeKind.RECALL]]:
        question = f"What returns in {note.count} messages: “{note.about.replace(note.words, BLANK)}”?"
        yield Probe(ProbeKind.RECALL, question, note.words, note.seq, 0.9 if note.person else 0.6)


def _weightiest(notes: dict[str, Note], kind: ProbeKind) -> list[Note]:
    return sorted(notes.values(), key=lambda note: (-note.weight, -note.seq, note.words))[: MOST[kind]]


def _turn_at(bank: Bank, seq: int) -> int:
    """The number of the turn that message `seq` belongs to; 0 of an earlier conversation."""
    return max((turn.seq for turn in bank.course.turns if turn.seq <= seq), default=0)


def _first_sentence(words: str) -> str:
    return _SENTENCE_END.split(words[:SENTENCE], maxsplit=1)[0].strip()


def _at(note: Note) -> str:
    return f" in message {note.seq}" if note.seq else " in an earlier conversation"
