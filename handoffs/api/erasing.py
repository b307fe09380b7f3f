"""Erasing: a conversation, or words in it, and where that stands."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Field, Router, Schema, Status
from pydantic import AwareDatetime, ConfigDict, model_validator

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.problems import answers
from continuity.core.errors import NotFound
from continuity.models import Erasure, ErasureScope
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
    """What to erase: nothing for the whole conversation, `text` for these words wherever they stand, or `place` for one span."""

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


@router.post("/conversations/{uuid:conversation_id}/erase", auth=ADMIN, response=answers(ErasureOut, 202, 410), summary="Erase")
def erase(request: ApiRequest, conversation_id: UUID, payload: EraseIn) -> Status[Erasure]:
    """Removes the conversation, or words in it, with every copy; it can't be undone. Rows go at once, the rest within a minute.

    Ask for the job or the erasure until it is complete. Erasing a conversation twice gives the first answer again.
    """
    team, by = request.auth.team, erasing.By(request.auth.name, request.auth.user)
    if payload.text is not None:
        return Status(202, erasing.erase_words(team=team, conversation_id=conversation_id, words=payload.text, by=by))
    if payload.place is not None:
        place = erasing.Place(**payload.place.model_dump())
        return Status(202, erasing.erase_place(team=team, conversation_id=conversation_id, place=place, by=by))
    return Status(202, erasing.erase_conversation(team=team, conversation_id=conversation_id, by=by))


@router.get("/conversations/{uuid:conversation_id}/erasures", auth=READ, response=answers(list[ErasureOut]), summary="List erasures")
def list_erasures(request: ApiRequest, conversation_id: UUID) -> Status[list[Erasure]]:
    """Who erased what of a conversation, and when; at most 100, the latest first. It answers also where the conversation is gone."""
    found = Erasure.objects.filter(team=request.auth.team, conversation=conversation_id).order_by("-created_at")[:100]
    if not found:
        raise NotFound(noun="erasure")
    return Status(200, list(found))
