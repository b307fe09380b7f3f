"""The handoff note as lines: the agent's own words, each statement in the section of its part. None of them ever binds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from continuity.core.note_parts import PARTS, PRESENT
from continuity.knowledge.directive_parser.grammar import NOTED
from continuity.knowledge.handoff_note import CheckedNote, CheckedStatement, NoteVerdict
from continuity.knowledge.model import FileTouch, Knowledge, RequestKind
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.files import files_named, is_same_file
from handoffs.directive.lines.message_lines import detail_line
from handoffs.directive.lines.quoting import instructs
from handoffs.directive.lines.wording import one_line, one_line_with_code
from handoffs.directive.references import References

LABEL = "noted"
WRITTEN, WRITTEN_WORTH = "noted at", 0.97  # the line that says when a note was written that tells the present of then
NEXT, NEXT_AFTER = "Next: ", "Next, once the user has spoken: "
FIRST_NEXT = 2.0  # what the first of the next actions weighs beside the others, which are of no use without it
_OF_USER = re.compile(r"\b(?:users?|ask|answers?|wait|confirm|approv\w+)\b", re.I)
_SAID = re.compile(r"^(?:the )?(?:user|person)(?: said)?: ", re.I)  # before words that a line of the person's own may say too
LEADING = 120  # characters in which an action says that it is about the user
_UNCOMMITTED = re.compile(
    r"\b(?:uncommitted|not (?:yet )?committed|nothing (?:\w+ ){0,2}(?:committed|staged)|committed nothing|no commits?)\b", re.I
)
_COMMITTED = re.compile(r"(?<![\w./-])committed(?![\w/-]|\.\w)", re.I)
_COMMITS = re.compile(r"\bgit(?: -[cC] \S+)* commit\b")
_ALL = re.compile(
    r"\beverything\b|\bevery (?:change|edit|fix|file)\b"
    r"|\ball (?:of (?:it|this|that)|(?:(?:my|the|these|its) )?(?:changes|edits|fixes|files|work))\b"
    r"|\bnothing (?:(?:is|was|has been) )?(?:yet )?(?:committed|staged)\b|\bcommitted nothing"
    r"|\bno commits?(?: (?:or|and) \w+)? (?:(?:was|were|has been|have been) )?(?:made|done|created)\b",
    re.I,
)
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
    "files": (SectionKind.FILES, 1.6),
    "lessons": (SectionKind.FACTS, 1.6),
}
# What is wanted stands first in *Now*, then what comes next, then how things are.
ORDER = {"request": 1, "next": 2, "now": 3}
UNCOMMITTED_IN = frozenset(("now", "files"))
WANTED_NOW = (SectionKind.NEXT, 2.5)  # the place of what is wanted while the note tells the present
# What nothing confirmed weighs beside what is known, and what was told before later changes beside what was told after them.
UNCONFIRMED, OUTDATED = 0.85, 0.5
# What is left of a note's importance when the conversation has long moved on from it, and how fast it fades.
KEPT, FADING = 0.4, 2
# A word in angle brackets that stands for a name, and is no tag by which somebody is addressed.
_PLACEHOLDER = re.compile(
    r"<(?![\w./ -]*(?:system|remind|instruct|assist|human|user|tool|command|function|prompt|admin))[\w./ -]{1,40}>", re.I
)
# A pointer to another part of the note, whose names a directive has not: "(see now)".
_POINTS = re.compile(rf"\s*\((?:see|cf\.?|siehe|voir)(?: also)?:? [\"“'`]?(?:{'|'.join(PARTS)})[\"”'`]?(?: (?:above|below))?\)", re.I)
NAMED = 4  # changed files that are named
SPOKEN = "the user has spoken since"


def note_candidates(knowledge: Knowledge, references: References) -> list[Candidate]:
    """A candidate for each statement that was not contradicted. None is critical, and what nothing confirmed is marked as a claim."""
    note = knowledge.note
    if note is None:
        return []
    age = KEPT + (1 - KEPT) * min(1.0, note.through_seq / max(1, knowledge.through_seq)) ** FADING
    went_on, changed = _went_on(knowledge, note.through_seq), _changed_since(knowledge.files, note.through_seq)
    places = {**PLACES, "request": WANTED_NOW} if tells_the_present(knowledge) else PLACES
    found = list(_lines(note, references, places, age, went_on, changed, waiting=bool(knowledge.situation.waiting)))
    if found and went_on:
        since = SPOKEN if tells_the_state(knowledge) else _since(changed)
        line = f"m{max(0, note.through_seq)}; {since}"
        found.append(detail_line(SectionKind.NEXT, WRITTEN, line, note.through_seq, WRITTEN_WORTH))
    return found


def is_action(item: PackageItem) -> bool:
    """Whether a line tells a next action by the agent's note."""
    return item.label == LABEL and item.text.removeprefix(NOTED).startswith((NEXT, NEXT_AFTER))


