"""The first page of the admin: whether everything answers, what is scheduled and when it last ran, and what is stored."""

from datetime import timedelta
from typing import Any

from celery import current_app
from django.db import connection
from django.http import HttpRequest
from django.utils import timezone

from continuity.models import Anchor, Conversation, Event, FileTouch, Job, JobStatus, Message, Segment
from continuity.templatetags.figures import grouped, spoken
from diagnostics import health_probe
from diagnostics.models import ScheduledRun
from diagnostics.services import status
from handoffs.models import Handoff, HandoffStatus

DAY = timedelta(days=1)
LARGE: list[Any] = [Message, Anchor, Segment, FileTouch, Conversation, Handoff, Event, Job]


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the page shows beside the list of models. A fixed number of queries; no table is counted that grows with messages."""
    now = timezone.now()
    seen = health_probe.look()
    made = Handoff.objects.filter(created_at__gte=now - DAY)
    swept = ScheduledRun.objects.filter(name=status.SWEEP).first()
    last = swept.finished_at if swept else None
    return context | {
        "figures": [
            ("Store", seen.storage, "/ready asks the same"),
            ("Event bus", seen.event_bus, "without it events wait in the store"),
            (
                "Workers",
                "ok" if last and now - last < status.SILENT else "silent",
                f"last seen {spoken(last, now)}" if last else "not yet",
            ),
            ("Live for agents", grouped(seen.active_sessions), "conversations that agents work on"),
            ("Handoffs of a day", grouped(made.count()), f"{made.filter(status=HandoffStatus.FAILED).count()} failed"),
            ("Jobs waiting", grouped(Job.objects.filter(status__in=status.UNFINISHED).count()), f"{_failed(now)} failed in a day"),
        ],
        "schedule": {
            "headers": ["Task", "Every", "Last run", "Took", "Runs", "Failures", "Last failure"],
            "rows": _schedule(now),
        },
        "teams": {
            "headers": ["Team", "Conversations", "Messages", "Tokens", "Handoffs"],
            "rows": [
                [each.team, grouped(each.conversations), grouped(each.messages), grouped(each.tokens), grouped(each.handoffs)]
                for each in status.stored()
            ],
        },
        "tables": {"headers": ["Table", "Rows, about", "Size on disk"], "rows": _tables()},
    }


def _failed(now: Any) -> int:
    return Job.objects.filter(status=JobStatus.FAILED, created_at__gte=now - DAY).count()


def _schedule(now: Any) -> list[list[str]]:
    """The scheduled tasks, each with its last run."""
    runs = ScheduledRun.objects.in_bulk()
    rows = []
    for label, entry in sorted(current_app.conf.beat_schedule.items()):
        run = runs.get(entry["task"])
        every = f"{entry['schedule']:g} s"
        if run is None:
            rows.append([label, every, "not yet", "–", "0", "0", "–"])
            continue
        last = spoken(run.finished_at, now) if run.finished_at else "–"
        failure = f"{run.error}, {spoken(run.failed_at, now)}" if run.failed_at else "–"
        took = "–" if run.seconds is None else f"{run.seconds:.2f} s"
        rows.append([label, every, last, took, grouped(run.runs), grouped(run.failures), failure])
    return rows


def _tables() -> list[list[str]]:
    """The size of the large tables with their indexes; their rows as Postgres estimates them. One query."""
    names = {model._meta.db_table: str(model._meta.verbose_name_plural) for model in LARGE}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, greatest(reltuples, 0)::bigint, pg_size_pretty(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relname = ANY(%s) AND relkind = 'r' ORDER BY pg_total_relation_size(oid) DESC",
            [list(names)],
        )
        return [[names[name], grouped(rows), size] for name, rows, size in cursor.fetchall()]
