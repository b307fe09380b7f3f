"""Making packages again that held words of an erased conversation."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from continuity import tokens
from continuity.distill.model import Knowledge
from continuity.models import Conversation
from handoffs.models import Handoff, HandoffChain, HandoffStatus, Resumption
from handoffs.packages import contract
from handoffs.packages.preparing import prepare as prepare_package
from handoffs.services import preparation

WAITING = "A conversation that it knew of was erased; it is being made again."
OFFERED = (HandoffStatus.DRAFT, HandoffStatus.READY)


def empty(conversations: Sequence[UUID]) -> dict[str, str]:
    """Empties the packages of these conversations at once, until they are made again, and gives the status that each had.

    What was told at their resumptions goes too. The caller holds the transaction and the chains' locks.
    """
    statuses: dict[str, str] = {}
    for handoff in Handoff.objects.filter(conversation__in=conversations).select_related("conversation"):
        statuses[str(handoff.id)] = status = handoff.status
        options = contract.from_contract(handoff.package).options
        now, counter = timezone.now(), tokens.counter_for(handoff.conversation.model)
        nothing = prepare_package(
            Knowledge(),
            options,
            counter=counter,
            now=now,
            handoff_id=str(handoff.id),
            conversation_id=str(handoff.conversation_id),
        )
        preparation.fill(handoff, nothing, draft=False)
        handoff.status = HandoffStatus.FAILED if status in OFFERED else status
        handoff.failure = WAITING
        handoff.save()
    Resumption.objects.filter(conversation__in=conversations).update(report={})
    return statuses


def make_again(statuses: Mapping[str, str]) -> None:
    """Makes each emptied package again from what its conversation knows now; one that was offered is so again where its check passes."""
    for handoff_id, status in statuses.items():
        with transaction.atomic():
            HandoffChain.objects.select_for_update(of=("self",)).filter(handoffs__id=handoff_id).first()
            handoff = Handoff.objects.select_for_update(of=("self",)).select_related("conversation").filter(id=handoff_id).first()
            if handoff is not None and handoff.failure == WAITING:
                _fill(handoff, status)


def _fill(handoff: Handoff, status: str) -> None:
    conversation: Conversation = handoff.conversation
    options = contract.from_contract(handoff.package).options
    prepared = preparation.build(conversation=conversation, options=options, handoff_id=handoff.id, now=timezone.now())
    preparation.fill(handoff, prepared, draft=status == HandoffStatus.DRAFT)
    if status not in (*OFFERED, HandoffStatus.FAILED):
        handoff.status = HandoffStatus(status)
    handoff.save()
