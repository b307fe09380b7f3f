"""A look at Postgres, the disk and the broker, in bounded time and without the application's own connections."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from pathlib import Path

import psycopg
from django.conf import settings
from django.db import connection

from continuity.agents.statuses import AgentStatus
from continuity.core import deadlines, disk
from continuity.core.database_connection import BoundedConnection
from continuity.models import Agent, Cleanup, Conversation, Incident
from continuity.services.agents import capacity
from continuity.services.jobs import broker

# A probe is anonymous and may come often: one a second looks, the others get what it saw.
SEEN_FOR = 1.0
CONNECT_SECONDS = 2
STATEMENT_MILLISECONDS = 1500
STORAGE_SECONDS = 3.0  # for a server that took the connection and then says nothing
# Live conversations of agents, failed clean-ups, failed agents, open incidents, and the live conversations of the team that has most.
Counts = tuple[int | None, int | None, int | None, int, int]
NOTHING: Counts = (None, None, None, 0, 0)


class Check(StrEnum):
    OK = "ok"
    INITIALIZING = "initializing"
    FAILED = "failed"
    DRAINING = "draining"


@dataclass(frozen=True, slots=True)
class Seen:
    """The findings of one check; the counts are None where the store did not answer."""

    storage: Check
    event_bus: Check
    active_sessions: int | None
    failed_cleanups: int | None
    failed_agents: int | None = None
    incidents: int = 0
    most_of_a_team: int = 0


def _kept(look: Callable[[], Seen]) -> Callable[[], Seen]:
    """Gives what was seen less than a second ago again; those who come meanwhile wait for the one who looks."""
    lock = threading.Lock()
    last: list[tuple[float, Seen]] = []

    @wraps(look)
    def looking() -> Seen:
        with lock:
            if not last or time.monotonic() - last[0][0] >= SEEN_FOR:
                seen = look()
                last[:] = [(time.monotonic(), seen)]
            return last[0][1]

    return looking


@_kept
def look() -> Seen:
    """Asks Postgres, the disk of the data folder and the broker, for a few seconds together at most."""
    storage, counted = _look_at_storage()
    if storage is Check.OK and not disk.takes_writes(Path(settings.MEDIA_ROOT)):
        storage = Check.FAILED  # Uploads would fail; and where Postgres lies on the same disk, soon everything.
    return Seen(storage, Check.OK if broker.is_reachable() else Check.FAILED, *counted)


def _look_at_storage() -> tuple[Check, Counts]:
    """Asks on a connection of its own: a pool whose server is gone, or that is busy, would keep a probe waiting."""
    table, cleanups, agents = Conversation._meta.db_table, Cleanup._meta.db_table, Agent._meta.db_table
    params = connection.get_connection_params()
    options = f"{params.get('options', '')} -c statement_timeout={STATEMENT_MILLISECONDS}".strip()
    try:
        wanted = {**params, "connect_timeout": CONNECT_SECONDS, "options": options}
        with deadlines.within(STORAGE_SECONDS), BoundedConnection.connect(**wanted, autocommit=True) as probe:
            row = probe.execute("SELECT to_regclass(%s) IS NOT NULL", [table]).fetchone()
            if row is None or not row[0]:
                return Check.INITIALIZING, NOTHING
            probe.execute("SELECT pg_logical_emit_message(true, 'continuity', 'Is anything kept?')")  # a commit, and in no table
            sessions, fullest = probe.execute(capacity.COUNTED, capacity.COUNTED_FOR).fetchone() or (0, 0)
            counted = probe.execute(
                f'SELECT (SELECT count(*) FROM "{cleanups}" WHERE done_at IS NULL AND alerted_at IS NOT NULL), '  # noqa: S608 (our own names)
                f'(SELECT count(*) FROM "{agents}" WHERE status = %s), '
                f'(SELECT count(*) FROM "{Incident._meta.db_table}" WHERE ended_at IS NULL)',
                [AgentStatus.FAILED.value],
            ).fetchone()
    except psycopg.Error:
        return Check.FAILED, NOTHING
    return Check.OK, (int(sessions), *(counted or (0, 0, 0)), int(fullest))
