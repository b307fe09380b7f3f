"""What needs a person now: one bounded query for each kind of it, whatever the number of conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.db.models import Exists, OuterRef, QuerySet

from continuity.models import Conversation, Job, JobStatus, Task, Team, User
from continuity.models.tasks import WAITING
from handoffs.models import Handoff, HandoffStatus
from handoffs.queries import light

SHOWN = 5
RECENT = 200  # conversations, those with the latest activity, whose blocked tasks are looked for
SOON = timedelta(days=2)
LATELY = timedelta(days=3)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Some(Generic[T]):
    """The first few, and whether there are more."""

    rows: Sequence[T]
    more: bool

    def __bool__(self) -> bool:
        return bool(self.rows)


@dataclass(frozen=True, slots=True)
class Attention:
    """What waits for somebody in the team; `offers` for this person only."""

    filling: Some[Conversation]
    offers: Some[Handoff]
    drafts: Some[Handoff]
    failed: Some[Handoff]
    blocked: Some[Task]
    lapsing: Some[Handoff]
    ending: Some[Conversation]
    imports: Some[Job]

    def __bool__(self) -> bool:
        return any((self.filling, self.offers, self.drafts, self.failed, self.blocked, self.lapsing, self.ending, self.imports))


def attention(*, team: Team, user: User | None, now: datetime) -> Attention:
    """Eight queries."""
    handoffs = light(Handoff.objects.visible_to(team)).select_related("conversation", "offered_by")
    waiting = handoffs.filter(status__in=[HandoffStatus.DRAFT, HandoffStatus.READY])
    later = Handoff.objects.filter(conversation=OuterRef("conversation"), created_at__gt=OuterRef("created_at"))
    failed = handoffs.filter(~Exists(later), status=HandoffStatus.FAILED)
    open_ones = Conversation.objects.visible_to(team).going_on().defer("metadata")
    imports = Job.objects.filter(team=team, status=JobStatus.FAILED, created_at__gt=now - LATELY)
    return Attention(
        filling=_some(open_ones.filling().order_by("-updated_at", "-id")),
        offers=_some(waiting.filter(offered_to=user).order_by("-offered_at", "-id")),
        drafts=_some(handoffs.filter(status=HandoffStatus.DRAFT).order_by("-created_at", "-id")),
        failed=_some(failed.order_by("-created_at", "-id")),
        blocked=_some(_blocked(team)),
        lapsing=_some(waiting.filter(resumed_at=None, expires_at__gt=now, expires_at__lt=now + SOON).order_by("expires_at", "id")),
        ending=_some(open_ones.filter(expires_at__gt=now, expires_at__lt=now + SOON).order_by("expires_at", "id")),
        imports=_some(imports.order_by("-created_at", "-id")),
    )


def _blocked(team: Team) -> QuerySet[Task]:
    recent = Conversation.objects.visible_to(team).going_on().order_by("-updated_at", "-id").values("id")[:RECENT]
    stuck = Task.objects.filter(team=team, conversation__in=recent, status__in=WAITING, dismissed=False)
    return stuck.select_related("conversation").defer("conversation__metadata").order_by("-conversation__updated_at", "-last_seq", "id")


def _some(rows: QuerySet[Any]) -> Some[Any]:
    found = list(rows[: SHOWN + 1])
    return Some(found[:SHOWN], len(found) > SHOWN)
