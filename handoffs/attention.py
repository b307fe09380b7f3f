"""What needs a person now: one bounded query for each kind of it, whatever the number of conversations."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import QuerySet

from continuity.models import Conversation, Job, JobStatus, Task, Team, User
from continuity.models.tasks import WAITING
from continuity.written import Written
from handoffs.models import Handoff, OfferAnswer
from handoffs.models.handoffs import DOCUMENTS

SHOWN = 5
RECENT = 200  # conversations, those with the latest activity, whose blocked tasks are looked for
SOON = timedelta(days=2)
LATELY = timedelta(days=3)
ANSWER = ("accepted", "created_at", "answered_by__name", "answered_by__email", "handoff__conversation__title")

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
    """What waits for somebody in the team; `offers` and the `answers` to their own for this person only."""

    filling: Some[Conversation]
    offers: Some[Handoff]
    answers: Some[OfferAnswer]
    drafts: Some[Handoff]
    failed: Some[Handoff]
    blocked: Some[Task]
    lapsing: Some[Handoff]
    ending: Some[Conversation]
    imports: Some[Job]

    def __bool__(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self))


# The first few of each kind of handoff, and one more, in one row; what is shown of them is then read at once.
_WAITING = "status IN ('draft', 'ready')"
_SUPERSEDED = "SELECT FROM session_handoffs AS later WHERE later.conversation_id = found.conversation_id"
_KINDS = {
    "offers": f"{_WAITING} AND offered_to_id = %(user)s ORDER BY offered_at DESC, id DESC",
    "drafts": "status = 'draft' ORDER BY created_at DESC, id DESC",
    "failed": f"status = 'failed' AND NOT EXISTS ({_SUPERSEDED} AND later.created_at > found.created_at) ORDER BY created_at DESC, id DESC",
    "lapsing": f"{_WAITING} AND resumed_at IS NULL AND expires_at > %(now)s AND expires_at < %(soon)s ORDER BY expires_at, id",
}
_OF_A_KIND = "ARRAY(SELECT id FROM session_handoffs AS found WHERE team_id = %(team)s AND {which} LIMIT %(limit)s)"
_SHOWN = Written(
    Handoff,
    "session_handoffs.team_id = %s AND session_handoffs.id = ANY(%s)",
    without=(*DOCUMENTS, "conversation__metadata"),
    beside=("conversation", "offered_by"),
)
_FIRST = "SELECT " + ", ".join(_OF_A_KIND.format(which=which) for which in _KINDS.values())


def attention(*, team: Team, user: User | None, now: datetime) -> Attention:
    """Seven queries."""
    open_ones = Conversation.objects.visible_to(team).going_on().defer("metadata")
    imports = Job.objects.filter(team=team, status=JobStatus.FAILED, dismissed=False, created_at__gt=now - LATELY)
    answers = OfferAnswer.objects.filter(team=team, giver=user).select_related("handoff__conversation", "answered_by").only(*ANSWER)
    return Attention(
        answers=_some(answers.order_by("-created_at", "-id")),
        filling=_fullest(_some(open_ones.filling().order_by("-updated_at", "-id"))),
        blocked=_some(_blocked(team)),
        ending=_some(open_ones.filter(expires_at__gt=now, expires_at__lt=now + SOON).order_by("expires_at", "id")),
        imports=_some(imports.order_by("-created_at", "-id")),
        **_handoffs(team, user, now),
    )


def _fullest(latest: Some[Conversation]) -> Some[Conversation]:
    """The same ones, the fullest first: an index finds the latest, and few are shown."""
    return Some(sorted(latest.rows, key=lambda conversation: -conversation.utilization), latest.more)


def _handoffs(team: Team, user: User | None, now: datetime) -> dict[str, Some[Handoff]]:
    """Those of each kind. Two queries, one where there are none."""
    with connection.cursor() as cursor:
        asked = {"team": team.id, "user": user.id if user else None, "now": now, "soon": now + SOON, "limit": SHOWN + 1}
        cursor.execute(_FIRST, asked)
        kinds = dict(zip(_KINDS, cursor.fetchone(), strict=True))
    wanted = [*set(chain.from_iterable(kinds.values()))]
    known = {row.id: row for row in _SHOWN.rows(team.id, wanted)} if wanted else {}
    return {kind: _cut([known[each] for each in ids if each in known]) for kind, ids in kinds.items()}


def _blocked(team: Team) -> QuerySet[Task]:
    recent = Conversation.objects.visible_to(team).going_on().order_by("-updated_at", "-id").values("id")[:RECENT]
    stuck = Task.objects.filter(team=team, conversation__in=recent, status__in=WAITING, dismissed=False)
    return stuck.select_related("conversation").defer("conversation__metadata").order_by("-conversation__updated_at", "-last_seq", "id")


def _some(rows: QuerySet[Any]) -> Some[Any]:
    return _cut(list(rows[: SHOWN + 1]))


def _cut(found: Sequence[T]) -> Some[T]:
    return Some(found[:SHOWN], len(found) > SHOWN)
