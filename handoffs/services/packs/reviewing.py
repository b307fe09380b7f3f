"""People's word on drafts: accepted, in their own wording where they like, or rejected."""

from collections.abc import Sequence
from uuid import UUID

from django.utils import timezone

from continuity import secrets
from continuity.core.errors import Invalid, NotFound
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.services.events import events
from continuity.transcripts.base.sanitise import clean_text
from handoffs.models import Artifact, ArtifactStatus, Repository
from handoffs.services.packages.authors import Author

ACTIONS = {"accept": ArtifactStatus.ACCEPTED, "reject": ArtifactStatus.REJECTED, "reopen": ArtifactStatus.DRAFT}
LONGEST = 600
AT_ONCE = 100
MOST = 200


def of_repository(repository: Repository, *, status: str = "", limit: int = MOST) -> list[Artifact]:
    """The newest first; drafts before all else where no status is named. One query."""
    rows = repository.artifacts.select_related("decided_by", "conversation")
    found = rows.filter(status=status) if status else rows
    return list(found.order_by("-created_at", "id")[:limit])


@atomic
def decide(
    *, team: Team, repository: Repository, ids: Sequence[UUID], action: str, author: Author, text: str | None = None
) -> list[Artifact]:
    """Sets the state of drafts, or of what was decided before; `text` is a person's wording of one. All or none. Raises NotFound,
    Invalid."""
    if action not in ACTIONS:
        raise Invalid(f"action must be one of {', '.join(ACTIONS)}.", field="action")
    if not 1 <= len(ids) <= AT_ONCE:
        raise Invalid(f"Name 1 to {AT_ONCE} artifacts.", field="artifacts")
    if text is not None and len(ids) != 1:
        raise Invalid("A wording is of one artifact.", field="text")
    if text is not None and not 1 <= len(text.strip()) <= LONGEST:
        raise Invalid(f"text must have 1 to {LONGEST} characters.", field="text")
    rows = list(Artifact.objects.select_for_update().filter(team=team, repository=repository, id__in=ids).order_by("id"))
    if len(rows) != len(set(ids)):
        raise NotFound(noun="artifact")
    status = ACTIONS[action]
    for row in rows:
        row.status = status
        row.decided_by, row.decided_at = (None, None) if status == ArtifactStatus.DRAFT else (author.person, timezone.now())
        row.text = row.text if text is None else secrets.mask_text(clean_text(" ".join(text.split())))
        row.save(update_fields=["status", "decided_by", "decided_at", "text"])
    events.publish(
        name="artifact.decided", team=team, subject_id=repository.id, payload={"action": action, "artifacts": [str(row.id) for row in rows]}
    )
    return rows