def noted_uncommitted(knowledge: Knowledge, paths: Sequence[str]) -> frozenset[str]:
    """Of `paths` those that the agent's note on the present says are not committed, or that a commit without a result was to take in, which
    is told with that call."""
    note = knowledge.note
    if note is None or not tells_the_state(knowledge):
        return frozenset()
    if any(_COMMITS.search(quote.text) for quote in knowledge.situation.unanswered):
        return frozenset(paths)
    told = [each.text for each in note.told if each.part in UNCOMMITTED_IN and _UNCOMMITTED.search(each.text)]
    if any(_ALL.search(text) for text in told):
        return frozenset(paths)
    return frozenset(path for path in paths if any(path.rsplit("/", 1)[-1] in text for text in told))


def noted_committed(knowledge: Knowledge, paths: Sequence[str]) -> frozenset[str]:
    """Of `paths` those of which the agent's note on the present says that they are committed, and nothing contradicts it: a person may have
    committed them elsewhere."""
    note = knowledge.note
    if note is None or not tells_the_present(knowledge):
        return frozenset()
    told = [each.text for each in note.told if each.part == "files" and _COMMITTED.search(each.text) and not _UNCOMMITTED.search(each.text)]
    named = [name for text in told for name in files_named(text)[:1]]  # which the statement is about
    return frozenset(path for path in paths if any(is_same_file(name, path) for name in named))


def tells_the_present(knowledge: Knowledge) -> bool:
    """Whether the note says what is so now and what comes next, and nothing has happened since."""
    note = knowledge.note
    return note is not None and tells_the_state(knowledge) and not _went_on(knowledge, note.through_seq)


def tells_the_state(knowledge: Knowledge) -> bool:
    """Whether the note says how things are and what comes next, and since then somebody spoke at most: the work stands as it tells."""
    note = knowledge.note
    if note is None or _was_done(knowledge, note.through_seq):
        return False
    return {"now", "next"} <= {statement.part for statement in note.told}


def _lines(
    note: CheckedNote,
    references: References,
    places: Mapping[str, tuple[SectionKind, float]],
    age: float,
    went_on: bool,
    changed: Sequence[FileTouch],
    *,
    waiting: bool,
) -> Iterator[Candidate]:
    """`age` is the share of their importance that the statements keep."""
    first = next((statement for statement in note.told if statement.part == "next"), None)
    for statement in note.told:
        kind, worth = places[statement.part]
        claimed = statement.verdict is not NoteVerdict.SUPPORTED
        if claimed and kind is SectionKind.RULES:
            kind = SectionKind.FACTS  # it may be so, and nobody is known to have laid it down
        outdated = went_on and not statement.person and _is_outdated(statement, changed)
        worth *= age * (OUTDATED if outdated else 1.0)
        worth *= FIRST_NEXT if statement is first else UNCONFIRMED if claimed else 1.0
        words = one_line_with_code(_POINTS.sub("", statement.text))
        item = PackageItem(
            references.statement(statement),
            statement.key,
            f"{NOTED}{_lead(statement, words, waiting=waiting)}{_quoted(words)}",
            max(0, note.through_seq),
            0,
            worth,
            label=LABEL,
            claimed=claimed,
        )
        yield Candidate(kind, item, words=_SAID.sub("", words).rstrip(" ."), start=ORDER.get(statement.part, 0))


def _lead(statement: CheckedStatement, words: str, *, waiting: bool) -> str:
    if statement.part != "next" or words.startswith(NEXT):
        return ""
    return NEXT_AFTER if waiting and not _OF_USER.search(words[:LEADING]) else NEXT


def _quoted(words: str) -> str:
    """Words that read like an order to the reader stand in quotation marks: they are what somebody said."""
    return f"“{words.replace('“', '‘').replace('”', '’')}”" if instructs(_PLACEHOLDER.sub("", words)) else words


def _since(changed: Sequence[FileTouch]) -> str:
    """What happened since the note was written."""
    names = list(dict.fromkeys(one_line(file.path.rsplit("/", 1)[-1]) for file in changed))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"since then {', '.join(names[:NAMED])}{more} changed" if names else "the work went on since"


def _is_outdated(statement: CheckedStatement, changed: Sequence[FileTouch]) -> bool:
    """Whether it tells the present of then, or names a file that changed since."""
    low = statement.text.lower()
    return statement.part in PRESENT or any(file.path.rsplit("/", 1)[-1].lower() in low for file in changed)


def _changed_since(files: Sequence[FileTouch], seq: int) -> list[FileTouch]:
    return [file for file in files if file.action.value != "read" and file.last_seq > seq]


def _went_on(knowledge: Knowledge, seq: int) -> bool:
    """Whether something was asked, changed, committed or checked after message `seq`."""
    asked = any(row.seq > seq and row.kind not in (RequestKind.SUMMARY, RequestKind.GO_ON) for row in knowledge.requests)
    return asked or _was_done(knowledge, seq)


def _was_done(knowledge: Knowledge, seq: int) -> bool:
    """Whether something was changed, committed or checked after message `seq`."""
    now = knowledge.situation
    runs = (*now.checks, *((now.verification,) if now.verification else ()))
    done = any(run.seq > seq for run in runs) or any(commit.ref.seq > seq for commit in now.commits)
    return done or bool(_changed_since(knowledge.files, seq))
