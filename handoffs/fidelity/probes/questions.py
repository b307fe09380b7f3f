"""The questions that a bank asks: the weightiest of each kind, a fixed number at most."""

from __future__ import annotations

from collections.abc import Iterator

from handoffs.fidelity.probes.bank import Bank, Note
from handoffs.fidelity.probes.model import Probe, ProbeKind

MOST = {
    ProbeKind.RECALL: 8,
    ProbeKind.ARTIFACT: 8,
    ProbeKind.DECISION: 10,
    ProbeKind.CONTINUATION: 10,
    ProbeKind.CONSTRAINT: 12,
    ProbeKind.ERROR: 4,
}
# A name that returns in so many messages is one that the work goes on about.
RECURS = 4
BLANK = "___"


def questions(bank: Bank) -> tuple[Probe, ...]:
    """At most 52 questions, by kind, the weightiest first."""
    return (
        *_constraints(bank),
        *_decisions(bank),
        *_continuation(bank),
        *_artifacts(bank),
        *_faults(bank),
        *_names(bank),
    )


def _constraints(bank: Bank) -> Iterator[Probe]:
    for note in _weightiest(bank.rules, ProbeKind.CONSTRAINT):
        what = "What did the user rule out" if note.weight == 1.0 else "What did the user ask to be kept to"
        yield Probe(ProbeKind.CONSTRAINT, f"{what}{_at(note)}?", note.words, note.seq, note.weight)


def _decisions(bank: Bank) -> Iterator[Probe]:
    for note in _weightiest(bank.choices, ProbeKind.DECISION):
        question = note.about or f"What did the user settle{_at(note)}?"
        yield Probe(ProbeKind.DECISION, question, note.words, note.seq, note.weight)


def _continuation(bank: Bank) -> Iterator[Probe]:
    if bank.request:
        yield Probe(ProbeKind.CONTINUATION, "What did the user say last?", bank.request.words, bank.request.seq, 1.0)
    if bank.check:
        yield Probe(ProbeKind.CONTINUATION, "Which check was run last?", bank.check.words, bank.check.seq, 0.7)
    for item in bank.items[: MOST[ProbeKind.CONTINUATION] - 2]:
        yield Probe(ProbeKind.CONTINUATION, "What is left of the list of tasks?", item, bank.items_seq, 0.9)


def _artifacts(bank: Bank) -> Iterator[Probe]:
    latest = sorted(bank.files.values(), key=lambda note: (-note.count, -note.seq, note.words))[: MOST[ProbeKind.ARTIFACT]]
    for note in latest:
        often = "once" if note.count == 1 else f"{note.count} times"
        yield Probe(ProbeKind.ARTIFACT, f"Which file was changed {often}, the last time{_at(note)}?", note.words, note.seq, 0.8)


def _faults(bank: Bank) -> Iterator[Probe]:
    latest = sorted(bank.faults.values(), key=lambda note: (-note.seq, note.words))[: MOST[ProbeKind.ERROR]]
    for note in latest:
        yield Probe(ProbeKind.ERROR, f"How did `{note.about}` fail{_at(note)}?", note.words, note.seq, note.weight)


def _names(bank: Bank) -> Iterator[Probe]:
    changed = {path.rpartition("/")[2] for path in bank.files} | set(bank.files)
    known = [note for note in bank.names.values() if note.count >= RECURS and note.words.rpartition("/")[2] not in changed]
    known.sort(key=lambda note: (not note.person, -note.count, -note.seq, note.words))
    for note in known[: MOST[ProbeKind.RECALL]]:
        question = f"What returns in {note.count} messages: “{note.about.replace(note.words, BLANK)}”?"
        yield Probe(ProbeKind.RECALL, question, note.words, note.seq, 0.9 if note.person else 0.6)


def _weightiest(notes: dict[str, Note], kind: ProbeKind) -> list[Note]:
    return sorted(notes.values(), key=lambda note: (-note.weight, -note.seq, note.words))[: MOST[kind]]


def _at(note: Note) -> str:
    return f" in message {note.seq}" if note.seq else " in an earlier conversation"
