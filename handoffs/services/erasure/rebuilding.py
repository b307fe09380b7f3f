"""Making packages again that held words of an erased conversation."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from continuity.core.redaction import REDACTED
from continuity.core.transactions import atomic
from continuity.knowledge.model import Knowledge
from continuity.models import Conversation
from continuity.services.erasure import delete_conversation
from continuity.usage import tokens
from handoffs.building.preparation import prepare as prepare_package
from handoffs.models import EditTarget, Handoff, HandoffChain, HandoffEdit, HandoffRating, HandoffStatus, Receipt, Resumption, StoredNote
from handoffs.services.edits import regenerate
from handoffs.services.packages import check_override, preparation

WAITING = "A conversation that it knew of was erased; it is being made again."
OFFERED = (HandoffStatus.DRAFT, HandoffStatus.READY)


def empty(conversations: Sequence[UUID]) -> dict[str, str]:
    """Empties the packages of these conversations at once, until they are made again, and gives the status that each had.

    What was told at their resumptions and what was noted of their files go too. The caller holds the transaction and the chains' locks.
    """
    statuses: dict[str, str] = {}
    for handoff in Handoff.objects.filter(conversation__in=conversations).select_related("conversation"):
        statuses[str(handoff.id)] = status = handoff.status
        options = regenerate.options_of(handoff)
        now, counter = timezone.now(), tokens.counter_for(handoff.conversation.model)
        nothing = prepare_package(
            Knowledge(),
            options,
            counter=counter,
            now=now,
            handoff_id=str(handoff.id),
            conversation_id=str(handoff.conversation_id),
        )
        handoff.references = _without_paths(handoff.references)
        handoff.workspace = _without_files(handoff.workspace)
        preparation.fill(handoff, nothing, draft=False)
        handoff.status = HandoffStatus.FAILED if status in OFFERED else status
        handoff.failure = WAITING
        handoff.save()
    Resumption.objects.filter(conversation__in=conversations).update(report={})
    check_override.end_all(conversations=conversations)
    for receipt in Receipt.objects.filter(Q(handoff__conversation__in=conversations) | Q(resumption__conversation__in=conversations)):
        receipt.workspace = _without_files(receipt.workspace)
        receipt.save(update_fields=["workspace"])
    return statuses


def _without_paths(references: Mapping[str, str]) -> dict[str, str]:
    """The references given out, so that none gets another meaning, those of files without their paths."""
    return {reference: f"{REDACTED}{reference}" if reference.startswith("f") else key for reference, key in references.items()}


def _without_files(workspace: Mapping[str, Any]) -> dict[str, Any]:
    return {**workspace, "files": {}} if workspace else {}


def forget_edits(conversations: Sequence[UUID], *, told_by: Conversation) -> None:
    """Deletes the changes of these conversations' packages that hold words of `told_by`, the one that is erased."""
    for edit in HandoffEdit.objects.filter(handoff__conversation__in=conversations):
        if any(delete_conversation.contains_words(told_by, words) for words in _words_of(edit)):
            edit.delete()


def forget_notes(conversations: Sequence[UUID]) -> list[UUID]:
    """Deletes the notes of these conversations: those of successors were written by agents that knew the one that is erased. Their ids."""
    notes = StoredNote.objects.filter(conversation__in=conversations)
    ids = list(notes.values_list("id", flat=True))
    notes.delete()
    return ids


def forget_ratings(heirs: Sequence[UUID], *, told_by: Conversation) -> int:
    """Deletes the ratings of the heirs' packages, whose lines may be of `told_by`, the one that is erased; and what its own session said of
    the package that it went on from, or may have said where that is not known. How many."""
    own = Q(resumption__conversation=told_by) | Q(resumption=None, handoff__resumptions__conversation=told_by)
    found = set(HandoffRating.objects.filter(Q(handoff__conversation__in=heirs) | own).values_list("id", flat=True))
    HandoffRating.objects.filter(id__in=found).delete()
    return len(found)


def _words_of(edit: HandoffEdit) -> set[str]:
    """The words of a change: no states, styles or dates; of a line also what its key names."""
    said = {record.get(name) for record in (edit.before, edit.after) for name in ("text", "description", "note")}
    named = {edit.key.partition(":")[2]} if edit.target == EditTarget.LINE else set()
    return {words for words in said | named if isinstance(words, str) and words}


def make_again(statuses: Mapping[str, str]) -> None:
    """Makes each emptied package again from what its conversation knows now; one that was offered is so again where its check passes."""
    for handoff_id, status in statuses.items():
        _make_one_again(UUID(handoff_id), status)


@atomic
def _make_one_again(handoff_id: UUID, status: str) -> None:
    HandoffChain.objects.select_for_update(of=("self",)).filter(handoffs__id=handoff_id).first()
    handoff = Handoff.objects.select_for_update(of=("self",)).select_related("conversation").filter(id=handoff_id).first()
    if handoff is not None and handoff.failure == WAITING:
        _fill(handoff, status)


def _fill(handoff: Handoff, status: str) -> None:
    conversation: Conversation = handoff.conversation
    options = regenerate.options_of(handoff)
    steering = regenerate.steering_of(handoff)
    prepared = preparation.build(conversation=conversation, options=options, handoff_id=handoff.id, now=timezone.now(), steering=steering)
    preparation.fill(handoff, prepared, draft=status == HandoffStatus.DRAFT)
    if status not in (*OFFERED, HandoffStatus.FAILED):
        handoff.status = HandoffStatus(status)
    handoff.version += 1
    handoff.save()
