"""Items that need a person now: one bounded query for each kind, whatever the number of conversations.

Only what this person owns and may act on: what is nobody's, or was of somebody who can't act in the team any more, is everybody's.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import chain
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from continuity.agents.statuses import AgentStatus
from continuity.groups.model import GroupStatus
from continuity.models import Agent, Conversation, Group, Job, JobStatus, Membership, Role, Scope, StateEntry, Task, Team, User
from continuity.models.tasks import WAITING
from handoffs.models import Handoff, HandoffStatus, OfferAnswer

SHOWN = 5
RECENT = 200  # conversations, those with the latest activity, whose blocked tasks are looked for
SOON = timedelta(days=2)
LATELY = timedelta(days=3)
IN_MIND = timedelta(days=7)
HAS = {"waiting": "id", "waits": "status", "asked": "offered_to"}  # of the handoff that a session near its limit has
# What the page shows of each: a narrow read costs a fraction of whole rows.
ANSWER = ("accepted", "reason", "created_at", "answered_by__name", "answered_by__email", "handoff__conversation__title")
CONVERSATION = ("title", "context_tokens", "max_context_tokens", "expires_at")
TASK = ("description", "blocking_reason", "status", "conversation__title", "conversation__owner__name", "conversation__owner__email")
AGENT = ("name", "status_at", "failures", "reason")
STATE = ("key", "scope", "updated_at", "author", "position", "conversation__title", "agent__name")
GROUP = ("status_at", "reason", "conversation__title")
JOB = ("kind", "arguments", "created_at", "error")
PEOPLE = ("offered_by", "offered_to", "owner")
HANDOFF = (
    *("number", "fidelity_score", "created_at", "expires_at", "offered_at", "offer_note", "conversation__title"),
    *(f"{person}__{name}" for person in PEOPLE for name in ("name", "email")),
)

T = TypeVar("T")
Rows = TypeVar("Rows", bound=QuerySet[Any])


@dataclass(frozen=True, slots=True)
class Some(Generic[T]):
    """The first few, and whether there are more."""

    rows: Sequence[T]
    more: bool

    def __bool__(self) -> bool:
        return bool(self.rows)


@dataclass(frozen=True, slots=True)
class Attention:
    """The items that wait for one person in the team."""

    filling: Some[Conversation]
    offers: Some[Handoff]
    accepted: Some[Handoff]  # theirs by an offer, and not resumed yet
    ready: Some[Handoff]  # prepared lately, and not resumed yet, of a session that is not near its limit
    held: Some[Handoff]  # of these, those whose conversation waits for something
    answers: Some[OfferAnswer]
    drafts: Some[Handoff]
    failed: Some[Handoff]
    blocked: Some[Task]
    lapsing: Some[Handoff]
    ending: Some[Conversation]
    imports: Some[Job]
    agents: Some[Agent]
    states: Some[StateEntry]
    groups: Some[Group]
    given: Some[Handoff]  # offered by this person and not answered: they wait for somebody else

    def __bool__(self) -> bool:
        return any(self._own)

    @property
    def count(self) -> str:
        """How many are shown that this person can act on, with a plus where there are more; "" where nothing waits for them."""
        counted = [each for each in self._own if each is not self.held]
        number = sum(len(each.rows) for each in counted)
        return f"{number}{'+' if any(each.more for each in counted) else ''}" if number else ""

    @property
    def _own(self) -> Sequence[Some[Any]]:
        return [getattr(self, each.name) for each in fields(self) if each.name != "given"]


# The first few of each kind of handoff, and one more, in one row; what is shown of them is then read at once.
_WAITING = "status IN ('draft', 'ready')"
_SUPERSEDED = "SELECT FROM session_handoffs AS later WHERE later.conversation_id = found.conversation_id"
# Whose something is that nobody else will see to; `may` is whether the person may act in the team at all.
_ACTIVE = f"""SELECT FROM continuity_membership AS owns JOIN {User._meta.db_table} AS person ON person.id = owns.user_id
    WHERE owns.team_id = %(team)s AND owns.user_id = found.owner_id AND owns.role >= {Role.MEMBER:d} AND person.is_active"""
_MINE = f"%(may)s AND (%(everybodys)s OR found.owner_id IS NULL OR found.owner_id = %(user)s OR NOT EXISTS ({_ACTIVE}))"
_HANDED_OVER = "status = 'ready' AND offered_to_id IS NULL AND offered_by_id IS NOT NULL AND resumed_at IS NULL"
# Somebody went on from a later one of the same session.
_OVERTAKEN = f"EXISTS ({_SUPERSEDED} AND later.created_at > found.created_at AND later.resumed_at IS NOT NULL)"
_ENDED = """SELECT FROM continuity_conversation AS its WHERE its.id = found.conversation_id
    AND its.status IN ('invalidated', 'invalidated_pending_cleanup')"""
_KINDS = {
    "offers": f"{_WAITING} AND offered_to_id = %(user)s ORDER BY offered_at DESC, id DESC",
    "accepted": f"{_HANDED_OVER} AND NOT {_OVERTAKEN} AND expires_at >= %(soon)s AND owner_id IS NOT NULL AND {_MINE} "
    "ORDER BY offered_at DESC, id DESC",
    "ready": "status = 'ready' AND offered_to_id IS NULL AND offered_by_id IS NULL AND resumed_at IS NULL AND created_at > %(lately)s "
    f"AND expires_at >= %(soon)s AND NOT EXISTS ({_SUPERSEDED} AND later.created_at > found.created_at) AND NOT EXISTS ({_ENDED}) "
    f"AND conversation_id <> ALL(%(near)s) AND {_MINE} ORDER BY created_at DESC, id DESC",
    "given": f"{_WAITING} AND offered_to_id IS NOT NULL AND offered_by_id = %(user)s AND %(may)s AND expires_at > %(now)s "
    "ORDER BY offered_at, id",
    "drafts": f"status = 'draft' AND {_MINE} ORDER BY created_at DESC, id DESC",
    "failed": f"status = 'failed' AND NOT EXISTS ({_SUPERSEDED} AND later.created_at > found.created_at) AND {_MINE} "
    "ORDER BY created_at DESC, id DESC",
    "lapsing": f"{_WAITING} AND resumed_at IS NULL AND expires_at > %(now)s AND expires_at < %(soon)s AND {_MINE} ORDER BY expires_at, id",
}
_OF_A_KIND = "ARRAY(SELECT id FROM session_handoffs AS found WHERE team_id = %(team)s AND {which} LIMIT %(limit)s)"
_FIRST = "SELECT " + ", ".join(_OF_A_KIND.format(which=which) for which in _KINDS.values())


def attention(*, team: Team, user: User | None, now: datetime, scopes: Collection[str], everybodys: bool = False) -> Attention:
    """The items for this person, who has these `scopes`; with `everybodys` also what the team's others have to. Fourteen
    queries at most."""
    own = _everybodys if everybodys else _persons
    # What was last said long ago, such as in a session that was imported, needs nobody now.
    lately = now - IN_MIND
    open_ones = own(Conversation.objects.visible_to(team), team, user, Scope.HANDOFF in scopes).going_on().only(*CONVERSATION)
    failed = Job.objects.filter(team=team, status=JobStatus.FAILED, dismissed=False, created_at__gt=now - LATELY)
    failed = failed.only(*JOB)
    imports = own(failed, team, user, Scope.WRITE in scopes, by="created_by")
    filling = open_ones.filling().filter(active_at__gt=lately)
    answers = OfferAnswer.objects.filter(team=team, giver=user).select_related("handoff__conversation", "answered_by").only(*ANSWER)
    near = _fullest(_some(filling.order_by("-active_at", "-id")))
    blocked = own(
        _blocked(team, now).filter(conversation__active_at__gt=lately), team, user, Scope.HANDOFF in scopes, by="conversation__owner"
    )
    stuck = _some(blocked)
    _name_handoffs(near.rows, stuck.rows, now)
    return Attention(
        answers=_some(answers.order_by("-created_at", "-id")),
        filling=near,
        blocked=stuck,
        ending=_some(open_ones.filter(expires_at__gt=now, expires_at__lt=now + SOON).order_by("expires_at", "id")),
        imports=_some(imports.order_by("-created_at", "-id")),
        agents=_some(_failed_agents(team) if Scope.ADMIN in scopes else Agent.objects.none()),
        states=_some(_unresolved(team) if Scope.WRITE in scopes else StateEntry.objects.none()),
        groups=_some(_stuck_groups(team).filter(status_at__gt=lately) if Scope.WRITE in scopes else Group.objects.none()),
        **_handoffs(team, user, now, Scope.HANDOFF in scopes, everybodys, [each.id for each in near.rows]),
    )


def _name_handoffs(near: Sequence[Conversation], stuck: Sequence[Task], now: datetime) -> None:
    """Says which handoff each of those near their limit has (`waiting`, `waits`, `asked`), and to whom one of those that wait is offered
    (`offer`, `offered_to`). Two queries, one row a conversation, and none where there are none."""
    usable = Handoff.objects.filter(status__in=("draft", "ready"), resumed_at=None, expires_at__gt=now)
    if near:
        rows = usable.filter(conversation__in=[each.id for each in near]).order_by("conversation", "-created_at")
        latest = {row["conversation"]: row for row in rows.distinct("conversation").values("conversation", *HAS.values())}
        for session in near:
            if row := latest.get(session.id):
                vars(session).update({name: row[of] for name, of in HAS.items()})
    if stuck:
        rows = usable.filter(conversation__in=[each.conversation_id for each in stuck], offered_to__isnull=False)
        rows = rows.order_by("conversation", "-offered_at")
        offers = {row["conversation"]: row for row in rows.distinct("conversation").values("conversation", "id", "offered_to__name")}
        for task in stuck:
            if row := offers.get(task.conversation_id):
                vars(task).update(offer=row["id"], offered_to=row["offered_to__name"])


def _failed_agents(team: Team) -> QuerySet[Agent]:
    """They wait for somebody who may give orders."""
    return Agent.objects.visible_to(team).filter(status=AgentStatus.FAILED).only(*AGENT).order_by("-status_at", "-id")


def _unresolved(team: Team) -> QuerySet[StateEntry]:
    """They wait for anybody who may write."""
    return (
        StateEntry.objects.visible_to(team)
        .filter(unresolved=True)
        .select_related("conversation", "agent")
        .only(*STATE)
        .order_by("-position")
    )


def _stuck_groups(team: Team) -> QuerySet[Group]:
    """They wait for anybody who may write, or for an agent that somebody has to start."""
    stuck = Group.objects.visible_to(team).filter(status__in=(GroupStatus.WAITING, GroupStatus.SUSPENDED)).exclude(reason="")
    return stuck.select_related("conversation").only(*GROUP).order_by("-status_at", "-id")


def _fullest(latest: Some[Conversation]) -> Some[Conversation]:
    """The same ones, the fullest first: an index finds the latest, and few are shown."""
    return Some(sorted(latest.rows, key=lambda conversation: -(conversation.utilization or 0.0)), latest.more)


def _everybodys(rows: Rows, _team: Team, _user: User | None, may: bool, by: str = "owner") -> Rows:
    """All of them; none where the person may not act on them."""
    return rows if may else rows.none()


def _persons(rows: Rows, team: Team, user: User | None, may: bool, by: str = "owner") -> Rows:
    """Those that are this person's, or nobody's who can act; none where the person may not act on them."""
    if not may:
        return rows.none()
    able = Membership.objects.filter(team=team, role__gte=Role.MEMBER, user__is_active=True, user=OuterRef(by))
    return rows.filter(Q(**{by: user}) | Q(**{f"{by}__isnull": True}) | ~Exists(able))


def _handoffs(team: Team, user: User | None, now: datetime, may: bool, everybodys: bool, near: Sequence[UUID]) -> dict[str, Some[Handoff]]:
    """Those of each kind; conversations `near` their limit lead to theirs. Three queries at most, one where there are none."""
    with connection.cursor() as cursor:
        asked: dict[str, Any] = {
            "team": team.id,
            "user": user.id if user else None,
            "now": now,
            "soon": now + SOON,
            "limit": SHOWN + 1,
            "may": may,
        }
        asked |= {"lately": now - IN_MIND, "near": list(near)}
        asked["everybodys"] = everybodys
        cursor.execute(_FIRST, asked)
        kinds = dict(zip(_KINDS, cursor.fetchone(), strict=True))
    wanted = [*set(chain.from_iterable(kinds.values()))]
    rows = Handoff.objects.filter(team=team, id__in=wanted).select_related("conversation", *PEOPLE)
    known = {row.id: row for row in rows.only(*HANDOFF)} if wanted else {}
    found = {kind: [known[each] for each in ids if each in known] for kind, ids in kinds.items()}
    accepted = found["accepted"]
    _name_blocked([*accepted, *found["offers"]])
    held = [each for each in accepted if getattr(each, "blocked_by", None)]
    found |= {"accepted": [each for each in accepted if each not in held], "held": held}
    return {kind: _cut(rows) for kind, rows in found.items()}


def _name_blocked(handoffs: Sequence[Handoff]) -> None:
    """Says for what the latest blocked task of each one's session waits (`blocked_by`), and whether the agent said so (`agents_words`)
    or a person, or the list of a tool. One query, none where there are none."""
    if not handoffs:
        return
    places = {each.conversation_id for each in handoffs}
    rows = Task.objects.filter(conversation__in=places, status__in=WAITING, dismissed=False).exclude(blocking_reason="")
    rows = rows.order_by("conversation", "-last_seq", "id").distinct("conversation")
    found = {row["conversation"]: row for row in rows.values("conversation", "blocking_reason", "edited_by", "tool_id")}
    for handoff in handoffs:
        if row := found.get(handoff.conversation_id):
            vars(handoff).update(blocked_by=row["blocking_reason"], agents_words=not (row["edited_by"] or row["tool_id"]))


def _blocked(team: Team, now: datetime) -> QuerySet[Task]:
    recent = Conversation.objects.visible_to(team).going_on().order_by("-active_at", "-id").values("id")[:RECENT]
    stuck = Task.objects.filter(team=team, conversation__in=recent, status__in=WAITING, dismissed=False)
    # Whoever accepted a handoff of it is next, and is told of that one.
    passed_on = Handoff.objects.filter(conversation=OuterRef("conversation"), status=HandoffStatus.READY, offered_by__isnull=False)
    stuck = stuck.exclude(Exists(passed_on.filter(offered_to=None, resumed_at=None, expires_at__gt=now)))
    return stuck.select_related("conversation__owner").only(*TASK).order_by("-conversation__active_at", "-last_seq", "id")


def _some(rows: QuerySet[Any]) -> Some[Any]:
    return _cut(list(rows[: SHOWN + 1]))


def _cut(found: Sequence[T]) -> Some[T]:
    return Some(found[:SHOWN], len(found) > SHOWN)
