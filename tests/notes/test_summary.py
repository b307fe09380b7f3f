"""A tool's own summary as a note: by its headings, up to its place, checked like any other."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge import FoldState, InMemoryStore, fold
from continuity.knowledge.handoff_note import NoteVerdict
from continuity.knowledge.model import Knowledge, Quote, Ref, Request, RequestKind
from handoffs.notes import summary
from tests.words import answered, compacted, said

SUMMARY = """This session is being continued from a previous conversation. The summary:

1. Primary Request and Intent:
   The user asked to keep tabs in the importer.
2. Key Technical Concepts:
   - The lexer reads whole lines.
3. Errors and fixes:
   - A regular expression dropped the tabs; replaced by a scanner.
6. All user messages:
   - "Please keep tabs in the importer."
7. Pending Tasks:
   - Write the documentation of the importer.
8. Current Work:
   All tests pass after the scanner was added.
9. Optional Next Step:
   Run the importer on the sample file.
"""


def test_it_works() -> None:
    note = summary.read(SUMMARY)
    assert note is not None
    assert dict(note.statements()) == {
        "request": "The user asked to keep tabs in the importer.",
        "lessons": "The lexer reads whole lines.",
        "broken_approaches": "A regular expression dropped the tabs; replaced by a scanner.",
        "history": "Please keep tabs in the importer.",
        "remaining": "Write the documentation of the importer.",
        "now": "All tests pass after the scanner was added.",
        "next": "Run the importer on the sample file.",
    }


def test_prose_without_headings_is_history() -> None:
    note = summary.read("The importer was rewritten. The tabs are kept now.")
    assert note is not None
    assert list(note.statements()) == [("history", "The importer was rewritten."), ("history", "The tabs are kept now.")]


def test_an_empty_summary_is_none() -> None:
    assert summary.read("") is None
    assert summary.read("## Pending Tasks\n") is None


def test_it_is_written_at_its_place_and_checked() -> None:
    memory = InMemoryStore()
    messages = [
        said("Please keep tabs in the importer."),
        compacted(SUMMARY),
        said("Now write the docs of the lexer."),
        answered("I will."),
    ]
    folded = fold(FoldState(), enumerate(messages, 1))
    memory.apply(folded.changes)
    note = summary.note_of(memory.knowledge(folded.state, tokens=100))
    assert note is not None
    assert note.through_seq == 2
    verdicts = {each.part: each.verdict for each in note.statements}
    assert verdicts["next"] is NoteVerdict.CONTRADICTED
    assert "history" in verdicts


def test_a_predecessors_summary_is_no_note_of_this_conversation() -> None:
    row = Request(-144, RequestKind.SUMMARY, Quote(SUMMARY, Ref(0)), -144)
    assert summary.note_of(Knowledge(requests=(row,))) is None
    assert summary.note_of(Knowledge(requests=(replace(row, seq=144),))) is not None


def test_a_huge_summary_is_bounded() -> None:
    note = summary.read("## Pending Tasks\n" + "".join(f"- Task number {number} of the importer {'x' * 900}\n" for number in range(5000)))
    assert note is not None
    assert len(note.remaining) <= 30
    assert max(map(len, note.remaining)) <= 500
