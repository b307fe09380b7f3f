"""Reads for pages that span models; each has a fixed number of queries and a bounded number of rows."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models import Prefetch

from continuity.knowledge.model import FileAction, Situation, TaskStatus
from continuity.knowledge.model import FileTouch as DistilledFile
from continuity.knowledge.requests.belonging import Belonging, belongings, known_by
from continuity.models import Anchor, Conversation, FileTouch, Notice, Role, Task, Team, User
from continuity.queries import credit, placed
from continuity.services.erasure import notices
from continuity.services.knowledge import queries as knowledge_queries
from continuity.services.recording import stored_rows
from continuity.services.recording.stored_rows import Columns, JoinedColumns
from continuity.usage.curve import UsageCurve
from handoffs.models import EditAction, Handoff, HandoffChain, HandoffEdit, HandoffStatus, Resumption
from handoffs.models.handoffs import DOCUMENTS, EARLIER_VERSIONS, NEWEST_VERSION, HandoffQuerySet
from handoffs.services.edits import regenerate
from handoffs.services.packages import cleanup

NOTHING: Mapping[str, Belonging] = {}
ANCHORS = 5
TASKS = 60
COMPLETED = 6
# What the next action depends on, and what is shown of those around a handoff and of a resumption.
NEXT = (
    *("number", "status", "resumed_at", "expires_at", "offered_by", "created_at", "fidelity_score"),
    *("offered_to__name", "offered_to__email", "owner__name", "owner__email"),
)
NEIGHBOUR = ("number", "status", "offered_to", "created_at", "token_count", "fidelity_score", "conversation")
RESUMPTION = (
    *("handoff", "conversation__source_tool", "conversation__last_seq", "conversation__message_count"),
    *("resumed_by__name", "resumed_by__email", "receipt__created_at", "fork", "report", "created_at"),
)
COLUMNS = {
    "Waiting": (TaskStatus.BLOCKED, TaskStatus.AWAITING_INPUT),
    "In progress": (TaskStatus.IN_PROGRESS, TaskStatus.NEAR_COMPLETION),
    "To do": (TaskStatus.NOT_STARTED,),
}
FILES = 400
FILES_SHOWN = 100
HANDOFFS = 10
CHAIN = 200
NEAR = 3
RESUMPTIONS = 20
EDITS = 200
PINNED = 2000
TEAMMATES = 500
NOTICES = 50
# What the pages of a conversation and of a handoff read each time.
_BEGAN = "SELECT coalesce(at, created_at) FROM continuity_message WHERE conversation_id = %s AND seq = 1"
_LATEST_OF = JoinedColumns(
    Columns(Handoff, *(name for name in NEXT if "__" not in name), "offered_to", "owner", name="handoff"),
    offered_to=Columns(User, "name", "email", name="offered"),
    owner=Columns(User, "name", "email", name="owner"),
)
_LATEST = f"""
SELECT {_LATEST_OF.sql} FROM session_handoffs AS handoff
LEFT JOIN continuity_user AS offered ON offered.id = handoff.offered_to_id LEFT JOIN continuity_user AS owner ON owner.id = handoff.owner_id
WHERE handoff.conversation_id = %s ORDER BY handoff.created_at DESC LIMIT 1
"""  # noqa: S608  our own names
_NEAR_ONE = Columns(Handoff, *NEIGHBOUR, "resumed_at", name="handoff")
_NEAR = f"""
SELECT {_NEAR_ONE.sql}, ({EARLIER_VERSIONS})
FROM session_handoffs AS handoff WHERE chain_id = %s AND position BETWEEN %s AND %s AND (id = %s OR {NEWEST_VERSION})
ORDER BY position, created_at LIMIT %s
"""  # noqa: S608  our own names
_ABLE = """
JOIN continuity_membership AS membership ON membership.user_id = continuity_user.id
WHERE membership.team_id = %s AND membership.role >= %s AND continuity_user.is_active AND NOT continuity_user.id = ANY(%s)
ORDER BY continuity_user.name, continuity_user.email LIMIT %s
"""
_PINNED = f"SELECT key FROM continuity_anchor WHERE conversation_id = %s AND pinned LIMIT {PINNED}"  # noqa: S608  our own number


@dataclass(frozen=True, slots=True)
class ConversationState:
    """Where the work stands as far as it is folded, how the window filled, and what messages that say little by themselves belong to."""

    situation: Situation
    curve: UsageCurve
    belongings: Mapping[str, Belonging]


def state_of(conversation: Conversation) -> ConversationState:
    """One query. What older rules folded, and is not folded again yet, says nothing of where the work stands."""
    outline, curve = knowledge_queries.outline(conversation.id)
    return ConversationState(placed(conversation, outline.situation), UsageCurve.from_json(curve), belongings(outline.requests))


def best_anchors(conversation: Conversation) -> Sequence[Anchor]:
    """The most important current anchors, with who said or added them, when, and what each replaced. At most four queries."""
    rows = Anchor.objects.current().filter(conversation=conversation).select_related("edited_by")
    best = list(rows.order_by("-critical", "-importance", "-source_seq", "-id")[:ANCHORS])
    credit(best)
    return best


@dataclass(frozen=True, slots=True)
class Column:
    """The tasks of one column of the board; `done` is the one of those that are over."""

    name: str
    tasks: Sequence[Task]
    done: bool = False


def board_of(conversation: Conversation, belongs: Mapping[str, Belonging] = NOTHING) -> Sequence[Column]:
    """The tasks by how far they are, those changed last first, each with what it belongs to; empty columns are left out. Two queries."""
    shown = Task.objects.filter(conversation=conversation, dismissed=False).order_by("-last_seq", "key")
    left, done = shown.exclude(status=TaskStatus.COMPLETED)[:TASKS], shown.filter(status=TaskStatus.COMPLETED)[:COMPLETED]
    rows = [*left, *done]
    for task in rows:
        task.belongs = belongs.get(known_by(task.description))
    columns = [Column(name, [task for task in rows if task.status in statuses]) for name, statuses in COLUMNS.items()]
    columns.append(Column("Done", [task for task in rows if task.status == TaskStatus.COMPLETED], done=True))
    return [column for column in columns if column.tasks]


def changed_files(conversation: Conversation) -> Sequence[DistilledFile]:
    """The files last changed, one entry a path with its latest action and the number of its changes. One query."""
    latest: dict[str, FileTouch] = {}
    counts: dict[str, int] = {}
    for row in FileTouch.objects.filter(conversation=conversation).exclude(action=FileAction.READ).order_by("-last_seq", "path")[:FILES]:
        latest.setdefault(row.path, row)
        counts[row.path] = counts.get(row.path, 0) + row.count
    return [
        DistilledFile(row.path, FileAction(row.action), row.first_seq, row.last_seq, count=counts[path], note=row.note)
        for path, row in list(latest.items())[:FILES_SHOWN]
    ]


def began_at(conversation: Conversation) -> datetime | None:
    """The time of the first message by the tool's own clock, or when it was recorded; None where nothing was said. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BEGAN, [conversation.id])
        row = cursor.fetchone()
    return row[0] if row else None


