"""Comparison of a package with all knowledge (what it leaves out), and with the previous package of its chain."""

from typing import Any, Literal
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.problems import answers
from handoffs.building.comparison import ComparedLine
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.models import Handoff
from handoffs.services.packages import comparison, handoffs

router = Router(tags=["handoffs"])


class DiffQuery(Schema):
    against: Literal["transcript", "previous"] = Field("transcript", description="The conversation, or the handoff before this one.")
    limit: int = Field(50, ge=1, le=500, description="Items of each kind.")


class ItemOut(Schema):
    """A line. `reference` is empty where the package never gave one; `key` names it in any case."""

    kind: SectionKind
    reference: str
    key: str
    label: str
    text: str
    seq: int
    importance: float
    critical: bool


class LeftOut(ItemOut):
    worth: float


class GoneOut(ItemOut):
    """`why` is superseded, resolved, dismissed, done, left out (it still holds) or overtaken (newer lines stand in its place)."""

    why: str
    superseded_by: str


class ChangedOut(ItemOut):
    before: str


class DiffOut(Schema):
    """Against the transcript: `left_out`, the most valuable first. Against the previous handoff: `new`, `gone`, `changed`."""

    handoff_id: UUID
    against: str
    previous_handoff_id: UUID | None = None
    left_out: list[LeftOut] = []
    left_out_total: int = 0
    new: list[ItemOut] = []
    gone: list[GoneOut] = []
    changed: list[ChangedOut] = []
    superseded: list[GoneOut] = Field(default_factory=list, description="Those of `gone` that something else took the place of.")


@router.get("/handoffs/{uuid:handoff_id}/diff", auth=READ, response=answers(DiffOut, 200, 410), summary="Compare a handoff")
def get_diff(request: ApiRequest, handoff_id: UUID, query: Query[DiffQuery]) -> Status[DiffOut]:
    """Lists what the package left out, or what changed since the previous one. An item that was left out can be pinned by its key."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    told = _of_transcript(handoff, query.limit) if query.against == "transcript" else _of_previous(handoff, query.limit)
    return Status(200, told)


def _of_transcript(handoff: Handoff, limit: int) -> DiffOut:
    lines = comparison.omitted_knowledge(handoff)
    known = set(handoff.references)
    return DiffOut(
        handoff_id=handoff.id,
        against="transcript",
        left_out=[_line(line, known) for line in lines[:limit]],
        left_out_total=len(lines),
    )


def _of_previous(handoff: Handoff, limit: int) -> DiffOut:
    previous = comparison.previous_of(handoff)
    if previous is None:
        return DiffOut(handoff_id=handoff.id, against="previous")
    found = comparison.since_previous(handoff, previous).difference
    given = {key: reference for reference, key in handoff.references.items()}
    gone = [
        GoneOut(**_item(each.kind, each.item), why=each.why, superseded_by=given.get(each.superseded_by, "")) for each in found.gone[:limit]
    ]
    return DiffOut(
        handoff_id=handoff.id,
        against="previous",
        previous_handoff_id=previous.id,
        new=[ItemOut(**_item(kind, item)) for kind, item in found.new[:limit]],
        gone=gone,
        changed=[ChangedOut(**_item(each.kind, each.after), before=hide(each.before.text)) for each in found.changed[:limit]],
        superseded=[each for each in gone if each.why == "superseded"],
    )


def _line(line: ComparedLine, known: set[str]) -> LeftOut:
    told = _item(line.kind, line.item)
    # References that this package never gave out are not kept.
    return LeftOut(**(told | {"reference": line.item.reference if _is_given(line.item.reference, known) else ""}), worth=line.worth)


def _is_given(reference: str, known: set[str]) -> bool:
    return reference.startswith("m") or reference in known


def _item(kind: SectionKind, item: PackageItem) -> dict[str, Any]:
    return {
        "kind": kind,
        "reference": item.reference,
        "key": item.key,
        "label": item.label,
        "text": hide(item.text),
        "seq": item.seq,
        "importance": item.importance,
        "critical": item.critical,
    }
