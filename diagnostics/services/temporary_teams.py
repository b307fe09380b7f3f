"""Teams that last as long as a measurement: removed at its end beside whatever workers do, and those that a killed one left as well."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID, uuid4

import psycopg
from django.db import IntegrityError, OperationalError, connection, transaction

from continuity.models import Conversation, Job, JobStatus, Team

logger = logging.getLogger("continuity.diagnostics")

# A worker may write for one of its conversations while it is removed; what it holds when we come is over in a moment.
TRIES = 20
PAUSE_SECONDS = 0.5
_LOCK = "hashtextextended(%s, 0)"


@contextmanager
def passing_team(prefix: str, name: str, *, keep: bool = False) -> Iterator[Team]:
    """A team whose slug begins with `prefix`. As long as this process lives nobody takes it for left behind."""
    slug = f"{prefix}-{uuid4().hex[:8]}"
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as living:
        living.execute(f"SELECT pg_advisory_lock({_LOCK})", [slug])
        team = Team.objects.create(slug=slug, name=name)
        try:
            yield team
        finally:
            if not keep:
                remove(team)


def remove_leftovers(prefix: str, name: str) -> int:
    """Removes the teams of runs that were killed, and returns how many there were."""
    left = [team for team in Team.objects.filter(slug__regex=rf"^{prefix}-[0-9a-f]{{8}}$", name=name) if not _is_in_use(team)]
    for team in left:
        remove(team)
    return len(left)


def _is_in_use(team: Team) -> bool:
    """Whether the process that made it lives: its lock ends with its connection."""
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as asking:
        row = asking.execute(f"SELECT pg_try_advisory_lock({_LOCK})", [team.slug]).fetchone()
    return not (row and row[0])


def remove(team: Team) -> None:
    """Removes a team with all that is in it, also while workers write for it. Raises what it failed with after ten seconds."""
    for left in reversed(range(TRIES)):
        try:
            _remove(team.id)
            return
        except (IntegrityError, OperationalError) as error:
            if not left:
                raise
            logger.info("A worker still writes for the team %s", team.slug, extra={"metadata": {"error": type(error).__name__}})
            time.sleep(PAUSE_SECONDS)


@transaction.atomic
def _remove(team_id: UUID) -> None:
    """Jobs lose their leases, and nobody adds anything: a transaction that refers to these rows waits for us, and then fails."""
    team = Team.objects.select_for_update().filter(id=team_id).first()
    if team is None:
        return
    Job.objects.filter(team=team, status__in=[JobStatus.QUEUED, JobStatus.RUNNING]).update(status=JobStatus.DONE, lease_token=None)
    list(Conversation.objects.filter(team=team).order_by("id").select_for_update().values_list("id", flat=True))
    team.delete()
