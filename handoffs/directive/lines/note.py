"""The handoff note as lines: the agent's own words, each statement in the section of its part. None of them ever binds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from continuity.knowledge.directive_parser.grammar import NOTED
from continuity.knowledge.handoff_note import CheckedNote, CheckedStatement, NoteVerdict
from continuity.knowledge.model import FileTouch, Knowledge, RequestKind
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.quoting import instructs
from handoffs.directive.lines.wording import one_line
from handoffs.directive.references import References

LABEL = "noted"
NEXT = "Next: "
# Section and importance of each part.
PLACES = {
    "request": (SectionKind.GOAL, 1.6),
    "now": (SectionKind.NEXT, 2.4),
    "next": (SectionKind.NEXT, 2.4),
    "remaining": (SectionKind.TASKS, 2.0),
    "rules": (SectionKind.RULES, 1.2),
    "decisions": (SectionKind.DECISIONS, 1.5),
    "broken_approaches": (SectionKind.ERRORS, 1.7),
    "history": (SectionKind.RECENT, 2.2),
    "files": (SectionKind.FACTS, 1.6),
    "lessons": (SectionKind.FACTS, 1.6),
}
# What nothing confirmed weighs beside what is known, and what was told before later changes beside what was told after them.
UNCONFIRMED, OUTDATED = 0.85, 0.5
# What is left of a note's importance when the conversation has long moved on from it, and how fast it fades.
KEPT, FADING = 0.4, 2
# Parts that tell the present: whatever happens after the note may change them.
PRESENT = frozenset(("request", "now", "next", "remaining"))
NAMED = 2  # changed files that a mark names


def note_candidates(knowledge: Knowledge, references: References) -> list[Candidate]:
    """A candidate for each statement that was not contradicted. None is critical, and what nothing confirmed is marked as a claim."""
    note = knowledge.note
    if note is None:
        return []
    age = KEPT + (1 - KEPT) * min(1.0, note.through_seq / max(1, knowledge.through_seq)) ** FADING
    went_on, changed = _went_on(knowledge, note.through_seq), _changed_since(knowledge.files, note.through_seq)
    return list(_lines(note, references, age, went_on, changed))


def tells_the_present(knowledge: Knowledge) -> bool:
    """Whether the note says what is so now and what comes next, and nothing has happened since."""
    note = knowledge.note
    if note is None or _went_on(knowledge, note.through_seq):
        return False
    return {"now", "next"} <= {statement.part for statement in note.told}


def _lines(note: CheckedNote, references: References, age: float, went_on: bool, changed: Sequence[FileTouch]) -> Iterator[Candidate]:
    """`age` is the share of their importance that the statements keep."""
    for statement in note.told:
        kind, worth = PLACES[statement.part]
        claimed = statement.verdict is not NoteVerdict.SUPPORTED
        mark = "" if statement.person else _mark(statement, note.through_seq, went_on, changed)
        worth *= age * (UNCONFIRMED if claimed else 1.0) * (OUTDATED if mark else 1.0)
        words = one_line(statement.text)
        item = PackageItem(
            references.statement(statement),
            statement.key,
            f"{NOTED}{NEXT if statement.part == 'next' and not words.startswith(NEXT) else ''}{_quoted(words)}{mark}",
            max(0, note.through_seq),
            0,
            worth,
            label=LABEL,
            claimed=claimed,
        )
        yield Candidate(kind, item, words=words)


def _quoted(words: str) -> str:
    """Words that read like an order to the reader stand in quotation marks: they are what somebody said."""
    return f"“{words.replace('“', '‘').replace('”', '’')}”" if instructs(words) else words


def _mark(statement: CheckedStatement, through: int, went_on: bool, changed: Sequence[FileTouch]) -> str:
    """What a statement older than later changes says of itself."""
    low = statement.text.lower()
    names = [name for file in changed if (name := file.path.rsplit("/", 1)[-1]) and name.lower() in low]
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        return f" (said at m{through}; {one_line(', '.join(names[:NAMED]))}{more} changed since)"
    return f" (said at m{through}; the work went on since)" if went_on and statement.part in PRESENT else ""


def _changed_since(files: Sequence[FileTouch], seq: int) -> list[FileTouch]:
    return [file for file in files if file.action.value != "read" and file.last_seq > seq]


def _went_on(knowledge: Knowledge, seq: int) -> bool:
    """Whether something was asked, changed, committed or checked after message `seq`."""
    now = knowledge.situation
    runs = (*now.checks, *((now.verification,) if now.verification else ()))
    asked = any(row.seq > seq and row.kind not in (RequestKind.SUMMARY, RequestKind.GO_ON) for row in knowledge.requests)
    done = any(run.seq > seq for run in runs) or any(commit.ref.seq > seq for commit in now.commits)
    return asked or done or bool(_changed_since(knowledge.files, seq))
