"""Reading ratings: those of a handoff, and how many a team's readers gave lately."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from continuity.models import Team
from handoffs.models import Handoff, HandoffRating, RatingKind
from handoffs.models.handoffs import DOCUMENTS

SHOWN = 200
NEWEST = 8


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


def ratings_of(handoff: Handoff) -> Sequence[HandoffRating]:
    """The ratings of a handoff, the newest first, at most SHOWN. One query."""
    rows = HandoffRating.objects.filter(handoff=handoff).select_related("made_by", "made_with")
    return list(rows.order_by("-created_at", "id")[:SHOWN])


def counts(ratings: Sequence[HandoffRating]) -> RatingCounts:
    """What these say, counted."""
    useful = [rating.useful for rating in ratings if rating.kind == RatingKind.USEFUL]
    kinds = [rating.kind for rating in ratings]
    handoffs = len({rating.handoff_id for rating in ratings})
    return RatingCounts(
        useful.count(True), useful.count(False), kinds.count(RatingKind.WRONG_LINE), kinds.count(RatingKind.MISSING), handoffs
    )


def of_team(*, team: Team, since: datetime) -> RatingCounts:
    """What the team's readers said since then. One query."""
    rows = HandoffRating.objects.visible_to(team).filter(created_at__gte=since)
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
