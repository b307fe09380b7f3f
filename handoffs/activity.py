"""Recent activity of a team, and the figures of its last two weeks; bounded reads by index."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TypeVar

from django.db.models import Avg, Count, Exists, F, Model, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from continuity.models import Conversation, Job, Team
from continuity.services.recording import imports
from handoffs.models import EditAction, Handoff, HandoffEdit, HandoffStatus, Resumption
from handoffs.models.makers import maker_of

M = TypeVar("M", bound=Model)
SHOWN = 8
DAYS = 14
MAKER = ("made_by__name", "made_by__email", "made_with__name", "made_with__created_by__name", "made_with__created_by__email")
LONG_OVER = timedelta(days=1)  # a session whose last message was said so long before it came was not recorded live


@dataclass(frozen=True, slots=True)
class ActivityEntry:
    """Something that was done, to which conversation, by whom if that is known; `what` is begun, imported, prepared, accepted, resumed."""

    what: str
    at: datetime
    conversation: Conversation
    handoff: Handoff | None = None
    who: object = None


def latest(team: Team) -> Sequence[ActivityEntry]:
    """The latest first. Four queries."""
    files = Job.objects.filter(conversation=OuterRef("pk"), kind=imports.KIND, created_at__lte=OuterRef("created_at"))
    conversations = Conversation.objects.filter(team=team).select_related("owner").annotate(of_file=Exists(files))
    conversations = conversations.only("title", "created_at", "active_at", "resumed_from", "owner__name", "owner__email")
    prepared = Handoff.objects.filter(team=team).select_related("conversation", "made_by", "made_with__created_by")
    prepared = prepared.only("number", "automatic", "fidelity_score", "created_at", "conversation__title", *MAKER)
    resumed = Resumption.objects.filter(team=team).select_related("conversation", "handoff", "resumed_by")
    resumed = resumed.only("created_at", "conversation__title", "handoff__number", "resumed_by__name", "resumed_by__email")
    accepted = HandoffEdit.objects.filter(team=team, action=EditAction.ACCEPT)
    accepted = accepted.select_related("handoff__conversation", "made_by", "made_with__created_by")
    accepted = accepted.only("created_at", "handoff__number", "handoff__conversation__title", *MAKER)
    entries = [
        *(
            ActivityEntry(_beginning(row), row.created_at, row, who=row.owner)
            for row in _newest(conversations)
            if row.resumed_from_id is None
        ),
        *(ActivityEntry("prepared", row.created_at, row.conversation, row, row.maker) for row in _newest(prepared)),
        *(ActivityEntry("accepted", row.created_at, row.handoff.conversation, row.handoff, maker_of(row)) for row in _newest(accepted)),
        *(ActivityEntry("resumed", row.created_at, row.conversation, row.handoff, row.resumed_by) for row in _newest(resumed)),
    ]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)[:SHOWN]


def _beginning(row: Conversation) -> str:
    """A hook records a short session when it is over, seconds after its last words: that alone makes no import."""
    return "imported" if getattr(row, "of_file", False) or row.active_at < row.created_at - LONG_OVER else "begun"


def _newest(rows: QuerySet[M]) -> QuerySet[M]:
    return rows.order_by("-created_at")[:SHOWN]


@dataclass(frozen=True, slots=True)
class Day:
    """One day: of its handoffs `passed` their check; the mean `fidelity` is of all, also of those that failed (None where there are none).
    `saved` are the tokens that filled the windows of sessions which others went on from, less those of the directives of these.
    """

    day: date
    conversations: int = 0
    handoffs: int = 0
    passed: int = 0
    fidelity: float | None = None
    saved: int = 0


def fortnight(team: Team, now: datetime) -> Sequence[Day]:
    """The last 14 days in the reader's time zone, today last. Two queries, aggregated by the database."""
    today = timezone.localtime(now).date()
    since = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=DAYS - 1)
    recent = {"created_at__gte": since}
    begun = Conversation.objects.visible_to(team).filter(**recent).annotate(day=TruncDate("created_at")).order_by()
    began = dict(begun.values_list("day").annotate(Count("id")))
    made = Handoff.objects.visible_to(team).filter(**recent).annotate(day=TruncDate("created_at")).order_by().values_list("day")
    passed = ~Q(status=HandoffStatus.FAILED)
    resumed = Q(status=HandoffStatus.RESUMED, context_tokens__gt=F("token_count"))
    saved = Sum(F("context_tokens") - F("token_count"), filter=resumed)
    # Only columns that the index of these figures holds: the rows themselves are wide.
    whole = {"number": Count("*"), "sound": Count("status", filter=passed), "mean": Avg("fidelity_score"), "saved": saved}
    figures = made.annotate(**whole)
    found = {day: rest for day, *rest in figures}
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    return [_day(day, began.get(day, 0), *found.get(day, (0, 0, None, 0))) for day in days]


def _day(day: date, begun: int, handoffs: int, passed: int, fidelity: float | None, saved: int | None) -> Day:
    return Day(day, begun, handoffs, passed, fidelity, saved or 0)


@dataclass(frozen=True, slots=True)
class ActivityFigure:
    """One figure over a fortnight: its total or mean, its course, and what else is to be said of it."""

    name: str
    value: float | None
    course: Sequence[float | None]
    is_share: bool = False
    says: str = ""


def figures(days: Sequence[Day]) -> Sequence[ActivityFigure]:
    """Totals of the days, and the mean fidelity of all their handoffs, with the share that failed. No query."""
    handoffs, passed = sum(day.handoffs for day in days), sum(day.passed for day in days)
    mean = sum((day.fidelity or 0) * day.handoffs for day in days) / handoffs if handoffs else None
    failed = f"{(handoffs - passed) / handoffs:.0%} failed their check" if handoffs else ""
    return [
        ActivityFigure("Conversations opened", sum(day.conversations for day in days), [day.conversations for day in days]),
        ActivityFigure("Handoffs prepared", handoffs, [day.handoffs for day in days]),
        ActivityFigure("Mean fidelity", mean, [day.fidelity for day in days], is_share=True, says=failed),
        ActivityFigure(
            "Tokens saved",
            sum(day.saved for day in days),
            [day.saved for day in days],
            says="Tokens you did not have to send again, because a handoff replaced the full conversation.",
        ),
    ]
