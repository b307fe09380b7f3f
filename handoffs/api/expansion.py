"""Expands a short reference of a package."""

from typing import Any
from uuid import UUID

from ninja import Field, Query, Router, Schema, Status

from continuity.api.access import READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.problems import answers
from handoffs.api.forms.messages import MessageOut
from handoffs.services.chains import receipts
from handoffs.services.packages import expansion, handoffs
from handoffs.services.packages.expansion import Depth, ExpandedReference

router = Router(tags=["handoffs"])


class ExpandQuery(Schema):
    ref: str = Field(max_length=12, description="`a12` an anchor, `t3` a task, `f2` a file, `m17` a message; also with `#`.")
    level: Depth = Field(Depth.BRIEF, description="verbatim gives the whole message and the turns around it.")


class SourceOut(Schema):
    """The message that an item came from, which may be a predecessor's."""

    conversation_id: UUID
    seq: int


class ExpandedOut(Schema):
    """The item as the package has it (`text`), what is known of it now (`record`, with CONT-01's names), and its source."""

    handoff_id: UUID
    reference: str
    level: Depth
    kind: str
    text: str
    moved_since: bool = Field(description="Whether a successor's receipt says that the files it speaks of changed since the package.")
    record: dict[str, Any] = Field(description="Empty at level brief.")
    source: SourceOut | None = Field(description="null for what no message says, such as an item added by hand.")
    excerpt: str = Field(description="Of the source message; empty at level verbatim.")
    messages: list[MessageOut] = Field(description="At level verbatim: the source message and the turns around it, secrets masked.")


@router.get("/handoffs/{uuid:handoff_id}/expand", auth=READ, response=answers(ExpandedOut, 200, 410), summary="Expand a reference")
def expand_reference(request: ApiRequest, handoff_id: UUID, query: Query[ExpandQuery]) -> Status[dict[str, Any]]:
    """The source that a reference in a directive stands for: brief, detailed, or verbatim with the surrounding turns."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    found = expansion.expand(handoff=handoff, ref=query.ref, level=query.level)
    moved = receipts.moved_since(handoff=handoff, reference=found.reference)
    return Status(200, _expanded_fields(found, query.level) | {"handoff_id": handoff.id, "moved_since": moved})


def _expanded_fields(found: ExpandedReference, level: Depth) -> dict[str, Any]:
    """The fields of `ExpandedOut`, which masks the messages."""
    return {
        "reference": found.reference,
        "level": level,
        "kind": found.kind,
        "text": hide(found.text),
        "record": {} if level is Depth.BRIEF else hide(found.record),
        "source": found.source,
        "excerpt": hide(found.excerpt),
        "messages": found.messages,
    }
