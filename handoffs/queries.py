"""Reads for pages that span models; each has a fixed number of queries and a bounded number of rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import Count, F, Prefetch, QuerySet, Window
from django.db.models.functions import RowNumber

from continuity.distill.model import FileAction, TaskStatus
from continuity.distill.model import FileTouch as DistilledFile
from continuity.models import Anchor, Conversation, FileTouch, Notice, Task, Team, User
from continuity.services import notices
from handoffs.models import Handoff, HandoffChain, Resumption
from handoffs.services import cleanup

ANCHORS_OF_A_TYPE = 4
TASKS = 60
FILES = 120
FILES_SHOWN = 25
HANDOFFS = 10
CHAIN = 200
NOTICES = 50


@dataclass(frozen=True, slots=True)
class AnchorGroup:
    """The most important current anchors of one type, and how many there are."""

    type: str
    total: int
    anchors: Sequence[Anchor]


def anchor_groups(conversation: Conversation) -> Sequence[AnchorGroup]:
    """Current anchors by type; the type with the most important one first. Two queries."""
    current = Anchor.objects.filter(conversation=conversation).current()
    totals: dict[str, int] = dict(current.order_by().values_list("type").annotate(Count("id")))
    best = [F("pinned").desc(), F("critical").desc(), F("importance").desc(), F("source_seq").desc(), F("id").desc()]
    ranked = current.annotate(place=Window(RowNumber(), partition_by="type", order_by=best))
    ranked = ranked.filter(place__lte=ANCHORS_OF_A_TYPE).order_by("type", "place")
    groups = [list(rows) for _type, rows in groupby(ranked, key=lambda row: row.type)]
    groups.sort(key=lambda rows: (-max(row.importance for row in rows), rows[0].type))
    return [AnchorGroup(rows[0].type, totals[rows[0].type], rows) for rows in groups]


@dataclass(frozen=True, slots=True)
class Tasks:
    """`open` ones by their last change, `completed` the latest."""

    open: Sequence[Task]
    completed: Sequence[Task]


def tasks_of(conversation: Conversation) -> Tasks:
    """Two queries."""
    rows = Task.objects.filter(conversation=conversation, dismissed=False).order_by("-last_seq", "key")
    return Tasks(
        open=list(rows.exclude(status=TaskStatus.COMPLETED)[:TASKS]),
        completed=list(rows.filter(status=TaskStatus.COMPLETED)[:10]),
    )


def changed_files(conversation: Conversation) -> Sequence[DistilledFile]:
    """The files last changed, one entry a path with its latest action and the number of its changes. One query."""
    latest: dict[str, FileTouch] = {}
    counts: dict[str, int] = {}
    rows = FileTouch.objects.filter(conversation=conversation).exclude(action="read").order_by("-last_seq", "path")
    for row in rows[:FILES]:
        latest.setdefault(row.path, row)
        counts[row.path] = counts.get(row.path, 0) + row.count
    return [
        DistilledFile(row.path, FileAction(row.action), row.first_seq, row.last_seq, count=counts[path], note=row.note)
        for path, row in list(latest.items())[:FILES_SHOWN]
    ]


def handoffs_of(conversation: Conversation) -> Sequence[Handoff]:
    """The latest handoffs of a conversation, without their packages. One query."""
    return list(light(Handoff.objects.filter(conversation=conversation)).order_by("-created_at")[:HANDOFFS])


def light(rows: QuerySet[Handoff]) -> QuerySet[Handoff]:
    """Handoffs without the documents in them, for lists."""
    return rows.defer(
        "compacted_summary",
        "anchors",
        "pending_tasks",
        "session_state",
        "metadata",
        "continuation_directive",
        "package",
        "text",
        "references",
        "secrets",
        "fidelity",
    )


def origin_of(conversation: Conversation) -> Resumption | None:
    """The resumption that opened this conversation, with its handoff. One query."""
    rows = Resumption.objects.filter(conversation=conversation).select_related("handoff", "handoff__conversation")
    return rows.defer("handoff__package", "handoff__text").first()


def links_of(chain: HandoffChain) -> Sequence[Handoff]:
    """A chain's handoffs in order, each with its conversation, owner and resumptions. Two queries."""
    resumptions = Resumption.objects.select_related("conversation", "resumed_by").order_by("created_at")
    rows = light(Handoff.objects.filter(chain=chain)).select_related("conversation", "owner").order_by("position", "created_at")
    return list(rows.prefetch_related(Prefetch("resumptions", queryset=resumptions))[:CHAIN])


def notices_for(team: Team, user: User | None, now: datetime) -> Sequence[Notice]:
    """What expires within a day and was neither resumed nor given more time since; of all the team where `user` is None. Three queries."""
    rows = list(notices.current(team=team, user=user, now=now)[:NOTICES])
    subjects = [row.subject_id for row in rows]
    packages = Handoff.objects.filter(id__in=subjects, resumed_at=None, status__in=cleanup.WAITING)
    ending = Conversation.objects.filter(id__in=subjects, status__in=notices.IN_USE)
    still = {*packages.values_list("id", "expires_at"), *ending.values_list("id", "expires_at")}
    return [row for row in rows if (row.subject_id, row.due_at) in still]
