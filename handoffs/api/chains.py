"""Handoffs that continue one another."""

from typing import Any
from uuid import UUID

from ninja import Field, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.api.access import READ, ApiRequest
from continuity.api.problems import answers
from continuity.core.errors import existing
from continuity.services.recording import conversations
from handoffs.api.forms.handoffs import HandoffOut
from handoffs.models import Handoff, HandoffChain
from handoffs.services.chains import chains, trees
from handoffs.services.packages import handoffs

router = Router(tags=["chains"])


class ResumptionOut(Schema):
    """Where a handoff was resumed; the first to continue a conversation stays on its branch, each later one opens another."""

    conversation_id: UUID
    fork: bool
    branch: int
    measured: bool = Field(description="Whether the resumed session was seen, by its first messages or its receipt.")
    resumed_at: AwareDatetime
    resumed_by_id: UUID | int | None


class LinkOut(HandoffOut):
    """A handoff in its chain; branch 0 is the trunk."""

    branch: int
    resumptions: list[ResumptionOut]


class ChainOut(Schema):
    """A chain and its handoffs by position; `previous_handoff_id` leads up the tree, `resumptions` down. `total_tokens_processed` sums
    what each of them replaced, `tokens_carried` what their directives took."""

    id: UUID
    root_conversation_id: UUID
    current_handoff_id: UUID | None
    total_handoffs: int
    total_tokens_processed: int
    tokens_carried: int
    total_conversations: int
    total_resumptions: int
    branches: int
    longest: int = Field(description="How many handoffs follow one another at most.")
    started_at: AwareDatetime
    last_activity_at: AwareDatetime
    handoffs: list[LinkOut]


class _Link:
    """A handoff with its place in the tree, read once, when it is answered: what resolves a field wants the handoff itself."""

    def __init__(self, node: trees.Node) -> None:
        self._handoff = node.handoff
        self.branch = node.branch
        self.resumptions = [
            {
                "conversation_id": way.resumption.conversation_id,
                "fork": way.resumption.fork,
                "branch": way.branch,
                "measured": way.resumption.session_seen,
                "resumed_at": way.resumption.created_at,
                "resumed_by_id": way.resumption.resumed_by_id,
            }
            for way in node.ways
        ]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._handoff, name)


def _chain_fields(chain: HandoffChain) -> dict[str, Any]:
    """The chain, for `ChainOut`."""
    tree = trees.tree_of(chain)
    named = ("id", "root_conversation_id", "current_handoff_id", "total_handoffs", "total_tokens_processed", "started_at")
    told = {name: getattr(chain, name) for name in (*named, "last_activity_at")}
    counts = {"total_conversations": tree.conversations, "total_resumptions": tree.resumptions}
    shape = {"branches": tree.branches, "longest": tree.longest, "tokens_carried": tree.tokens_carried}
    return {**told, **counts, **shape, "handoffs": [_Link(node) for node in tree.nodes]}


@router.get("/chains/{uuid:any_id}", auth=READ, response=answers(ChainOut), summary="Read a chain")
def get_chain(request: ApiRequest, any_id: UUID) -> Status[dict[str, Any]]:
    """The chain with this id, or the one that the conversation with this id belongs to, as a tree."""
    return Status(200, _chain_fields(chains.get(team=request.auth.team, any_id=any_id)))


LATEST = "/conversations/{uuid:conversation_id}/handoffs/latest"


@router.get(LATEST, auth=READ, response=answers(HandoffOut, 200, 410), summary="Read a conversation's latest handoff")
def get_latest_handoff(request: ApiRequest, conversation_id: UUID) -> Status[Handoff]:
    """The handoff of the conversation that was prepared last; 404 where it has none."""
    team = request.auth.team
    found = existing(
        handoffs.latest_for(team=team, conversation=conversations.get(team=team, conversation_id=conversation_id)),
        "handoff of this conversation",
    )
    return Status(200, found)
