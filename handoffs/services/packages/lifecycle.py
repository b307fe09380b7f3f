"""The steps of a package's life that people take: making a draft ready, and withdrawing."""

from uuid import UUID

from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.services.events import events
from handoffs.models import EditAction, EditTarget, Handoff, HandoffEdit, HandoffStatus
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import lock


@atomic
def make_ready(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None) -> Handoff:
    """Lets a draft be resumed. Raises what `locking.lock` raises."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among={HandoffStatus.DRAFT})
    return _move(handoff, HandoffStatus.READY, EditAction.READY, "handoff.made_ready", author)


@atomic
def withdraw(*, team: Team, handoff_id: UUID, author: Author, version: int | None = None) -> Handoff:
    """Takes a package that nobody resumed out of use; undoing the change puts it back. Raises what `locking.lock` raises."""
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among={HandoffStatus.DRAFT, HandoffStatus.READY})
    return _move(handoff, HandoffStatus.WITHDRAWN, EditAction.WITHDRAW, "handoff.withdrawn", author)


def _move(handoff: Handoff, status: HandoffStatus, action: EditAction, event: str, author: Author) -> Handoff:
    before = {"status": handoff.status}
    handoff.status = status
    handoff.version += 1
    handoff.save(update_fields=["status", "version"])
    HandoffEdit.objects.create(
        team=handoff.team,
        handoff=handoff,
        action=action,
        target=EditTarget.PACKAGE,
        before=before,
        after={"status": status.value},
        made_by=author.user,
        made_with=author.key,
    )
    events.publish(name=event, team=handoff.team, subject_id=handoff.id, payload={"version": handoff.version})
    return handoff
