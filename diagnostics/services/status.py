"""The state of background work, and what a team stores."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import QuerySet

from continuity.models import Job, JobStatus, Team
from continuity.services.monitor import leading
from diagnostics.models import Attempt, AttemptKind
from handoffs.models import Handoff
from handoffs.models.handoffs import DOCUMENTS

WORST = 8
UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING)
# The sweep comes every five seconds; a worker that missed it for so long is away or overloaded.
SILENT = timedelta(seconds=60)
SWEEP = "continuity.sweep"


@dataclass(frozen=True, slots=True)
class Work:
    """`swept_at` is when a worker last looked for work (None: never); `waiting_since` the oldest unfinished job's time; `monitored` that a
    monitor leads."""

    answers: bool
    swept_at: datetime | None
    queued: int
    running: int
    failed: int
    waiting_since: datetime | None
    unfolded: int
    undelivered: int
    failures: Sequence[Job]
    monitored: bool


# One statement for what are counts of a few rows each, by partial or team indexes; composing six takes longer than they do.
_WORK = """
SELECT (SELECT finished_at FROM diagnostics_scheduledrun WHERE name = %(sweep)s), queued, running, first,
    (SELECT count(*) FROM continuity_job WHERE team_id = %(team)s AND status = 'failed' AND created_at >= %(since)s),
    (SELECT count(*) FROM continuity_conversation WHERE team_id = %(team)s AND last_seq > folded_seq),
    (SELECT count(*) FROM continuity_event WHERE team_id = %(team)s AND (dispatched_at IS NULL OR position IS NULL))
FROM (
    SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
        min(created_at) AS first
    FROM continuity_job WHERE team_id = %(team)s AND status IN ('queued', 'running')
) AS unfinished
"""


def work_of(*, team: Team, now: datetime, since: datetime) -> Work:
    """The team's jobs, and whether somebody does them. Three queries."""
    with connection.cursor() as cursor:
        cursor.execute(_WORK, {"sweep": SWEEP, "team": team.id, "since": since})
        swept_at, queued, running, waiting_since, failed, unfolded, undelivered = cursor.fetchone()
    failures = Job.objects.filter(team=team, status=JobStatus.FAILED, created_at__gte=since).select_related("conversation")
    return Work(
        answers=swept_at is not None and now - swept_at < SILENT,
        swept_at=swept_at,
        queued=queued,
        running=running,
        failed=failed,
        waiting_since=waiting_since,
        unfolded=unfolded,
        undelivered=undelivered,
        failures=list(failures.order_by("-created_at")[:WORST]) if failed else [],
        monitored=leading.somebody_leads(),
    )


@dataclass(frozen=True, slots=True)
class StoredAmounts:
    """The amounts that a team has stored: rows, and the tokens in its messages."""

    team: str
    conversations: int
    messages: int
    tokens: int
    handoffs: int


_STORED = """
SELECT team.name, of_conversations.*, (SELECT count(*) FROM session_handoffs WHERE team_id = team.id)
FROM continuity_team AS team, LATERAL (
    SELECT count(*), coalesce(sum(message_count), 0), coalesce(sum(total_tokens), 0) AS tokens
    FROM continuity_conversation WHERE team_id = team.id
) AS of_conversations
WHERE %(team)s IS NULL OR team.id = %(team)s
ORDER BY of_conversations.tokens DESC, team.name LIMIT 200
"""


def stored(team: Team | None = None) -> Sequence[StoredAmounts]:
    """For a team, or for each, the largest first; messages are summed from the conversations' counters, never counted. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_STORED, {"team": team.id if team else None})
        return [StoredAmounts(*row) for row in cursor.fetchall()]


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
    known = _handoffs(team).in_bulk(wanted) if wanted else {}
    return [Slow(attempt, known.get(attempt.subject) if attempt.subject else None) for attempt in attempts]


def lowest(*, team: Team, since: datetime) -> Sequence[Handoff]:
    """The handoffs with the lowest fidelity, those that are whole left out. One query."""
    rows = _handoffs(team).filter(created_at__gte=since, fidelity_score__lt=1.0)
    return list(rows.order_by("fidelity_score", "-created_at")[:WORST])


def _handoffs(team: Team) -> QuerySet[Handoff]:
    """Without what lists don't show."""
    return Handoff.objects.filter(team=team).select_related("conversation").defer(*DOCUMENTS, "conversation__metadata")
