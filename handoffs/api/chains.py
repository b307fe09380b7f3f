"""Handoffs that continue one another."""

from collections.abc import Sequence
from uuid import UUID

from ninja import Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from handoffs.api.handoff_forms import HandoffOut
from handoffs.models import Handoff, HandoffChain
from handoffs.services import chains

router = Router(tags=["chains"])


class ChainOut(Schema):
    """A chain and its handoffs in their order; `total_tokens_processed` sums what each of them replaced."""

    id: UUID
    root_conversation_id: UUID
    current_handoff_id: UUID | None
    total_handoffs: int
    total_tokens_processed: int
    started_at: AwareDatetime
    last_activity_at: AwareDatetime
    handoffs: list[HandoffOut]

    @staticmethod
    def resolve_handoffs(chain: HandoffChain) -> Sequence[Handoff]:
        return chains.members(chain)


@router.get("/chains/{uuid:any_id}", auth=READ, response=answers(ChainOut), summary="Read a chain")
def get_chain(request: ApiRequest, any_id: UUID) -> Status[HandoffChain]:
    """The chain with this id, or the one that the conversation with this id belongs to."""
    return Status(200, chains.get(team=request.auth.team, any_id=any_id))
