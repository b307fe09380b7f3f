"""Erasing: a conversation, or words in it, and where that stands."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Field, Router, Schema, Status
from pydantic import AwareDatetime, ConfigDict, model_validator

from continuity.accounts import roles
from continuity.accounts.roles import Permission
from continuity.api.access import ADMIN_OR_WRITE, READ, ApiRequest
from continuity.api.problems import answers
from continuity.auth import Principal
from continuity.core.errors import NotFound
from continuity.models import Erasure, ErasureScope, Scope
from continuity.services.recording import conversations
from handoffs.services.erasure import erasing

router = Router(tags=["conversations"])

Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class PlaceIn(Schema):
    """A span of the text of one part of a message, in characters; `end` is the first one that stays."""

    model_config = ConfigDict(extra="forbid")

    seq: Number
    part: Number = 0
    start: Number
    end: Number


class EraseIn(Schema):
    """The words to erase: nothing for the whole conversation, `text` for these words wherever they stand, or `place` for one span."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=erasing.LONGEST)] | None = None
    place: PlaceIn | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> "EraseIn":
        if self.text is not None and self.place is not None:
            raise ValueError("send text or place, not both")
        return self


class ErasureOut(Schema):
    """The tombstone. `removed` counts rows by table; `completed_at` is null until nothing is left outside of the database either."""

    id: UUID
    conversation: UUID
    scope: ErasureScope
    seq: int | None
    part: int | None
    start: int | None
    end: int | None
    erased_as: str
    job_id: UUID
    removed: dict[str, Any]
    created_at: AwareDatetime
    completed_at: AwareDatetime | None


@router.post(
    "/conversations/{uuid:conversation_id}/erase",
    auth=ADMIN_OR_WRITE,
    response=answers(ErasureOut, 202, 410),
    summary="Erase a conversation, or words in it",
)
def erase(request: ApiRequest, conversation_id: UUID, payload: EraseIn) -> Status[Erasure]:
    """Removes the conversation, or words in it, with every copy; it can't be undone. Rows go at once, the rest within a minute.

    Ask for the job or the erasure until it is complete. Erasing a conversation twice gives the first answer again. It takes the scope
    `admin`; a key with `write` alone may erase whole conversations of its maker, where the maker may erase.
    """
    whole = payload.text is None and payload.place is None
    if not (whole and _is_makers_own(request.auth, conversation_id)):
        request.auth.require(Scope.ADMIN)
    team, by = request.auth.team, erasing.By(request.auth.name, request.auth.user)
    if payload.text is not None:
        return Status(202, erasing.erase_words(team=team, conversation_id=conversation_id, words=payload.text, by=by))
    if payload.place is not None:
        place = erasing.Place(**payload.place.model_dump())
        return Status(202, erasing.erase_place(team=team, conversation_id=conversation_id, place=place, by=by))
    return Status(202, erasing.erase_conversation(team=team, conversation_id=conversation_id, by=by))


def _is_makers_own(principal: Principal, conversation_id: UUID) -> bool:
    """Whether a key without the scope asks for a conversation of its maker, whose role may erase: what one recorded with a key that only
    records can be forgotten with it. Raises NotFound, ConversationGone. At most one query."""
    key = principal.key
    if principal.may(Scope.ADMIN) or key is None or principal.role is None or not roles.may(principal.role, Permission.ADMIN):
        return False
    return conversations.get(team=principal.team, conversation_id=conversation_id).owner_id == key.created_by_id


@router.get("/conversations/{uuid:conversation_id}/erasures", auth=READ, response=answers(list[ErasureOut]), summary="List erasures")
def list_erasures(request: ApiRequest, conversation_id: UUID) -> Status[list[Erasure]]:
    """The erasures of a conversation: what, by whom and when; at most 100, newest first. It answers also where the conversation is gone."""
    found = Erasure.objects.filter(team=request.auth.team, conversation=conversation_id).order_by("-created_at")[:100]
    if not found:
        raise NotFound(noun="erasure")
    return Status(200, list(found))
