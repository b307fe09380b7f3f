"""Decisions whose whole content was a piece of work bind no more once it is done: beside a note that tells how the work came here, they are
history at most, and without one their lines say so."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import CARRIED_OUT
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.language.standing import is_standing
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import Anchor, AnchorType, Knowledge, Request, RequestState, Truth
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.building.evidence_agreement import HANDED_ON
from handoffs.building.note_words import TELLS, WORDS, NoteWords
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.anchors import CHOOSES, DOCUMENT, agreed_in
from handoffs.directive.lines.note import tells_the_present
from handoffs.notes.evidence import denies

WISHES = ("decision.want", "decision.lets")  # the methods of what a person wanted done
PLAN = "decision.plan"  # the method of the title of a plan that a person approved
OF_DOCUMENT = "section."  # how the methods begin of what stood under a heading of a document


def settled(knowledge: Knowledge, *, keep: Collection[str] = ()) -> Knowledge:
    """The knowledge whose decisions that were carried out don't bind any more, but for those whose keys are in `keep` and those that a
    directive handed on. Without a note on the present only those of a document whose work was committed."""
    note = knowledge.note
    if note is None or not tells_the_present(knowledge):
        return _with_documents_done(knowledge, keep)
    told = [each.text for each in note.told if each.part not in ("request", "rules")]
    said = NoteWords(tuple((frozenset(content(text, WORDS)), denies(text.lower())) for text in told), {}, "\n".join(told), 0)
    working = {row.seq for row in in_work(knowledge.requests)}
    done = [row for row in knowledge.requests if row.seq not in working and row.state is RequestState.DONE]

    def is_over(anchor: Anchor) -> bool:
        if anchor.type is not AnchorType.DECISION or not anchor.critical or anchor.key in keep or anchor.method.startswith(HANDED_ON):
            return False
        wished = anchor.method in WISHES and anchor.ref.seq in working  # the request says so itself
        return _is_agreed_and_done(anchor, done, knowledge, said) or _is_wish_come_true(anchor, done) or wished

    if not any(map(is_over, knowledge.anchors)):
        return knowledge
    return replace(knowledge, anchors=tuple(replace(each, critical=False) if is_over(each) else each for each in knowledge.anchors))


def _with_documents_done(knowledge: Knowledge, keep: Collection[str]) -> Knowledge:
    """What a document says of the design, and of the code as it was then, binds no more once its work was committed."""
    working = {row.seq for row in in_work(knowledge.requests)}
    committed = max((row.last_seq for row in knowledge.requests if row.commits and row.seq not in working), default=0)
    done = [row for row in knowledge.requests if row.seq not in working and row.state is RequestState.DONE and row.seq <= committed]

    def is_over(anchor: Anchor) -> bool:
        if anchor.type is not AnchorType.DECISION or not anchor.critical or anchor.key in keep or anchor.method.startswith(HANDED_ON):
            return False
        return anchor.method.startswith(OF_DOCUMENT) and _is_wish_come_true(anchor, done)

    if not any(map(is_over, knowledge.anchors)):
        return knowledge
    return replace(knowledge, anchors=tuple(replace(each, critical=False) if is_over(each) else each for each in knowledge.anchors))


def with_outcome(candidates: Sequence[Candidate], knowledge: Knowledge) -> list[Candidate]:
    """The lines of decisions that were carried out say it, where no note on the present tells how the work came here."""
    working = {row.seq for row in in_work(knowledge.requests)}
    done = [row for row in knowledge.requests if row.seq not in working and row.state is RequestState.DONE and (row.files or row.commits)]
    if tells_the_present(knowledge) or not done:
        return list(candidates)
    over = {
        each.key
        for each in knowledge.anchors
        if each.type is AnchorType.DECISION
        and each.critical
        and (
            agreed_in(each, knowledge.requests) in done
            or (each.method == PLAN and any(row.seq <= each.ref.seq <= row.last_seq for row in done))
            or (each.method in WISHES and _is_wish_come_true(each, done))
        )
    }
    return [
        each._replace(item=each.item._replace(text=f"{each.item.text}{CARRIED_OUT}"))
        if each.kind is SectionKind.DECISIONS and each.item.key in over and each.item.critical
        else each
        for each in candidates
    ]


def _is_agreed_and_done(anchor: Anchor, done: Collection[Request], knowledge: Knowledge, said: NoteWords) -> bool:
    """Whether the person agreed to what the agent had said, and it was carried out, or the agent's note tells it in its own words."""
    if anchor.method != ACCEPTED:
        return False
    row = agreed_in(anchor, knowledge.requests)
    return (
        (row in done and bool(row.files or row.commits))
        if row and row in done
        else said.says(anchor.text, TELLS) or said.shows(anchor.text)
    )


def _is_wish_come_true(anchor: Anchor, done: Collection[Request]) -> bool:
    """Whether the person asked for a piece of work, or gave a document on it, and it is done."""
    row = next((row for row in done if row.seq == anchor.ref.seq), None)
    if row is None or anchor.truth is not Truth.STATED or is_standing(anchor.text):
        return False
    if anchor.method.startswith(OF_DOCUMENT) or len(row.text.text) >= DOCUMENT:
        return bool(row.files or row.commits)
    return (anchor.method in WISHES or is_request(anchor.text)) and not CHOOSES.search(anchor.text)
