"""Deep audits: asking for one, and what they found."""

from typing import Any
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.jobs import JobOut
from continuity.api.pages import Cut, Order, Page, PageQuery, cut, moment
from continuity.api.problems import answers
from continuity.models import Job
from diagnostics.models import AuditReport
from diagnostics.services import auditing

router = Router(tags=["audits"])

NEWEST: Order = {"created_at": moment, "id": UUID}


class AuditIn(Schema):
    handoff_id: UUID | None = Field(None, description="A package of the conversation to be held against it too.")


class AuditOut(Schema):
    """An audit of messages 1 to `through_seq`. A difference is `{of, what, key, seq}`; `differing` counts all, at most 200 are listed."""

    id: UUID
    conversation_id: UUID
    handoff_id: UUID | None
    through_seq: int
    anchors: int
    tasks: int
    files: int
    package_anchors: int
    differing: int
    differences: list[dict[str, Any]]
    duration_ms: float
    created_at: AwareDatetime


class AuditQuery(PageQuery):
    conversation_id: UUID | None = None
    differing: bool = Field(False, description="Only those that found a difference.")


@router.post("/conversations/{uuid:conversation_id}/audit", auth=ADMIN, response=answers(JobOut, 202, 410), summary="Audit a conversation")
def audit_conversation(request: ApiRequest, conversation_id: UUID, payload: AuditIn | None = None) -> Status[Job]:
    """Folds all messages again in the background and compares; ask for the job until it is done."""
    handoff_id = payload.handoff_id if payload else None
    job = auditing.submit(team=request.auth.team, conversation_id=conversation_id, handoff_id=handoff_id, created_by=request.auth.user)
    return Status(202, job)


@router.get("/audits", auth=READ, response=answers(Page[AuditOut]), summary="List audits")
def list_audits(request: ApiRequest, query: Query[AuditQuery]) -> Status[Cut]:
    """The team's audits, the newest first."""
    rows = AuditReport.objects.filter(team=request.auth.team)
    rows = rows.filter(conversation=query.conversation_id) if query.conversation_id else rows
    rows = rows.filter(differing__gt=0) if query.differing else rows
    return Status(200, cut(rows, query, NEWEST))
