"""The rule that what the outgoing agent's note retells is told once: beside it, the record keeps to what only it can say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import ABOUT_FILE, CONTINUE, OUTCOMES
from continuity.knowledge.evidence import PartState
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import FileAction, Knowledge
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.evidence import UNWRITTEN
from handoffs.directive.lines.message_lines import noted_through
from handoffs.directive.lines.named_files import files_named, is_same_file
from handoffs.directive.lines.note import LABEL, tells_the_present
from handoffs.notes.evidence import denies

# Labels of what the note tells in its own words.
RETOLD = {
    SectionKind.LAST: frozenset(("steps", "told", "last words", "thought", "result")),
    SectionKind.GOAL: frozenset(("goal before", "offered", "work")),
    SectionKind.NEXT: frozenset(("so far", "next step", "begun", "begin", "did", "offer", "asks")),
    SectionKind.VERIFICATION: frozenset(("edit",)),
    SectionKind.TASKS: frozenset(("done", "delivery")),
    SectionKind.STATE: frozenset(("command", "also checked", "earlier commit", "looked", "tree", "outside")),
    SectionKind.RECENT: frozenset(("agent", "made", "steps", "work", "agent said", "carried")),
    SectionKind.FACTS: frozenset(("shown",)),
    SectionKind.ERRORS: frozenset(("error",)),
    SectionKind.DECISIONS: frozenset(("not",)),
}
# Labels of what is left out only where the note has its words: what a person said, asked for in particular or refused, open questions.
COMPARED = {
    SectionKind.GOAL: frozenset(("added", "answered")),
    SectionKind.LAST: frozenset(("report",)),
    SectionKind.NEXT: frozenset(("check", "failing", "unanswered")),
    SectionKind.TASKS: frozenset(("part",)),
    SectionKind.RECENT: frozenset(("user", "person said", "stopped")),
    SectionKind.STATE: frozenset(("made outside",)),
    SectionKind.DECISIONS: frozenset(("refused",)),
    SectionKind.ERRORS: frozenset(("failed",)),
    SectionKind.QUESTIONS: frozenset(("",)),
}
PLACES_OF_WORK = frozenset(("cwd", "branch"))
CHANGED = (FileAction.CREATED.value, FileAction.MODIFIED.value)
_PIPED = re.compile(r" 2>&1| \| (?:tail|head)\b[^`|]*")  # of a command what only shortens its output
OVER = tuple(f"({state.value})" for state in (PartState.DONE, PartState.DROPPED))
FAILED = f"` {OUTCOMES[False]}"
# The share of a decision's words that one statement must have to say the same, of those of a message, and of its words that all statements
# have together; words below which a message says little by itself.
SAME, TELLS, TOGETHER, FEW = 0.6, 0.4, 0.75, 3
WORDS = 60
NAMING = 10  # characters of a command by which it is known
# Lines of what a person said from which it is no mere sentence, and statements that tell how the work came here.
MANY_LINES, TOLD = 3, 3
PLAN = 600  # characters from which what a person said is a plan, or the like
# Lines of what is wanted in the person's own words, how many words of them are compared, and the share of a statement's words that they
# have where it repeats them.
ASKS = frozenset(("request", "rules"))
ASKED, ASKED_WORDS, REPEATS = frozenset(("goal", "pasted", "added", "answered", "refused")), 400, 0.75


@dataclass(frozen=True, slots=True)
class _Note:
    """The words of each statement and whether it denies, the files told of by the last part of their path, all that is said, and how many
    statements tell the history."""

    statements: Sequence[tuple[frozenset[str], bool]]
    files: Mapping[str, Sequence[str]]
    text: str
    history: int

    def names(self, refused: str) -> bool:
        """Whether a statement names the command of a call that was refused."""
        target = re.search(r"“([^”]+)”", refused)
        pieces = re.split(r"&&|\|\||[;|]|2>&1", target[1]) if target else []
        return any(len(piece.strip()) >= NAMING and piece.strip() in self.text for piece in pieces)

    def says(self, text: str, share: float) -> bool:
        """Whether a statement has so much of the words and denies as they do, or all of them have nearly all."""
        words, denied = frozenset(content(text, WORDS)), denies(text.lower())
        if any(words and len(words & told) >= share * len(words) and denies_too is denied for told, denies_too in self.statements):
            return True
        together = frozenset[str]().union(*(told for told, _ in self.statements))
        return share == TELLS and (len(words) < FEW or len(words & together) >= TOGETHER * len(words))


def without_retold(found: Sequence[Candidate], knowledge: Knowledge, reworded: Collection[str] = ()) -> list[Candidate]:
    """The candidates but for what the note says too: all that it retells while it tells the present, else what is older than it. What
    binds or was `reworded` by a person stays, and so do failed checks, open parts of the work, and what a person said that no statement
    repeats, in its place. Of code in flux that is told of which nothing says whether it was written."""
    note, fresh = knowledge.note, tells_the_present(knowledge)
    through = knowledge.through_seq if fresh else noted_through(knowledge)
    if note is None or through < 0:
        return list(found)
    told = {each.item.key for each in found if each.item.label == LABEL}
    statements = [statement for statement in note.told if statement.key in told]
    said = _Note(
        tuple((frozenset(content(each.text, WORDS)), denies(each.text.lower())) for each in statements),
        _by_last_part(name for each in statements if each.part == "files" for name in files_named(each.text)),
        "\n".join(each.text for each in statements),
        sum(each.part == "history" for each in statements),
    )

    def is_newer(line: Candidate) -> bool:
        return not fresh and not 0 < line.item.seq <= through

    def stays(line: Candidate) -> bool:
        own = line.item.label == LABEL or line.item.critical or line.item.key in reworded
        return is_newer(line) or own or not _is_retold(line, said, fresh=fresh)

    asked = content("\n".join(each.item.text for each in found if each.item.label in ASKED and each.kind is SectionKind.NEXT), ASKED_WORDS)
    wanted = {statement.key for statement in statements if statement.part in ASKS and _repeats(statement.text, frozenset(asked))}
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


def _is_retold(line: Candidate, note: _Note, *, fresh: bool) -> bool:
    item, kind = line.item, line.kind
    if item.label == "step":
        return fresh or any(state in item.text for state in OVER)
    if item.claimed:
        return True
    if item.label in PLACES_OF_WORK:
        return fresh and re.search(rf"(?<![\w./-]){re.escape(item.text)}(?![\w/-])", note.text) is not None
    if item.label == "waiting":
        return item.text == CONTINUE  # the next action says so
    if item.label == "user" and item.text.count("\n") >= MANY_LINES:
        return fresh and note.history >= TOLD  # a plan or a log, which the history sums up
    if item.label == "refused" and kind is SectionKind.DECISIONS and note.names(item.text):
        return True
    if item.label in COMPARED.get(kind, ()):
        # Beside an older note the person's words of then are told as they are.
        words = _PIPED.sub("", item.text)
        return (fresh or kind is not SectionKind.RECENT) and note.says(words, TELLS if kind is SectionKind.RECENT else SAME)
    if item.label in RETOLD.get(kind, ()):
        return UNWRITTEN not in item.text and not (kind is SectionKind.STATE and FAILED in item.text)
    if kind is SectionKind.FILES:
        path = item.text.partition(ABOUT_FILE)[0]
        told = any(is_same_file(named, path) for named in note.files.get(path.rsplit("/", 1)[-1], ()))
        return told or (bool(note.files) and item.label not in CHANGED)
    if kind is SectionKind.FACTS:
        return item.text.startswith("“")  # what a tool printed
    return kind is SectionKind.DECISIONS and item.reference.startswith("a") and note.says(item.text, SAME)