def handoffs_of(conversation: Conversation) -> Sequence[Handoff]:
    """The latest handoffs of a conversation, without their packages. One query."""
    return list(
        Handoff.objects.filter(conversation=conversation)
        .select_related("offered_to", "owner", "chain")
        .only(*NEXT, "token_count", "chain__total_handoffs")
        .order_by("-created_at")[:HANDOFFS]
    )


def latest_of(conversation: Conversation) -> Handoff | None:
    """The latest handoff of a conversation, as far as the next action depends on it. One query."""
    return next((_LATEST_OF.row(values) for values in stored_rows.found(_LATEST, [conversation.id])), None)


def ready_one(handoffs: Sequence[Handoff], *, now: datetime) -> Handoff | None:
    """The latest of them, where it can be resumed and nobody did."""
    latest = handoffs[0] if handoffs else None
    waits = latest is not None and latest.status == HandoffStatus.READY and latest.resumed_at is None and latest.expires_at > now
    return latest if waits else None


def light(rows: HandoffQuerySet) -> HandoffQuerySet:
    """Handoffs without the documents in them, for lists."""
    return rows.defer(*DOCUMENTS)


def origin_of(conversation: Conversation) -> Resumption | None:
    """The resumption that opened this conversation, with its handoff. One query, where it goes on from another."""
    if conversation.resumed_from_id is None:
        return None
    rows = Resumption.objects.filter(conversation=conversation).select_related("handoff", "handoff__conversation")
    return rows.defer("report", "handoff__conversation__metadata", *(f"handoff__{name}" for name in DOCUMENTS)).first()


def links_of(chain: HandoffChain, *, before: int | None = None) -> Sequence[Handoff]:
    """The latest handoffs of a chain, or the latest before a position, in order, each with its conversation, owner, resumptions and the
    number of its earlier versions. Two queries."""
    resumptions = Resumption.objects.select_related("conversation", "resumed_by").order_by("created_at")
    found = Handoff.objects.filter(chain=chain) if before is None else Handoff.objects.filter(chain=chain, position__lt=before)
    rows = light(found).newest_versions().select_related("conversation", "owner").order_by("-position", "-created_at")
    return list(rows.prefetch_related(Prefetch("resumptions", queryset=resumptions))[:CHAIN])[::-1]


