"""Repositories of a team, and the sessions that work in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import existing
from continuity.models import Conversation, Team
from handoffs.models import PackSession, Repository
from handoffs.packs.serving.keys import digest_of


@dataclass(frozen=True, slots=True)
class WorkPlace:
    """Where a session's work tree stands, and which repository it is: `key` is empty without a commit and a remote."""

    machine: str
    root: str
    key: str = ""
    remote: str = ""
    roots: Sequence[str] = ()


def get(*, team: Team, repository_id: UUID) -> Repository:
    """Raises NotFound, also for another team's."""
    return existing(Repository.objects.visible_to(team).filter(id=repository_id).first(), "repository")


def of_place(*, team: Team, place: WorkPlace) -> Repository:
    """The team's row of it, made where there is none."""
    now = timezone.now()
    key = place.key or digest_of([place.machine, place.root])
    name = (place.remote or place.root.rstrip("/")).rpartition("/")[2][:200] or "/"
    row, made = Repository.objects.get_or_create(
        team=team, key=key, defaults={"name": name, "remote": place.remote[:1000], "roots": list(place.roots)[:16], "seen_at": now}
    )
    if not made:
        Repository.objects.filter(id=row.id).update(seen_at=now)
    return row


def session_of(*, conversation: Conversation, repository: Repository, place: WorkPlace) -> PackSession:
    """The state of packs in a session; one that went on in another repository begins anew there."""
    now = timezone.now()
    where = {"machine": place.machine[:120], "root": place.root[:4096]}
    row, made = PackSession.objects.get_or_create(
        conversation=conversation,
        defaults={"team_id": conversation.team_id, "repository": repository, "seen_at": now, "snapshot_at": now, **where},
    )
    if not made and row.repository_id != repository.id:
        row.arrived, row.fingerprint, row.last_pack = {}, "", None
    row.repository, row.seen_at = repository, now
    row.machine, row.root = where["machine"], where["root"]
    return row
