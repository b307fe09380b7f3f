"""A package from what is known and what the budget chose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from continuity.knowledge.directive_parser.grammar import UNDERTAKEN
from continuity.knowledge.model import FileAction, Knowledge, TaskStatus
from handoffs.budgeting.budget import Selection
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.building.note_overlap import without_repeated
from handoffs.building.overtaken_words import with_marks
from handoffs.building.settled_decisions import with_outcome
from handoffs.building.whole_lists import with_whole_lists
from handoffs.contract.model import BudgetPlan, Metadata, Options, Package, PackageItem, PackageSection, SectionKind
from handoffs.directive.directive import directive_of
from handoffs.directive.line_overrides import UNSTEERED, Steering
from handoffs.directive.lines.anchors import anchor_candidates
from handoffs.directive.lines.checks import check_candidates
from handoffs.directive.lines.coming.called_steps import called_candidates, never_tried
from handoffs.directive.lines.coming.next_steps import next_candidates
from handoffs.directive.lines.coming.to_do import nothing_open, to_do_candidates, with_move
from handoffs.directive.lines.delivery import delivery_candidates
from handoffs.directive.lines.evidence import evidence_candidates
from handoffs.directive.lines.files import file_candidates, file_key
from handoffs.directive.lines.goal import goal_candidates, goal_of
from handoffs.directive.lines.last_words import last_words_candidates
from handoffs.directive.lines.note import LABEL as NOTE_LABEL
from handoffs.directive.lines.note import note_candidates
from handoffs.directive.lines.request_parts import brief_candidates
from handoffs.directive.lines.request_steps import learned_candidates
from handoffs.directive.lines.requests.absences import absence_candidates
from handoffs.directive.lines.requests.open_question import with_found
from handoffs.directive.lines.requests.plan_steps import plan_candidates
from handoffs.directive.lines.requests.work_list import with_work_list
from handoffs.directive.lines.tasks import task_candidates
from handoffs.directive.lines.work_place import CHECKED, STATUS, work_place_candidates
from handoffs.directive.past.errors import error_candidates
from handoffs.directive.past.findings import about_the_request
from handoffs.directive.past.history import history_candidates
from handoffs.directive.past.read_code import excerpt_candidates
from handoffs.directive.past.undone import without_undone
from handoffs.directive.references import References
from handoffs.directive.summary import compacted_summary

# Within a section, lines of these labels come in this order; lines of other labels come first.
LABEL_ORDER = (
    *(
        "goal before",
        "whole",
        "user",
        "chose",
        "carried",
        "offered",
        "denied",
        "offer",
        "taken",
        "goal",
        "pasted",
        "offer then",
        "taken then",
        "further",
        "refused",
        "answered",
        "added",
        "person said",
        "agent",
        "made",
        "stopped",
        "agent said",
        "asks",
        "owed",
        "planning",
        "belongs to",
        "so far",
        "not opened",
        "steps",
        "work",
        "noted at",
        NOTE_LABEL,
    ),
    *("unsolved", "error", "failed", "solved", "misused"),
    *("request", "agreed", "agreed before", "goal is request", "reported", "asked", "waiting", "note"),
    *("told before", "told", "thought", "result", "last words", "weighed", "found", "excerpt", "searched"),
    *(action.value for action in FileAction),
    *("items", "plan", "done", "parts done", "step", "open", "promise", UNDERTAKEN, "part", "of document", "untested", "delivery"),
    *("earlier commit", "outside", "command", "looked", "running"),
    *CHECKED,
    *("edit", "change", "sketch", "sketched", "changed before"),
    *STATUS,
    *(
        "sent",
        "unanswered",
        "looking",
        "run again",
        "to do",
        "begun",
        "in progress",
        "next step",
        "begin",
        "instructed",
        "plan left",
        "to end",
    ),
    *("left out", "identifiers"),
)

# Sections that tell what came one after another, whatever the labels.
IN_ORDER = frozenset({SectionKind.GOAL, SectionKind.RECENT})

Place = tuple[int, str, int, int, int, str]
_LABEL_PLACES = {label: place for place, label in reversed(list(enumerate(LABEL_ORDER, start=1)))}


def candidates_of(knowledge: Knowledge, options: Options, limits: LineLimits, steering: Steering = UNSTEERED) -> list[Candidate]:
    """Every line that a package might hold, each within the limits, as people set them."""
    references = References(knowledge, steering.references)
    knowledge = without_undone(knowledge)
    found = [
        *goal_candidates(knowledge, limits),
        *anchor_candidates(knowledge, references, limits),
        *task_candidates(knowledge, references, limits),
        *brief_candidates(knowledge, limits),
        *file_candidates(knowledge, references),
        *last_words_candidates(knowledge, limits),
        *history_candidates(knowledge, limits),
        *((*about_the_request(knowledge), *learned_candidates(knowledge)) if limits.earlier else ()),
        *work_place_candidates(knowledge, limits),
        *check_candidates(knowledge, limits),
        *error_candidates(knowledge, limits),
        *evidence_candidates(knowledge, limits),
        *absence_candidates(knowledge, limits),
        *excerpt_candidates(knowledge, limits),
        *delivery_candidates(knowledge),
        *never_tried(knowledge),
        *nothing_open(knowledge),
        *with_move(
            [
                *next_candidates(knowledge, options, limits),
                *to_do_candidates(knowledge, options, limits),
                *called_candidates(knowledge, limits),
                *plan_candidates(knowledge),
            ],
            knowledge,
        ),
        *note_candidates(knowledge, references),
    ]
    told = with_found(with_work_list(found, knowledge, limits), knowledge, limits)
    told = with_whole_lists(told, knowledge)
    return without_repeated(steering.applied(with_outcome(with_marks(told, knowledge), knowledge)), knowledge, steering.reworded)


def sections_of(selection: Selection) -> tuple[PackageSection, ...]:
    """The chosen lines by section, each in its order."""
    dropped = [candidate.kind for candidate in selection.dropped]
    chosen = grouped(selection.chosen)
    return tuple(PackageSection(kind, in_order(chosen.get(kind, [])), dropped.count(kind)) for kind in SectionKind)


def grouped(candidates: Iterable[Candidate]) -> dict[SectionKind, list[Candidate]]:
    """The candidates by section, without sections that have none."""
    found: dict[SectionKind, list[Candidate]] = {}
    for candidate in candidates:
        found.setdefault(candidate.kind, []).append(candidate)
    return found


def in_order(chosen: Sequence[Candidate]) -> tuple[PackageItem, ...]:
    """The items of one section: in the order of the conversation, files by action and path, next things last."""
    return tuple(candidate.item for candidate in sorted(chosen, key=place))


def assemble(
    knowledge: Knowledge,
    options: Options,
    selection: Selection,
    *,
    held_by: Mapping[str, str],
    used: int,
    critical_exceed: bool,
    now: datetime,
    handoff_id: str,
    conversation_id: str,
) -> Package:
    """The package of a selection whose directive takes `used` tokens, with the rows behind its lines and behind what they hold."""
    sections = sections_of(selection)
    chosen = {candidate.item.key for candidate in selection.chosen}
    keys = chosen | {key for key, holder in held_by.items() if holder in chosen}
    summary = compacted_summary(knowledge)
    return Package(
        handoff_id=handoff_id,
        conversation_id=conversation_id,
        compacted_summary=summary,
        anchors=tuple(anchor for anchor in knowledge.anchors if anchor.key in keys),
        tasks=tuple(sorted((task for task in knowledge.tasks if task.key in keys), key=lambda task: task.status is TaskStatus.COMPLETED)),
        files=tuple(file for file in knowledge.files if file_key(file) in keys),
        situation=replace(knowledge.situation, objective=goal_of(knowledge)),
        metadata=Metadata(now, knowledge.tokens, used, options.trigger_reason),
        directive=directive_of(sections, summary, options),
        sections=sections,
        plan=BudgetPlan(
            target=options.budget,
            used=used,
            by_section={section.kind.value: sum(item.tokens for item in section.items) for section in sections if section.items},
            exceeded_by_critical=critical_exceed,
            scaffold=selection.scaffold,
        ),
        through_seq=knowledge.through_seq,
        options=options,
        note=knowledge.note,
    )


def place(candidate: Candidate) -> Place:
    """Where a line stands in its section; references number the anchors of one message in their order."""
    item = candidate.item
    label = _LABEL_PLACES.get(item.label, 0)
    if item.label == NOTE_LABEL:
        # What the person said before, of which the note does not tell, stands before its history.
        seq = item.seq if candidate.kind is SectionKind.RECENT else candidate.start
        return 0 if candidate.kind in IN_ORDER else label, "", seq, int(item.reference[1:] or 0), 0, item.key
    if candidate.kind in IN_ORDER:
        return 0, "", item.seq, label, candidate.start, item.key
    path = item.text if candidate.kind is SectionKind.FILES else ""
    return label, path, item.seq, int(item.reference[1:] or 0), 0, item.key
