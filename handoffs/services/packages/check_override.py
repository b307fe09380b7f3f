"""Letting a package whose check failed be resumed all the same: an operator's decision, with a reason, kept."""

import logging
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, Invalid
from continuity.core.transactions import atomic
from continuity.models import Team, User
from continuity.services.events import events
from continuity.services.recording import stored_rows
from continuity.services.recording.stored_rows import Columns, JoinedColumns
from handoffs.contract import package_json
from handoffs.contract.model import FidelityIssue, FidelityReport
from handoffs.models import Handoff, HandoffOverride, HandoffStatus
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import lock

logger = logging.getLogger("continuity.handoffs")

LONGEST = 2000
_STANDING_OF = JoinedColumns(Columns(HandoffOverride, name="standing"), made_by=Columns(User, name="person"))
_STANDING = f"""
SELECT {_STANDING_OF.sql} FROM handoffs_handoffoverride AS standing LEFT JOIN continuity_user AS person ON person.id = standing.made_by_id
WHERE standing.handoff_id = %s AND standing.ended_at IS NULL ORDER BY standing.id LIMIT 1
"""  # noqa: S608  our own names


@atomic
def override(*, team: Team, handoff_id: UUID, author: Author, reason: str, version: int | None = None) -> HandoffOverride:
    """Makes a failed package ready as it is, and records who said so, why, and what was missing.

    The caller has checked that the author may (scope `admin`). Raises what `locking.lock` raises (409 unless it failed), Invalid
    without a reason, Conflict where the package is empty, since a conversation that it knew of was erased.
    """
    if not 0 < len(reason.strip()) <= LONGEST:
        raise Invalid(f"reason must have 1 to {LONGEST:,} characters.", field="reason")
    handoff = lock(team=team, handoff_id=handoff_id, version=version, among={HandoffStatus.FAILED})
    report = package_json.report_from_contract(handoff.fidelity)
    if report.passes_threshold:
        raise Conflict(handoff.failure or "Nothing is missing in this package; make it again instead.")
    handoff.status = HandoffStatus.READY
    handoff.version += 1
    handoff.save(update_fields=["status", "version"])
    made = HandoffOverride.objects.create(
        team=team,
        handoff=handoff,
        version=handoff.version,
        reason=reason.strip(),
        score=report.overall_fidelity_score,
        missing=[issue.description for issue in report.issues],
        keys=sorted({_about(issue) for issue in report.issues}),
        made_by=author.person,
        made_with=author.key,
        made_as=author.name[:200],
    )
    told = {"override_id": str(made.id), "version": handoff.version, "fidelity": round(made.score, 4), "missing": len(made.missing)}
    events.publish(name="handoff.overridden", team=team, subject_id=handoff.id, payload=told, critical=True)
    metadata = {"handoff_id": str(handoff.id), **told}
    logger.warning("[CONT:FIDELITY] Override: %s at %.3f", handoff.id, made.score, extra={"metadata": metadata})
    return made


def still_covers(handoff: Handoff, report: FidelityReport, *, now: datetime) -> bool:
    """Whether an override stands for what a new check finds missing; one that does not ends. The caller holds the row's lock."""
    standing = HandoffOverride.objects.filter(handoff=handoff, ended_at=None).first()
    if standing is None:
        return False
    missing = {_about(issue) for issue in report.issues}
    if missing and missing <= set(standing.keys):
        return True
    HandoffOverride.objects.filter(id=standing.id).update(ended_at=now)
    return False


def _about(issue: FidelityIssue) -> str:
    return issue.key or issue.description


def override_of(handoff: Handoff) -> HandoffOverride | None:
    """The override by which the package may be resumed. One query."""
    return next((_STANDING_OF.row(values) for values in stored_rows.found(_STANDING, [handoff.id])), None)


def end_all(*, conversations: Sequence[UUID]) -> None:
    """Ends the overrides of these conversations' packages, and forgets what was missing: it was said in words that are erased."""
    of_packages = HandoffOverride.objects.filter(handoff__conversation__in=conversations)
    of_packages.filter(ended_at=None).update(ended_at=timezone.now())
    of_packages.update(missing=[], keys=[])
