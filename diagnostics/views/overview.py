"""The diagnostics page of a team: charts and figures of its handoffs."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from continuity.views.access import MemberRequest, member_page
from diagnostics.services import snapshots, status, trends
from diagnostics.views.pictures import pictures
from handoffs.services.ratings import rating_queries

DAYS = 30


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The last days, as many as asked for, or else as there is something of. A fixed number of queries. Raises GateClosed below tier
    Teams."""
    team, now = request.principal.team, timezone.now()
    offered = [days for days in trends.STEPS if days <= settings.CONTINUITY_METRICS_DAYS] or [1]
    asked = request.GET.get("days", "")
    days = next((known for known in offered if str(known) == asked), 0)
    if not days:
        days = trends.fitting(team=team, now=now, offered=offered, usual=DAYS if DAYS in offered else offered[-1])
    since = now - timedelta(days=days)
    snapshot = snapshots.of_team(team=team, now=now, days=days)
    course = trends.trend_of(team=team, now=now, days=days)
    drawn = pictures(course, trends.lengths_of(team=team, since=since), timezone.get_current_timezone())
    shown = {
        "days": days,
        "offered": offered,
        "snapshot": snapshot,
        "success": _rate(snapshot.successful_handoffs, snapshot.total_handoffs),
        "resumed": _rate(snapshot.successful_resumptions, snapshot.total_resumptions),
        "pictures": [each for each in drawn if each.kind != "ms"],
        "times": [each for each in drawn if each.kind == "ms"],
        "slowest": status.slowest(team=team, since=since),
        "lowest": status.lowest(team=team, since=since),
        "work": status.work_of(team=team, now=now, since=since),
        "stored": status.stored(team),
        "ratings": rating_queries.of_team(team=team, since=since),
        "faults": rating_queries.newest_faults(team=team, since=since),
    }
    return render(request, "diagnostics/overview.html", shown)


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None
