"""Taking a conversation out of its chain: its packages go, and what continued it continues its predecessor."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from continuity.models import Conversation
from handoffs.models import Handoff, HandoffChain, HandoffTombstone, Resumption
from handoffs.services.chains import chains


def chains_of(conversations: Sequence[UUID]) -> list[UUID]:
    """The chains in which these conversations stand, in the order in which they are locked."""
    by_package = Handoff.objects.filter(conversation__in=conversations).values("chain_id")
    by_root = HandoffChain.objects.filter(root_conversation__in=conversations).values("id")
    return sorted({row["chain_id"] for row in by_package} | {row["id"] for row in by_root})


def take_out(conversation: Conversation, *, now: datetime) -> list[UUID]:
    """Deletes the conversation's packages, with a tombstone each, and closes the gap. Gives their ids.

    The caller holds the chains' locks.
    """
    own = Resumption.objects.filter(conversation=conversation).select_related("handoff").first()
    before = own.handoff if own else None
    fork = own.fork if own else False
    if own is not None:
        own.delete()
    packages = Handoff.objects.filter(conversation=conversation)
    ids = list(packages.values_list("id", flat=True))
    in_chains = chains_of([conversation.id])
    _continue(ids, before, fork)
    told: dict[str, Any] = {"team_id": conversation.team_id, "conversation": conversation.id, "reason": "erased", "deleted_at": now}
    tombstones = [HandoffTombstone(id=each, **told) for each in ids]
    HandoffTombstone.objects.bulk_create(tombstones, ignore_conflicts=True)
    heir = Conversation.objects.filter(resumed_from=conversation).order_by("created_at").first()
    HandoffChain.objects.filter(current_handoff__in=ids).update(current_handoff=None)
    packages.delete()
    for chain in HandoffChain.objects.filter(id__in=in_chains):
        _close(chain, conversation, heir)
    return ids


def _continue(packages: Sequence[UUID], before: Handoff | None, fork: bool) -> None:
    """Moves resumptions of these packages to the one before them; of several all but the first are forks of it."""
    Handoff.objects.filter(previous_handoff__in=packages).exclude(id__in=packages).update(previous_handoff=before)
    resumptions = Resumption.objects.filter(handoff__in=packages).order_by("created_at")
    if before is None:
        resumptions.delete()
        return
    for number, resumption in enumerate(resumptions):
        Resumption.objects.filter(id=resumption.id).update(handoff=before, fork=fork or number > 0)
        if number == 0 and not fork:
            Handoff.objects.filter(id=before.id).update(resumed_conversation=resumption.conversation_id)


def _close(chain: HandoffChain, gone: Conversation, heir: Conversation | None) -> None:
    latest = Handoff.objects.filter(chain=chain).order_by("-position", "-created_at").first()
    if latest is None:
        chain.delete()
        return
    chain.current_handoff = latest
    chain.total_handoffs = chains.length_of(chain)
    if chain.root_conversation_id == gone.id and heir is not None:
        chain.root_conversation = heir
    chain.save(update_fields=["current_handoff", "total_handoffs", "root_conversation"])
