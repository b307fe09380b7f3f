"""Reading ratings: those of a handoff, and how many a team's readers gave lately."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from continuity.models import ApiKey, Team, User
from continuity.services.recording import stored_rows
from continuity.services.recording.stored_rows import Columns, JoinedColumns
from handoffs.models import Handoff, HandoffRating, RatingKind
from handoffs.models.handoffs import DOCUMENTS

SHOWN = 200
NEWEST = 8
_WITH_MAKER = JoinedColumns(
    Columns(HandoffRating, name="rating"), made_by=Columns(User, name="person"), made_with=Columns(ApiKey, "name", name="key")
)
_RATINGS = f"""
SELECT {_WITH_MAKER.sql} FROM handoffs_handoffrating AS rating
LEFT JOIN continuity_user AS person ON person.id = rating.made_by_id LEFT JOIN continuity_apikey AS key ON key.id = rating.made_with_id
WHERE rating.handoff_id = %s
ORDER BY (rating.made_by_id = %s::uuid AND rating.made_with_id IS NULL) IS TRUE DESC, rating.created_at DESC, rating.id LIMIT %s
"""  # noqa: S608  our own names


@dataclass(frozen=True, slots=True)
class RatingCounts:
    """How often each was said; `handoffs` is how many were rated at all."""

    useful: int = 0
    not_useful: int = 0
    wrong_line: int = 0
    missing: int = 0
    handoffs: int = 0

    @property
    def any(self) -> bool:
        return bool(self.useful or self.not_useful or self.wrong_line or self.missing)


def ratings_of(handoff: Handoff, *, first: User | None = None) -> Sequence[HandoffRating]:
    """The ratings of a handoff, those of the person `first` before all others, then the newest first, at most SHOWN. One query."""
    given = [handoff.id, first.id if first is not None else None, SHOWN]
    return [_WITH_MAKER.row(values) for values in stored_rows.found(_RATINGS, given)]


def of_handoff(handoff: Handoff) -> RatingCounts:
    """All ratings of a handoff. One query."""
    return _counted(HandoffRating.objects.filter(handoff=handoff))


def counts_of(handoff: Handoff, shown: Sequence[HandoffRating]) -> RatingCounts:
    """All ratings of a handoff, of which these are `shown`. No query unless there may be more."""
    if len(shown) >= SHOWN:
        return of_handoff(handoff)
    kinds = Counter(each.kind for each in shown)
    useful = Counter(each.useful for each in shown if each.kind == RatingKind.USEFUL)
    return RatingCounts(useful[True], useful[False], kinds[RatingKind.WRONG_LINE], kinds[RatingKind.MISSING], int(bool(shown)))


def of_team(*, team: Team, since: datetime) -> RatingCounts:
    """The counts of the team's ratings since then. One query."""
    return _counted(HandoffRating.objects.visible_to(team).filter(created_at__gte=since))


def _counted(rows: QuerySet[HandoffRating]) -> RatingCounts:
    found: Mapping[str, int] = rows.aggregate(
        were_useful=Count("id", filter=Q(useful=True)),
        were_not=Count("id", filter=Q(useful=False)),
        wrong=Count("id", filter=Q(kind=RatingKind.WRONG_LINE)),
        lacking=Count("id", filter=Q(kind=RatingKind.MISSING)),
        rated=Count("handoff", distinct=True),
    )
    return RatingCounts(*found.values())


def newest_faults(*, team: Team, since: datetime) -> Sequence[HandoffRating]:
    """The newest wrong lines and missing things that the team's readers told, at most NEWEST. One query."""
    faults = HandoffRating.objects.visible_to(team).filter(created_at__gte=since).exclude(kind=RatingKind.USEFUL)
    return list(
        faults.select_related("handoff__conversation").defer(*(f"handoff__{name}" for name in DOCUMENTS)).order_by("-created_at")[:NEWEST]
    )
