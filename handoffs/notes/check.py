"""The check of a note: each statement is supported, uncontradicted or contradicted by what is known."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.handoff_note import CheckedNote, CheckedStatement, NoteVerdict, statement_key
from continuity.knowledge.model import Knowledge
from handoffs.directive.lines.wording import normalise
from handoffs.notes import attribution, claims
from handoffs.notes.evidence import NoteEvidence, words_of
from handoffs.notes.note import HandoffNote

# The share of a statement's content words that must be known beside its names.
KNOWN = 0.5
BY_PERSON = "A person wrote it."


def check(note: HandoffNote, knowledge: Knowledge, *, through_seq: int) -> CheckedNote:
    """The note, written when `through_seq` was the last message, held against the knowledge."""
    evidence = NoteEvidence(knowledge)
    said = enumerate(note.statements())
    found = (replace(_checked(part, text, evidence, through_seq), key=statement_key(place, part, text)) for place, (part, text) in said)
    return CheckedNote(tuple(found), through_seq)


def check_again(note: CheckedNote, knowledge: Knowledge) -> CheckedNote:
    """A note that was checked before, held against what is known now.

    What was found to be said stays said: fewer words may be known now.
    """
    evidence = NoteEvidence(knowledge)
    return replace(note, statements=tuple(_again(each, evidence, note.through_seq) for each in note.statements))


def of_person(note: CheckedNote) -> CheckedNote:
    """The note as a person wrote it: whatever is known, these are the person's words."""
    return replace(note, statements=tuple(_by_person(each) for each in note.statements))


def _by_person(statement: CheckedStatement) -> CheckedStatement:
    return replace(statement, verdict=NoteVerdict.SUPPORTED, reason=BY_PERSON, unsaid=False, person=True)


def _again(before: CheckedStatement, evidence: NoteEvidence, through_seq: int) -> CheckedStatement:
    if before.person:
        return _by_person(before)
    now = replace(_checked(before.part, before.text, evidence, through_seq), key=before.key)
    refuted = now.verdict is NoteVerdict.CONTRADICTED and not now.unsaid
    mended = before.verdict is NoteVerdict.CONTRADICTED and not before.unsaid
    return now if refuted or mended or now.verdict is NoteVerdict.SUPPORTED else before


def _checked(part: str, text: str, evidence: NoteEvidence, through_seq: int) -> CheckedStatement:
    low = text.lower()
    unfounded = attribution.unsupported_rule(text, evidence) if part == "rules" else ""
    sourced = bool(unfounded) and attribution.names_its_source(text)
    unsaid = attribution.not_from_person(part, low, evidence) or ("" if sourced else unfounded)
    passing, shown = claims.passing(part, low, evidence)
    against = (
        claims.commanding(low)
        or claims.superseded(part, through_seq, evidence)
        or unsaid
        or passing
        or claims.committed(part, low, evidence)
        or claims.finished(part, text, evidence)
        or claims.replaced(text, evidence)
        or claims.elsewhere(part, low, evidence)
    )
    if against:
        return CheckedStatement(part, text, NoteVerdict.CONTRADICTED, against, unsaid=against == unsaid)
    if sourced:
        return CheckedStatement(part, text, NoteVerdict.UNCONTRADICTED, unfounded)
    if shown or part == "rules" or evidence.stands(normalise(text)):
        return CheckedStatement(part, text, NoteVerdict.SUPPORTED)
    names = claims.names_in(text)
    strange = sorted(names - evidence.names)
    if strange:
        reason = f"Not found in what is known: {', '.join(strange[:3])}."
        return CheckedStatement(part, text, NoteVerdict.UNCONTRADICTED, reason)
    words = words_of(text)
    if names and len(words & evidence.words) >= KNOWN * len(words):
        return CheckedStatement(part, text, NoteVerdict.SUPPORTED)
    return CheckedStatement(part, text, NoteVerdict.UNCONTRADICTED, "Nothing known confirms it.")
