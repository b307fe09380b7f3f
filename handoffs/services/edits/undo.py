"""Taking changes of a package back, the latest of an item first."""

from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, NotEditable, NotFound, existing
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.services.knowledge import curation
from handoffs.contract.fields import Fields
from handoffs.contract.plan_records import read_options
from handoffs.models import EditAction, EditTarget, Handoff, HandoffEdit, HandoffStatus
from handoffs.models.edits import ANSWERS
from handoffs.services.edits import regenerate
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import EDITABLE, lock


@atomic
def undo(*, team: Team, handoff_id: UUID, edit_id: UUID, author: Author, version: int | None = None) -> HandoffEdit:
    """Takes one change back, also a withdrawal, and makes the package again.

    Raises what `locking.lock` raises; NotFound; Conflict where it was undone already, where a later change of the same
    thing stands, or where the package would no longer pass its check.
    """
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among={*EDITABLE, HandoffStatus.WITHDRAWN})
    now = timezone.now()
    edit = existing(HandoffEdit.objects.filter(handoff=handoff, id=edit_id).first(), "change of this handoff")
    _check(handoff, edit)
    edit.undone_at, edit.undone_by, edit.undone_with = now, author.user, author.key
    edit.save(update_fields=["undone_at", "undone_by", "undone_with"])
    if edit.action in (EditAction.WITHDRAW, EditAction.READY):
        handoff.status = edit.before["status"]
        handoff.version += 1
        handoff.save(update_fields=["status", "version"])
    else:
        _take_back(handoff, edit)
        options = read_options(Fields(edit.before)) if edit.action == EditAction.REGENERATE else None
        regenerate.make_again(handoff, now=now, refusal="Without this change the package would fail its check", options=options)
    regenerate.publish("handoff.edit_undone", handoff, edit)
    return edit


def _check(handoff: Handoff, edit: HandoffEdit) -> None:
    if edit.action in ANSWERS:
        raise Conflict("The answer to an offer can't be undone; offer the handoff back, or again.")
    if edit.undone_at is not None:
        raise Conflict("This change was undone already.")
    if (handoff.status == HandoffStatus.WITHDRAWN) is not (edit.action == EditAction.WITHDRAW):
        raise NotEditable(handoff_status=handoff.status)
    later = HandoffEdit.objects.filter(handoff__conversation=handoff.conversation, created_at__gt=edit.created_at, undone_at=None)
    later = later.filter(handoff=handoff) if edit.target in (EditTarget.PACKAGE, EditTarget.LINE) else later
    if edit.target == EditTarget.PACKAGE:
        later = later.filter(action=edit.action)
    if later.filter(target=edit.target, key=edit.key).exists():
        raise Conflict("This was changed again since; undo the later change first.")


def _take_back(handoff: Handoff, edit: HandoffEdit) -> None:
    """Puts the anchor or task behind an item back. A line follows from the changes that stand."""
    if edit.target not in (EditTarget.ANCHOR, EditTarget.TASK):
        return
    find = curation.anchor_of if edit.target == EditTarget.ANCHOR else curation.task_of
    row = find(conversation=handoff.conversation, key=edit.key)
    if row is None:
        raise NotFound(noun="item in this conversation")
    if edit.action == EditAction.ADD:
        curation.remove(row=row)
    else:
        curation.restore(row=row, after=edit.after, before=edit.before)