def neighbours_of(handoff: Handoff) -> Sequence[Handoff]:
    """A handoff with those around it in its chain, of each conversation the newest version. One query."""
    near = [handoff.chain_id, handoff.position - NEAR, handoff.position + NEAR, handoff.id, 3 * NEAR]
    return [_earlier_of(_NEAR_ONE.row(values), earlier) for *values, earlier in stored_rows.found(_NEAR, near)]


def _earlier_of(handoff: Handoff, earlier: int) -> Handoff:
    handoff.earlier = earlier  # type: ignore[attr-defined]
    return handoff


def earlier_than(handoff: Handoff) -> Sequence[Handoff]:
    """Handoffs of its chain that were made before it, with which it can be compared, the latest few. One query."""
    rows = Handoff.objects.filter(chain=handoff.chain_id, created_at__lt=handoff.created_at).order_by("-created_at")
    return list(light(rows)[: 2 * NEAR])[::-1]


def resumptions_of(handoff: Handoff) -> Sequence[Resumption]:
    """The resumptions of a handoff, the first one first. One query, none where nobody resumed it."""
    if handoff.resumed_at is None:
        return []
    rows = Resumption.objects.filter(handoff=handoff).select_related("conversation", "resumed_by", "receipt")
    return list(rows.only(*RESUMPTION).order_by("created_at")[:RESUMPTIONS])


def edits_of(handoff: Handoff) -> Sequence[HandoffEdit]:
    """The latest changes of a package, with who made them. One query."""
    rows = HandoffEdit.objects.filter(handoff=handoff).select_related("made_by", "made_with", "undone_by", "undone_with")
    return list(rows.order_by("-created_at", "-id")[:EDITS])


def newer_than(handoff: Handoff) -> Handoff | None:
    """The latest handoff of the same session that was made after this one and can be resumed or made so. One query."""
    later = Handoff.objects.filter(conversation_id=handoff.conversation_id, created_at__gt=handoff.created_at)
    later = later.filter(status__in=(HandoffStatus.DRAFT, HandoffStatus.READY)).select_related("offered_to")
    return later.only("number", "offered_to__name", "offered_to__email").order_by("-created_at", "-id").first()


def latest_edit(handoff: Handoff) -> HandoffEdit | None:
    """The change that can be undone first; none since somebody accepted it as it is. One query."""
    changes = HandoffEdit.objects.filter(handoff=handoff, undone_at=None).exclude(action=EditAction.DECLINE)
    latest = changes.order_by("-created_at", "-id").first()
    return None if latest is None or latest.action == EditAction.ACCEPT else latest


def pinned_keys(handoff: Handoff) -> set[str]:
    """The keys of the lines that people pinned: anchors of the conversation, and lines of this package. Two queries."""
    with connection.cursor() as cursor:
        cursor.execute(_PINNED, [handoff.conversation_id])
        anchors = {key for (key,) in cursor.fetchall()}
    return anchors | regenerate.steering_of(handoff).pinned


def teammates_for(handoff: Handoff, *, without: User | None) -> Sequence[User]:
    """Those of the team to whom a person can offer a handoff. One query."""
    return _able(handoff.team_id, without=[each for each in (handoff.owner_id, without.id if without else None) if each])


def teammates_of(team: Team, user: User | None) -> Sequence[User]:
    """Those of the team, but for the `user`, who may be given a handoff. One query."""
    return _able(team.id, without=[user.id] if user else [])


def _able(team: UUID, *, without: Collection[UUID]) -> Sequence[User]:
    return stored_rows.rows(User, _ABLE, [team, Role.MEMBER, list(without), TEAMMATES])


def notices_for(team: Team, user: User | None, now: datetime) -> Sequence[Notice]:
    """The handoffs that expire within a day, neither resumed nor given more time since; of all the team where `user` is None. Three
    queries."""
    rows = list(notices.current(team=team, user=user, now=now)[:NOTICES])
    subjects = [row.subject_id for row in rows]
    packages = Handoff.objects.filter(id__in=subjects, resumed_at=None, status__in=cleanup.WAITING)
    ending = Conversation.objects.filter(id__in=subjects, status__in=notices.IN_USE)
    still = {*packages.values_list("id", "expires_at"), *ending.values_list("id", "expires_at")}
    return [row for row in rows if (row.subject_id, row.due_at) in still]
