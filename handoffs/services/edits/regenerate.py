"""Making a stored package again, as people set it and with what was said since."""

from collections.abc import Iterable
from datetime import datetime

from continuity.core.errors import Conflict
from continuity.services.events import events
from handoffs.contract import package_json
from handoffs.contract.model import Options, Prepared
from handoffs.directive.line_overrides import Steering
from handoffs.models import CheckCause, EditAction, EditTarget, Handoff, HandoffEdit, HandoffStatus
from handoffs.services.packages import check_override, checks, preparation


def options_of(handoff: Handoff) -> Options:
    """The options that the package was made with."""
    return package_json.from_contract(handoff.package).options


def remake(handoff: Handoff, *, now: datetime, options: Options | None = None) -> Prepared:
    """Fills the handoff anew from what is known now, unsaved: a draft stays a draft, and what an operator let pass passes as
    long as nothing else is missing. The caller holds the row's lock."""
    prepared = preparation.build(
        conversation=handoff.conversation,
        options=options or options_of(handoff),
        handoff_id=handoff.id,
        now=now,
        steering=steering_of(handoff),
    )
    draft = handoff.status == HandoffStatus.DRAFT
    preparation.fill(handoff, prepared, draft=draft)
    if check_override.still_covers(handoff, prepared.report, now=now):
        handoff.status = HandoffStatus.DRAFT if draft else HandoffStatus.READY
    handoff.messages_after = 0
    handoff.version += 1
    return prepared


def make_again(handoff: Handoff, *, now: datetime, refusal: str, options: Options | None = None) -> None:
    """Makes the package again and stores it with its check. Raises Conflict (`refusal`, and why) where one that passed would not now."""
    failing = handoff.status == HandoffStatus.FAILED
    prepared = remake(handoff, now=now, options=options)
    if not failing and handoff.status == HandoffStatus.FAILED:
        raise Conflict(f"{refusal}: {handoff.failure}"[:1000])
    handoff.save()
    checks.record(handoff=handoff, report=prepared.report, cause=CheckCause.CHANGED)


def publish(name: str, handoff: Handoff, edit: HandoffEdit) -> None:
    """Tells of a change of a package, or that one was taken back."""
    payload = {"edit_id": str(edit.id), "action": edit.action, "version": handoff.version}
    events.publish(name=name, team=handoff.team, subject_id=handoff.id, payload=payload)


def steering_of(handoff: Handoff) -> Steering:
    """The overrides that people set on lines of this package and did not take back. One query."""
    edits = HandoffEdit.objects.filter(handoff=handoff, target=EditTarget.LINE, undone_at=None).order_by("created_at")
    return _steering(edits, handoff.references)


def _steering(edits: Iterable[HandoffEdit], references: dict[str, str]) -> Steering:
    pinned: set[str] = set()
    dismissed: set[str] = set()
    reworded: dict[str, str] = {}
    for edit in edits:
        match edit.action:
            case EditAction.PIN:
                pinned.add(edit.key)
                dismissed.discard(edit.key)
            case EditAction.UNPIN:
                pinned.discard(edit.key)
            case EditAction.DISMISS:
                dismissed.add(edit.key)
                pinned.discard(edit.key)
            case EditAction.EDIT:
                reworded[edit.key] = edit.after["text"]
                dismissed.discard(edit.key)
    return Steering(frozenset(pinned), frozenset(dismissed), reworded, references)
