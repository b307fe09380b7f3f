"""The rule that what the outgoing agent's note retells is told once: beside it, the record keeps to what only it can say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from continuity.core.note_parts import PRESENT
from continuity.knowledge.anchor_types import RULES
from continuity.knowledge.directive_parser.grammar import ABOUT_FILE, CONTINUE, NOTED, OUTCOMES
from continuity.knowledge.evidence import Keeping, PartState
from continuity.knowledge.language.content_words import content
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import FileAction, Knowledge, RequestKind, RequestState
from handoffs.budgeting.candidate import Candidate
from handoffs.building.note_duplicates import without_duplicates
from handoffs.building.note_words import SAME, SHORTENS, TELLS, WORDS, NoteWords
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.code import UNWRITTEN
from handoffs.directive.lines.evidence import MAY_BE_MENDED, SAID_INSTEAD
from handoffs.directive.lines.files import files_named, is_same_file
from handoffs.directive.lines.message_lines import noted_through
from handoffs.directive.lines.note import LABEL, tells_the_present, tells_the_state
from handoffs.notes.evidence import denies

# Labels of what the note tells in its own words.
RETOLD = {
    SectionKind.LAST: frozenset(("steps", "told", "told before", "last words", "thought", "result", "searched", "excerpt")),
    SectionKind.GOAL: frozenset(("goal before", "offered", "denied", "work")),
    SectionKind.NEXT: frozenset(
        (
            *("so far", "next step", "begun", "begin", "did", "asks", "owed", "in progress", "looking"),
            *("offer", "taken", "offer then", "taken then"),
            *("tree", "also checked", "not run"),
        )
    ),
    SectionKind.VERIFICATION: frozenset(("edit",)),
    SectionKind.TASKS: frozenset(("done", "delivery")),
    SectionKind.STATE: frozenset(("command", "also checked", "earlier commit", "looked", "outside")),
    SectionKind.RECENT: frozenset(("agent", "made", "steps", "work", "agent said", "carried")),
    SectionKind.FACTS: frozenset(("shown", "learned")),
    SectionKind.ERRORS: frozenset(("error",)),
    SectionKind.DECISIONS: frozenset(("not",)),
}
# Labels of what is left out only where the note has its words: what a person said, asked for in particular or refused, open questions.
COMPARED = {
    SectionKind.GOAL: frozenset(("added", "further", "answered")),
    SectionKind.LAST: frozenset(("report", "report before")),
    SectionKind.NEXT: frozenset(("further", "check", "failing", "unanswered", "made outside")),
    SectionKind.TASKS: frozenset(("part", "of document")),
    SectionKind.RECENT: frozenset(("user", "person said", "stopped")),
    SectionKind.DECISIONS: frozenset(("refused",)),
    SectionKind.ERRORS: frozenset(("failed",)),
    SectionKind.QUESTIONS: frozenset(("",)),
}
PLACES_OF_WORK = frozenset(("cwd", "branch"))
CHANGED = (FileAction.CREATED.value, FileAction.MODIFIED.value)
OVER = tuple(f"({state.value})" for state in (PartState.DONE, PartState.DROPPED))
FAILED, RAN = f"` {OUTCOMES[False]}", frozenset(("command", "also checked"))
# Lines of what a person said from which it is no mere sentence, and statements that tell how the work came here.
MANY_LINES, TOLD = 3, 3
# Messages that ask for something, and how they are over.
SAID = frozenset(("user", "further", "added"))
ASKING = frozenset((RequestKind.REQUEST, RequestKind.QUESTION, RequestKind.REPORT, RequestKind.ANSWER))
CLOSED = frozenset((RequestState.DONE, RequestState.ANSWERED, RequestState.REPLACED))
PLAN = 600  # characters from which what a person said is a plan, or the like
# Lines of what is wanted in the person's own words, how many words of them are compared, and the share of a statement's words that they
# have where it repeats them.
ASKS = frozenset(("request", "rules"))
ASKED, ASKED_WORDS, REPEATS = frozenset(("goal", "pasted", "further", "added", "answered", "refused")), 400, 0.75


def without_repeated(found: Sequence[Candidate], knowledge: Knowledge, reworded: Collection[str] = ()) -> list[Candidate]:
    """The candidates but for what the note says too: all that it retells while it tells the present, else what is older than it. What
    binds or was `reworded` by a person stays, and so do failed checks, open parts of the work, and what a person said that no statement
    repeats, in its place. Of code in flux that is told of which nothing says whether it was written."""
    note = knowledge.note
    if note is None:
        return list(found)
    fresh = tells_the_present(knowledge)
    user_spoke = not fresh and tells_the_state(knowledge)  # nothing was done since, the user only spoke
    through = knowledge.through_seq if fresh else note.through_seq if user_spoke else noted_through(knowledge)
    if through < 0:
        return list(found)
    noted = [each for each in found if each.item.label == LABEL]
    asked = [each.item.text for each in found if each.item.label in ASKED and each.kind is SectionKind.NEXT]
    parts = {statement.key: statement.part for statement in note.told}
    lines = [each for each in noted if each.item.key not in reworded and (fresh or parts[each.item.key] not in PRESENT)]
    left = without_duplicates(lines, parts, asked if fresh else ())
    found = [_with_remainder(each, left) for each in found if left.get(each.item.key, "") is not None]
    told = {each.item.key for each in noted}
    statements = [statement for statement in note.told if statement.key in told]
    of_files = [each for each in statements if each.part == "files" and left.get(each.key, "") is not None]
    over = asked_and_over(knowledge) if fresh else frozenset[int]()
    said = NoteWords(
        tuple((frozenset(content(each.text, WORDS)), denies(each.text.lower())) for each in statements),
        _by_last_part(name for each in of_files for name in files_named(each.text)),
        "\n".join(each.text for each in statements),
        sum(each.part == "history" for each in statements),
        tuple(each.text for each in statements if each.part == "now"),
        tuple(each.text for each in statements if each.part in PRESENT),
        over | _refused_in(over, knowledge),
        stated_in(over, knowledge),
        frozenset(anchor.key for anchor in knowledge.anchors if fresh and anchor.method == ACCEPTED),
        frozenset(each.path for each in knowledge.situation.changed if fresh and each.keeping is Keeping.COMMITTED),
    )

    def is_newer(line: Candidate) -> bool:
        return not (fresh or 0 < line.item.seq <= through or (user_spoke and line.item.label in ("so far", "steps")))

    def stays(line: Candidate) -> bool:
        own = line.item.label == LABEL or line.item.critical or line.item.key in reworded
        return is_newer(line) or own or not _is_retold(line, said, fresh=fresh)

    said_words = frozenset(content("\n".join(asked), ASKED_WORDS))
    wanted = {statement.key for statement in statements if statement.part in ASKS and _repeats(statement.text, said_words)}
    # Single lines of a plan that the note sums up are torn from it.
    documents = {row.seq for row in knowledge.requests if len(row.text.text) >= PLAN} if fresh else frozenset[int]()
    torn = {each.item.key for each in found if each.item.label == "person said" and each.item.seq in documents and not each.item.critical}
    return [each for each in found if stays(each) and each.item.key not in torn and not (fresh and each.item.key in wanted)]


def _by_last_part(names: Iterable[str]) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.rsplit("/", 1)[-1], []).append(name)
    return found


def _repeats(text: str, asked: frozenset[str]) -> bool:
    """Whether the note's words for what is wanted hardly add to the person's own, which stand there already."""
    words = frozenset(content(text, WORDS))
    return bool(words) and len(words & asked) >= REPEATS * len(words)


def _is_retold(line: Candidate, note: NoteWords, *, fresh: bool) -> bool:
    item, kind = line.item, line.kind
    if item.label == "parts done":
        return True
    if item.label == "step":
        return fresh or any(state in item.text for state in OVER)
    if item.claimed:
        return True
    if item.label in PLACES_OF_WORK:
        return fresh and re.search(rf"(?<![\w./-]){re.escape(item.text)}(?![\w/-])", note.text) is not None
    if item.label == "waiting":
        return item.text == CONTINUE  # the next action says so
    if fresh and _tells_present(line, note):
        return True
    if (item.seq in note.over and item.label in SAID and kind in (SectionKind.RECENT, SectionKind.GOAL)) or item.key in note.torn:
        return True
    if item.label == "whole":
        return fresh and note.shows(item.text)  # what is wanted stands in *Now*
    if item.label == "user" and item.text.count("\n") >= MANY_LINES:
        return fresh and note.history >= TOLD  # a plan or a log, which the history sums up
    if item.label == "refused" and item.seq in note.over and SAID_INSTEAD in item.text:
        return True  # what the person said instead is what the request came to
    if item.label == "refused" and (fresh or kind is SectionKind.DECISIONS) and note.names(item.text):
        return True
    if item.label in COMPARED.get(kind, ()):
        # Beside an older note the person's words of then are told as they are.
        words = SHORTENS.sub("", item.text)
        loosely = kind is SectionKind.RECENT or (fresh and item.label == "part")
        told = note.says(words, TELLS if loosely else SAME) or (fresh and item.label == "part" and note.shows(words))
        return (fresh or kind is not SectionKind.RECENT) and told
    if item.label == "misused":
        return fresh and note.tells_misuse(item.text)
    if item.label in RETOLD.get(kind, ()):
        return UNWRITTEN not in item.text and not (item.label in RAN and FAILED in item.text)
    if kind is SectionKind.FILES:
        path = item.text.partition(ABOUT_FILE)[0]
        told = any(is_same_file(named, path) for named in note.files.get(path.rsplit("/", 1)[-1], ()))
        return told or (bool(note.files) and (item.label not in CHANGED or path in note.committed))
    if kind is SectionKind.FACTS:
        return item.text.startswith("“")  # what a tool printed
    agreed = item.key in note.agreed and note.shows(item.text)
    return kind is SectionKind.DECISIONS and item.reference.startswith("a") and (agreed or note.says(item.text, SAME))


def _tells_present(line: Candidate, note: NoteWords) -> bool:
    """Whether the note on the present tells of a run, a call, a failure, a merge, a paste, a task or a commit in its own way."""
    item = line.item
    if line.kind is SectionKind.NEXT:
        if item.label in ("check", "also checked"):
            return note.tells_run(item.text)
        if item.label == "never checked":
            return note.tells_unchecked()
        if item.label == "unanswered":
            return note.tells_unseen(item.text)
        if item.label == "failing":
            return MAY_BE_MENDED in item.text and note.tells_failing(item.text)
        if item.label == "merging":
            command = item.text.partition("`")[2].partition("`")[0].split()
            return bool(command) and any(command[-1] in each for each in note.now)
        if item.label == "commit":
            return bool(item.text.split()) and item.text.split()[0] in note.text
        return item.label == "pasted" and note.shows(item.text)
    if line.kind is SectionKind.TASKS and item.label == "open":
        return note.tells_task(item.text.partition(" (")[0])
    return line.kind is SectionKind.STATE and item.label == "also checked" and note.tells_run(item.text)


def asked_and_over(knowledge: Knowledge) -> frozenset[int]:
    """The messages of the person that ask for something and are over, but for the latest: the note's history tells what came of each,
    where it has as many statements as there were requests before the latest, or several."""
    note = knowledge.note
    told = sum(statement.part == "history" for statement in note.told) if note else 0
    if told < max(1, min(TOLD, len(knowledge.requests) - 1)):
        return frozenset()
    return frozenset(row.seq for row in knowledge.requests[:-1] if row.kind in ASKING and row.state in CLOSED)


def _refused_in(over: Collection[int], knowledge: Knowledge) -> frozenset[int]:
    """The messages with which calls were refused while requests were worked on that are over."""
    spans = [(row.seq, row.last_seq) for row in knowledge.requests if row.seq in over]
    return frozenset(each.seq for each in knowledge.situation.refusals if any(first <= each.seq <= last for first, last in spans))


def stated_in(over: Collection[int], knowledge: Knowledge) -> frozenset[str]:
    """The keys of what was said in messages that are over: by itself it would be torn from them. What binds, or rules, is none of it."""
    return frozenset(each.key for each in knowledge.anchors if each.type not in RULES and each.ref.seq in over)


def _with_remainder(line: Candidate, left: Mapping[str, str | None]) -> Candidate:
    """A statement of the note with what of it is told nowhere else."""
    text = left.get(line.item.key)
    if text is None:
        return line
    return line._replace(item=line.item._replace(text=text), words=text.removeprefix(NOTED).rstrip(" ."))
