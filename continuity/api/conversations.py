"""Conversations: open, list, read, change, end."""

from uuid import UUID

from django.http import HttpResponse
from ninja import Query, Router, Status

from continuity.api.access import ADMIN, READ, WRITE, ApiRequest
from continuity.api.conversation_forms import ConversationChange, ConversationIn, ConversationOut, ConversationQuery
from continuity.api.idempotent import idempotent
from continuity.api.pages import Cut, Order, Page, cut, moment
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag, expected_version
from continuity.models import Conversation, Scope, within
from continuity.services.recording import conversations, sessions

router = Router(tags=["conversations"])

NEWEST: Order = {"active_at": moment, "id": UUID}


@router.post("", auth=WRITE, response=answers(ConversationOut, 201, 409, 429), summary="Open a conversation")
@idempotent
def create_conversation(request: ApiRequest, payload: ConversationIn) -> Status[ConversationOut]:
    """Opens a conversation. 429 over the team's hourly limit; 409, with its `conversation_id`, where this session is recorded already."""
    digest = payload.directive_digest if request.auth.may(Scope.HANDOFF) else ""
    about = payload.model_dump(exclude_unset=True, exclude={"directive_digest"})
    opened = sessions.open(team=request.auth.team, owner=request.auth.person, directive_digest=digest, **about)
    return Status(201, ConversationOut.from_orm(opened))


@router.get("", auth=READ, response=answers(Page[ConversationOut]), summary="List conversations")
def list_conversations(request: ApiRequest, query: Query[ConversationQuery]) -> Status[Cut]:
    """The team's conversations, those with the latest activity first."""
    rows = Conversation.objects.visible_to(request.auth.team)
    rows = rows.filter(title__icontains=query.q) if query.q else rows
    rows = rows.filter(status=query.status) if query.status else rows
    rows = rows.filter(within(query.within)) if query.within else rows
    named = {"source_tool": query.source_tool, "external_id": query.external_id, "cwd": query.cwd}
    rows = rows.filter(**{name: value for name, value in named.items() if value})
    return Status(200, cut(rows, query, NEWEST))


@router.get("/{uuid:conversation_id}", auth=READ, response=answers(ConversationOut), summary="Read a conversation")
def get_conversation(request: ApiRequest, conversation_id: UUID, response: HttpResponse) -> Status[Conversation]:
    """The conversation; `ETag` holds its version."""
    found = conversations.get(team=request.auth.team, conversation_id=conversation_id)
    response["ETag"] = etag(found.version)
    return Status(200, found)


@router.patch(
    "/{uuid:conversation_id}",
    auth=WRITE,
    response=answers(ConversationOut, 200, 410, 412),
    summary="Change a conversation",
    openapi_extra=IF_MATCH,
)
def change_conversation(
    request: ApiRequest, conversation_id: UUID, payload: ConversationChange, response: HttpResponse
) -> Status[Conversation]:
    """Changes what is sent. With `If-Match`, only where the conversation still has that version (else 412)."""
    version, changes = expected_version(request.headers.get("If-Match", "")), payload.model_dump(exclude_unset=True)
    changed = conversations.change(team=request.auth.team, conversation_id=conversation_id, changes=changes, version=version)
    response["ETag"] = etag(changed.version)
    return Status(200, changed)


@router.post("/{uuid:conversation_id}/invalidate", auth=ADMIN, response=answers(ConversationOut), summary="End a conversation at once")
def invalidate_conversation(request: ApiRequest, conversation_id: UUID) -> Status[Conversation]:
    """Ends the conversation: later messages are refused with 410. Nothing is deleted; doing it twice is doing it once."""
    return Status(200, conversations.invalidate(team=request.auth.team, conversation_id=conversation_id))
