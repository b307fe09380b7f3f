"""Notices of what expires soon."""

from uuid import UUID

from django.utils import timezone
from ninja import Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from continuity.models import NoticeKind
from handoffs import queries

router = Router(tags=["conversations"])


class NoticeOut(Schema):
    """`subject_id` is the conversation, or its package, that expires at `due_at`."""

    id: UUID
    kind: NoticeKind
    subject_id: UUID
    conversation_id: UUID
    due_at: AwareDatetime
    created_at: AwareDatetime


class NoticesOut(Schema):
    items: list[NoticeOut]


@router.get("/notices", auth=READ, response=answers(NoticesOut), summary="Read what expires within a day")
def list_notices(request: ApiRequest) -> Status[NoticesOut]:
    """Conversations and packages of the caller (with a key: of the team) that expire within a day, the most urgent first; at most 50."""
    found = queries.notices_for(request.auth.team, request.auth.user, timezone.now())
    return Status(200, NoticesOut(items=[NoticeOut.from_orm(each) for each in found]))
