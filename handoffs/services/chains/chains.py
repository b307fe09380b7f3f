"""Handoffs that continue one another: which chain a conversation belongs to, and the whole of one (CONT-04)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Count

from continuity.core.errors import ChainTooLong, NotFound, existing
from continuity.models import Conversation, Team
from continuity.services.events import events
from handoffs.models import Handoff, HandoffChain, Resumption

logger = logging.getLogger("continuity.handoffs")


# What a list of handoffs does not show.
HEAVY = ("anchors", "pending_tasks", "session_state", "continuation_directive", "rest", "text", "references")
# The handoff that a conversation goes on from.
_CONTINUED = (
    "SELECT given.id, given.chain_id, given.position FROM handoffs_resumption AS resumption "
    "JOIN session_handoffs AS given ON given.id = resumption.handoff_id WHERE resumption.conversation_id = %s"
)
_HOLD = (
    "SELECT id FROM handoff_chains WHERE id = coalesce((SELECT given.chain_id FROM handoffs_resumption AS resumption "
    "JOIN session_handoffs AS given ON given.id = resumption.handoff_id WHERE resumption.conversation_id = %s), "
    "(SELECT id FROM handoff_chains WHERE root_conversation_id = %s)) FOR UPDATE"
)
# A further package of a conversation that has one already makes its chain no longer.
_EXTEND = """
UPDATE handoff_chains SET current_handoff_id = %(handoff)s, total_tokens_processed = total_tokens_processed + %(tokens)s,
    last_activity_at = %(now)s, numbered = numbered + 1, total_handoffs = total_handoffs + (NOT EXISTS (SELECT FROM session_handoffs
        WHERE chain_id = %(chain)s AND position = %(position)s AND id <> %(handoff)s))::int
WHERE id = %(chain)s RETURNING total_handoffs
"""
_PACKAGES = "SELECT count(*) FROM (SELECT FROM session_handoffs WHERE chain_id = %s LIMIT %s) AS stored"


@dataclass(frozen=True, slots=True)
class Link:
    """Where a new handoff of a conversation goes: its chain, the handoff it continues, its position (from 1)."""

    chain: HandoffChain
    previous_id: UUID | None
    position: int

    @property
    def number(self) -> int:
        """Its own number in the chain, which is locked; no other one has had it."""
        return self.chain.numbered + 1


def link_for(*, conversation: Conversation, now: datetime) -> Link:
    """The place in the chain for a handoff of `conversation`, with the chain locked. The caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_CONTINUED, [conversation.id])
        continued = cursor.fetchone()
    if continued is not None:
        handoff_id, chain_id, position = continued
        return Link(lock(chain_id), handoff_id, position + 1)
    chain = HandoffChain.objects.select_for_update().filter(root_conversation=conversation).first()
    if chain is None:
        began = HandoffChain(team_id=conversation.team_id, root_conversation=conversation, started_at=now, last_activity_at=now)
        HandoffChain.objects.bulk_create([began], ignore_conflicts=True)
        chain = HandoffChain.objects.select_for_update().get(root_conversation=conversation)
    return Link(chain, None, 1)


def hold(conversation_id: UUID) -> None:
    """Locks the chain in which a handoff of the conversation would stand, if there is one yet. The caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [conversation_id, conversation_id])


def lock(chain_id: UUID) -> HandoffChain:
    """The chain, locked until the caller's transaction ends. Raises NotFound."""
    return existing(HandoffChain.objects.select_for_update().filter(id=chain_id).first(), "chain")


def check_room(*, chain: HandoffChain, limit: int | None) -> None:
    """Raises ChainTooLong where the chain, which the caller locked, has as many packages as the team (`limit`) or the operator allows."""
    if chain.numbered >= _most(limit) and is_full(chain.id, limit):
        raise ChainTooLong(length=_most(limit), limit=_most(limit))


def is_full(chain_id: UUID, limit: int | None) -> bool:
    """Whether a chain takes no more packages by the team's `limit` (None: it sets none) or the operator's. One query, within the limit."""
    with connection.cursor() as cursor:
        cursor.execute(_PACKAGES, [chain_id, _most(limit)])
        stored: int = cursor.fetchone()[0]
    return stored >= _most(limit)


def length_of(chain: HandoffChain) -> int:
    """The handoffs that continue one another: packages of one conversation, and branches beside one another, count once. One query."""
    return Handoff.objects.filter(chain=chain).aggregate(length=Count("position", distinct=True))["length"] or 0


def _most(limit: int | None) -> int:
    return min(limit or settings.CONTINUITY_MAX_CHAIN_LENGTH, settings.CONTINUITY_MAX_CHAIN_LENGTH)


def extend(*, chain: HandoffChain, handoff: Handoff, tokens: int, now: datetime) -> None:
    """Makes `handoff`, which is stored, the chain's current one. The caller holds the chain's lock."""
    with connection.cursor() as cursor:
        asked: dict[str, Any] = {"handoff": handoff.id, "tokens": tokens, "now": now, "chain": chain.id, "position": handoff.position}
        cursor.execute(_EXTEND, asked)
        (length,) = cursor.fetchone()
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
