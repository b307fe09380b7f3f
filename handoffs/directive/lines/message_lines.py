"""Lines in the words of a message: whole, in one of several lengths, as a block where they have several lines; and lines that every
directive needs."""

from __future__ import annotations

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.model import Knowledge, Quote
from continuity.knowledge.requests.points import by_points
from handoffs.budgeting.candidate import Candidate
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.blocks import block, clip_block
from handoffs.directive.lines.wording import Stated
from handoffs.directive.references import References

SHORTER = (0.6, 0.3, 0.12)  # of its length, where a whole block finds no room
HISTORY = 3  # statements of a note that tell a history, however long it is
NEARLY = 1.25  # a block that is only so much too long is told whole
# The lines without which a directive is none, in the order in which a very small budget keeps them.
ESSENTIALS = (
    "waiting",
    "next step",
    "begun",
    "unanswered",
    "goal",
    "check",
    "never checked",
    "asked",
    "reported",
    "request",
    "agreed",
    "agreed before",
    "goal is request",
    "note",
    "branch",
    "cwd",
)


def message_line(kind: SectionKind, label: str, quote: Quote, importance: float, *, seq: int | None = None) -> Candidate:
    """The quote as it is; `seq` places it elsewhere in the order of its section."""
    text = block(quote.text)
    place = quote.ref.seq if seq is None else seq
    item = PackageItem(References.message(quote.ref.seq), f"{label}@{quote.ref.seq}", text, place, 0, importance, label=label)
    return Candidate(kind, item)


def fitted_line(
    kind: SectionKind, label: str, quote: Quote, limit: int, importance: float, *, essential: bool = False, report: bool = False
) -> Candidate:
    """The quote within about `limit` characters, with shorter forms of it to fall back to; a `report` of the agent by its points."""
    text = block(quote.text)

    def short(room: int) -> str:
        return (by_points(text, room) if report else "") or clip_block(text, room)

    whole = text if len(text) <= limit * NEARLY else short(limit)
    shorter = tuple(short(max(60, int(limit * share))) for share in SHORTER if len(text) > limit * share)
    key = "goal" if label == "goal" else f"{label}@{quote.ref.seq}"
    item = PackageItem(References.message(quote.ref.seq), key, whole, quote.ref.seq, 0, importance, label=label)
    return Candidate(kind, item, essential=essential, shorter=shorter)


def detail_line(kind: SectionKind, label: str, text: str, seq: int, importance: float) -> Candidate:
    """A line about what was done, which may be left out."""
    return Candidate(kind, PackageItem(References.message(seq), f"{label}@{seq}:{text}", text, seq, 0, importance, label=label))


def retold_by_note(knowledge: Knowledge) -> Stated:
    """What the agent's own note tells of the past, to be asked whether it holds a person's words."""
    told = knowledge.note.told if knowledge.note else ()
    return Stated("\n".join(statement.text for statement in told if statement.part == "history"))


def noted_through(knowledge: Knowledge) -> int:
    """The message up to which the agent's own note tells how the work came here; -1 where none tells it, or in fewer statements than
    there were requests, up to HISTORY."""
    note = knowledge.note
    if note is None:
        return -1
    told = sum(1 for statement in note.told if statement.part == "history")
    asked = sum(1 for row in knowledge.requests if row.seq <= note.through_seq)
    return note.through_seq if told >= min(HISTORY, max(asked, 1)) else -1


def essential_line(kind: SectionKind, label: str, text: str, seq: int, *, critical: bool = False) -> Candidate:
    """A line of one of the ESSENTIALS; its label is its key."""
    importance = 1.0 - ESSENTIALS.index(label) / 100
    return Candidate(kind, PackageItem(References.message(seq), label, text, seq, 0, importance, critical, label), essential=True)


def by_itself(line: Candidate, what: str) -> Candidate:
    """The line under a key that tells it from others of its kind and message."""
    return line._replace(item=line.item._replace(key=f"{line.item.key}.{digest(what)}"))
