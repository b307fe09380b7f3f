"""Handoffs that continue one another: which chain a conversation belongs to, and the whole of one (CONT-04)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.conf import settings
from django.db.models import F

from continuity.errors import ChainTooLong, NotFound
from continuity.models import Conversation, Team
from continuity.services import events
from handoffs.models import Handoff, HandoffChain, Resumption

logger = logging.getLogger("continuity.handoffs")


# What a list of handoffs does not show.
HEAVY = ("anchors", "pending_tasks", "session_state", "continuation_directive", "package", "text", "references")


@dataclass(frozen=True, slots=True)
class Link:
    """Where a new handoff of a conversation goes: its chain, the handoff it continues, its position (from 1)."""

    chain: HandoffChain
    previous: Handoff | None
    position: int


def link_for(*, conversation: Conversation, now: datetime) -> Link:
    """The place in the chain for a handoff of `conversation`, with the chain locked. The caller's transaction."""
    resumption = (
        Resumption.objects.select_related("handoff")
        .defer(*(f"handoff__{name}" for name in HEAVY))
        .filter(conversation=conversation)
        .first()
    )
    if resumption is not None:
        chain = HandoffChain.objects.select_for_update().get(id=resumption.handoff.chain_id)
        return Link(chain, resumption.handoff, resumption.handoff.position + 1)
    started = {"team_id": conversation.team_id, "started_at": now, "last_activity_at": now}
    chain, _ = HandoffChain.objects.select_for_update().get_or_create(root_conversation=conversation, defaults=started)
    return Link(chain, None, 1)


def check_room(*, chain: HandoffChain, limit: int | None) -> None:
    """Raises ChainTooLong where the chain, which the caller locked, has as many handoffs as the team (`limit`) or the operator allows."""
    if is_full(chain.total_handoffs, limit):
        raise ChainTooLong(length=chain.total_handoffs, limit=_most(limit))


def is_full(total: int, limit: int | None) -> bool:
    """Whether a chain of `total` handoffs takes no more by the team's `limit` (None: it sets none) or the operator's."""
    return total >= _most(limit)


def _most(limit: int | None) -> int:
    return min(limit or settings.CONTINUITY_MAX_CHAIN_LENGTH, settings.CONTINUITY_MAX_CHAIN_LENGTH)


def extend(*, chain: HandoffChain, handoff: Handoff, tokens: int, now: datetime) -> None:
    """Makes `handoff` the chain's current one. The caller holds the chain's lock."""
    HandoffChain.objects.filter(id=chain.id).update(
        current_handoff=handoff,
        total_handoffs=F("total_handoffs") + 1,
        total_tokens_processed=F("total_tokens_processed") + tokens,
        last_activity_at=now,
    )
    length = chain.total_handoffs + 1
    payload = {"handoff_id": str(handoff.id), "length": length}
    events.publish(name="chain.extended", team=handoff.team, subject_id=chain.id, payload=payload)
    told = {"chain_id": str(chain.id), "chain_length": length}
    logger.info("[CONT:CHAIN] Chain extended: %s now has %d handoffs", chain.id, length, extra={"metadata": told})


def get(*, team: Team, any_id: UUID) -> HandoffChain:
    """The chain with this id, or the one that the conversation with this id belongs to. Raises NotFound."""
    chains = HandoffChain.objects.visible_to(team)
    found = chains.filter(id=any_id).first() or chains.filter(root_conversation_id=any_id).first()
    if found is None:
        resumption = Resumption.objects.filter(team=team, conversation_id=any_id).select_related("handoff__chain").first()
        found = resumption.handoff.chain if resumption else None
    if found is None:
        raise NotFound(noun="chain")
    return found


def members(chain: HandoffChain) -> Sequence[Handoff]:
    """The chain's handoffs in their order, their packages deferred; as many as a chain may have. One query."""
    rows = Handoff.objects.filter(chain=chain).select_related("conversation", "owner").defer(*HEAVY)
    return list(rows.order_by("position", "created_at"))
