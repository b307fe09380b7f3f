"""Commits, and the conversations in which they came about."""

from typing import Annotated
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import MaskedText
from continuity.api.problems import answers
from continuity.services.recording import heads

router = Router(tags=["conversations"])

MOST = 60
CommitId = Annotated[str, Field(pattern="^([0-9a-f]{40}|[0-9a-f]{64})$")]


class CommitQuery(Schema):
    """Commits by their whole ids; or the conversation that one names in its message.

    `made_at` is when the first of the commits was made, `written_at` when its changes were first committed: what came later in the session
    is not told as its reason.
    """

    commit: list[CommitId] = Field(default_factory=list, max_length=MOST)
    conversation_id: UUID | None = None
    made_at: AwareDatetime | None = None
    written_at: AwareDatetime | None = None


class CommitDecisionOut(Schema):
    text: MaskedText
    rationale: MaskedText
    seq: int = Field(alias="source_seq")


class CommitReasonOut(Schema):
    """`commit` came about between the messages `after_seq` and `seq`; `before` was checked out until then, empty where the session began
    with `commit`."""

    commit: str = Field(alias="place.commit")
    before: str = Field(alias="place.before")
    after_seq: int = Field(alias="place.after_seq")
    seq: int = Field(alias="place.seq")
    conversation_id: UUID = Field(alias="place.conversation_id")
    title: MaskedText = Field(alias="place.conversation.title")
    source_tool: MaskedText = Field(alias="place.conversation.source_tool")
    request: MaskedText
    request_seq: int
    decisions: list[CommitDecisionOut]


class CommitReasonsOut(Schema):
    items: list[CommitReasonOut]


@router.get("/commits", auth=READ, response=answers(CommitReasonsOut), summary="Why commits were made")
def explain_commits(request: ApiRequest, query: Query[CommitQuery]) -> Status[dict[str, list[heads.CommitOrigin]]]:
    """For each commit the conversations in which it came about, the first named commit first: the request that it came after, and what
    was decided. A `conversation_id` that is not there is left out."""
    team = request.auth.team
    written_at = query.written_at or query.made_at
    named = query.conversation_id and heads.reason_of(team=team, conversation_id=query.conversation_id, made_at=written_at)
    return Status(200, {"items": [*([named] if named else []), *heads.reasons(team=team, commits=query.commit, made_at=query.made_at)]})
