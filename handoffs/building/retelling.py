"""What the outgoing agent's note retells is told once: beside it, the record keeps to what only it can say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from continuity.knowledge.directive_parser.grammar import ABOUT_FILE
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import Knowledge
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.message_lines import noted_through
from handoffs.directive.lines.note import LABEL, tells_the_present
from handoffs.directive.lines.wording import CLIP

# Labels of what the note tells in its own words; None: all of the section.
RETOLD = {
    SectionKind.LAST: None,
    SectionKind.GOAL: frozenset(("goal before", "offered", "answered", "added", "work")),
    SectionKind.NEXT: frozenset(("so far", "next step", "begun", "begin", "did", "offer", "pasted", "asks", "unknown")),
    SectionKind.TASKS: frozenset(("step", "done", "part", "delivery")),
    SectionKind.STATE: frozenset(("command", "also checked", "earlier commit", "tree")),
    SectionKind.RECENT: frozenset(("agent", "made", "stopped", "steps", "work", "agent said", "carried")),
    SectionKind.FACTS: frozenset(("shown",)),
    SectionKind.ERRORS: frozenset(("error",)),
    SectionKind.DECISIONS: frozenset(("not",)),
}
# The share of a decision's words that one statement must have to say the same, and of those of a message; words below which a message says
# little by itself.
SAME, TELLS, FEW = 0.6, 0.4, 3
WORDS = 60
REFUSED_WITH = "the user said “"


def without_retold(found: Sequence[Candidate], knowledge: Knowledge) -> list[Candidate]:
    """The candidates but for what the note says too: all that it retells while it tells the present, else what is older than it. What
    binds stays, and so does what a person stated that no statement repeats, in its place. Code in flux is the latest edit, where it is
    whole."""
    note, fresh = knowledge.note, tells_the_present(knowledge)
    through = knowledge.through_seq if fresh else noted_through(knowledge)
    if note is None or through < 0:
        return list(found)
    statements = [frozenset(content(statement.text, WORDS)) for statement in note.told]
    files = " ".join(statement.text for statement in note.told if statement.part == "files")

    def stays(line: Candidate) -> bool:
        newer = not fresh and not 0 < line.item.seq <= through
        own = line.item.label == LABEL or line.item.critical
        return newer or own or not _is_retold(line, statements, files, fresh=fresh)

    kept = [each for each in found if stays(each)]
    latest = max((each.item.importance for each in kept if each.item.label == "edit"), default=0.0)
    return [each for each in kept if each.item.label != "edit" or (each.item.importance == latest and CLIP not in each.item.text)]


def _is_retold(line: Candidate, statements: Iterable[frozenset[str]], files: str, *, fresh: bool) -> bool:
    labels = RETOLD.get(line.kind, frozenset())
    item = line.item
    if labels is None or item.label in labels or item.claimed:
        return True
    if line.kind is SectionKind.FILES:
        return item.text.partition(ABOUT_FILE)[0] in files
    if line.kind is SectionKind.FACTS and item.text.startswith("“"):
        return True  # what a tool printed
    if item.label == "refused":
        return REFUSED_WITH not in item.text
    if line.kind is SectionKind.RECENT:  # beside an older note the person's words of then are told as they are
        return fresh and (item.label == "person said" or CLIP in item.text or _is_said(item.text, statements, TELLS))
    return line.kind is SectionKind.DECISIONS and item.reference.startswith("a") and _is_said(item.text, statements, SAME)


def _is_said(text: str, statements: Iterable[frozenset[str]], share: float) -> bool:
    """Whether a statement has so much of the words, or too few are left to say anything."""
    words = frozenset(content(text, WORDS))
    return len(words) < FEW or any(len(words & told) >= share * len(words) for told in statements)
