"""Warning owners a day before something of theirs expires: a row for their pages, an event, a log line; once."""

import logging
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from continuity.core.transactions import atomic
from continuity.models import Conversation, ConversationStatus, Notice, NoticeKind, Team, User
from continuity.services.events import events
from continuity.services.jobs import deferrals

logger = logging.getLogger("continuity.notices")

KIND = "warn"  # of work that is put off where it fails
AHEAD = timedelta(days=1)
IN_USE = (ConversationStatus.ACTIVE, ConversationStatus.IDLE)

M = TypeVar("M", bound=Model)


def warn_of_conversations(*, now: datetime, limit: int = 500) -> int:
    """Warns of conversations that expire within a day. Returns of how many."""
    ending = unwarned(Conversation.objects.filter(status__in=IN_USE), now)
    ids = deferrals.without_waiting(ending, KIND, now).order_by("expires_at").values_list("id", flat=True)[:limit]
    return deferrals.each(kind=KIND, ids=list(ids), work=_warn_of_conversation, claim=False)


def _warn_of_conversation(conversation_id: UUID) -> None:
    each = Conversation.objects.select_related("team", "owner").get(id=conversation_id)
    warn(kind=NoticeKind.CONVERSATION_EXPIRING, conversation=each, subject_id=each.id, owner=each.owner, due_at=each.expires_at)


def unwarned(rows: "QuerySet[M]", now: datetime) -> "QuerySet[M]":
    """The rows with `expires_at` whose last day began and that nobody was warned of."""
    warned = Notice.objects.filter(subject_id=OuterRef("id"), due_at=OuterRef("expires_at"))
    return rows.filter(~Exists(warned), expires_at__gt=now, expires_at__lte=now + AHEAD)


@atomic
def warn(*, kind: NoticeKind, conversation: Conversation, subject_id: UUID, owner: User | None, due_at: datetime) -> bool:
    """Notes and tells that `subject_id` expires at `due_at`. False where another process was faster."""
    values = {"team": conversation.team, "owner": owner, "conversation": conversation, "kind": kind}
    _, new = Notice.objects.get_or_create(subject_id=subject_id, due_at=due_at, defaults=values)
    if new:
        payload = {"conversation_id": str(conversation.id), "expires_at": due_at.isoformat()}
        events.publish(name=kind.value, team=conversation.team, subject_id=subject_id, payload=payload)
        told = {**payload, "subject_id": str(subject_id)}
        logger.warning("[CONT:TTL] %s: %s expires at %s", kind.value, subject_id, due_at.isoformat(), extra={"metadata": told})
    return new


def current(*, team: Team, user: User | None, now: datetime) -> QuerySet[Notice]:
    """The notices for `user` (None: anybody of the team), the most urgent first; what was saved since is left out by its reader."""
    rows = Notice.objects.filter(team=team, due_at__gt=now).select_related("conversation")
    rows = rows if user is None else rows.filter(Q(owner=user) | Q(owner=None))
    return rows.order_by("due_at", "id")
