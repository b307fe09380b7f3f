"""How the work in the background does, and what a team stores."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Count, Min, QuerySet, Sum

from continuity.models import Conversation, Event, Job, JobStatus, Team
from diagnostics.models import Attempt, AttemptKind, ScheduledRun
from handoffs import queries
from handoffs.models import Handoff

WORST = 8
UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING)
# The sweep comes every five seconds; a worker that missed it for so long is away or overloaded.
SILENT = timedelta(seconds=60)
SWEEP = "continuity.sweep"


@dataclass(frozen=True, slots=True)
class Work:
    """`swept_at` is when a worker last looked for work (None: never); `waiting_since` the oldest unfinished job's time."""

    answers: bool
    swept_at: datetime | None
    queued: int
    running: int
    failed: int
    waiting_since: datetime | None
    unfolded: int
    undelivered: int
    failures: Sequence[Job]


def work_of(*, team: Team, now: datetime, since: datetime) -> Work:
    """The team's jobs, and whether somebody does them. Five queries, all by partial or team indexes."""
    swept = ScheduledRun.objects.filter(name=SWEEP).first()
    swept_at = swept.finished_at if swept else None
    open_jobs = Job.objects.filter(team=team, status__in=UNFINISHED)
    states = open_jobs.order_by().values("status").annotate(number=Count("id"), first=Min("created_at"))
    counts = {row["status"]: row for row in states}
    failed = Job.objects.filter(team=team, status=JobStatus.FAILED, created_at__gte=since)
    return Work(
        answers=swept_at is not None and now - swept_at < SILENT,
        swept_at=swept_at,
        queued=counts[JobStatus.QUEUED]["number"] if JobStatus.QUEUED in counts else 0,
        running=counts[JobStatus.RUNNING]["number"] if JobStatus.RUNNING in counts else 0,
        failed=failed.count(),
        waiting_since=min((row["first"] for row in counts.values()), default=None),
        unfolded=Conversation.objects.visible_to(team).unfolded().count(),
        undelivered=Event.objects.filter(team=team, dispatched_at=None).count(),
        failures=list(failed.select_related("conversation").order_by("-created_at")[:WORST]),
    )


@dataclass(frozen=True, slots=True)
class Stored:
    """What a team has stored: rows, and the tokens in its messages."""

    team: str
    conversations: int
    messages: int
    tokens: int
    handoffs: int


def stored_by(teams: QuerySet[Team]) -> Sequence[Stored]:
    """For each of the teams, the largest first; messages are summed from the conversations' counters, never counted. Three queries."""
    ids = dict(teams.values_list("id", "name")[:200])
    rows = Conversation.objects.filter(team__in=ids).order_by().values("team")
    sums = rows.annotate(number=Count("id"), said=Sum("message_count"), tokens=Sum("total_tokens"))
    handoffs = dict(Handoff.objects.filter(team__in=ids).order_by().values_list("team").annotate(Count("id")))
    found: dict[UUID, Stored] = {identifier: Stored(name, 0, 0, 0, 0) for identifier, name in ids.items()}
    for row in sums:
        team = row["team"]
        found[team] = Stored(ids[team], row["number"], row["said"], row["tokens"], handoffs.get(team, 0))
    return sorted(found.values(), key=lambda stored: (-stored.tokens, stored.team))


@dataclass(frozen=True, slots=True)
class Slow:
    """`handoff` is None where it was deleted since."""

    attempt: Attempt
    handoff: Handoff | None


def slowest(*, team: Team, since: datetime) -> Sequence[Slow]:
    """The handoffs that took the longest to prepare. Two queries."""
    rows = Attempt.objects.filter(team=team, kind=AttemptKind.HANDOFF, at__gte=since).order_by("-duration_ms", "id")[:WORST]
    attempts = list(rows)
    wanted = [attempt.subject for attempt in attempts if attempt.subject]
    light = queries.light(Handoff.objects.visible_to(team)).select_related("conversation")
    known = light.in_bulk(wanted)
    return [Slow(attempt, known.get(attempt.subject) if attempt.subject else None) for attempt in attempts]


def lowest(*, team: Team, since: datetime) -> Sequence[Handoff]:
    """The handoffs with the lowest fidelity, those that are whole left out. One query."""
    rows = queries.light(Handoff.objects.visible_to(team).filter(created_at__gte=since, fidelity_score__lt=1.0))
    return list(rows.select_related("conversation").order_by("fidelity_score", "-created_at")[:WORST])
