"""Shared state: putting one, and what changed since a position, with few and with very many versions stored."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import Any

from django.db import connection
from django.utils import timezone

from continuity.models import Team
from continuity.services.shared_state import state_queries, states
from continuity.services.shared_state.states import StateWriter
from diagnostics.bench.rows import BenchRow, row, timed

PLAN = {"goal": "Ship it on Friday.", "steps": [{"name": f"step {number}", "done": False} for number in range(40)], "done": 0}
VERSIONS_EACH = 10
# So many states are filled in by one statement, so that a large one can be stopped, and memory and log of the database stay small.
AT_ONCE = 10_000
# As the write path leaves them, ten versions to a state and a thousand states to an owner, beside what is there. Written at once, since a
# million writes would take an hour.
_FILL = """
WITH entries AS (
    INSERT INTO continuity_stateentry (id, created_at, team_id, scope, owner_id, key, strategy, merges, stored, removed, unresolved,
        version, shown, oldest, since_snapshot, position, digest, size, history_size, author, updated_at)
    SELECT gen_random_uuid(), %(now)s, %(team)s, 'agent', md5((number / 1000)::text)::uuid, 'filled.' || number, 'last_write_wins', '{}',
        '[{"done": 1}]', false, false, %(each)s, %(each)s, 1, %(each)s, nextval('continuity_state_position'), '', 14, 200, 'bench', %(now)s
    FROM generate_series(%(first)s, %(last)s) AS number
    RETURNING id
)
INSERT INTO continuity_stateversion
    (id, created_at, entry_id, number, position, author, conflict, places, snapshot, difference, size, digest)
SELECT gen_random_uuid(), %(now)s, entries.id, number, nextval('continuity_state_position'), 'bench', 'none', '[]',
    CASE WHEN number = 1 THEN '[{"done": 1}]'::jsonb END, CASE WHEN number > 1 THEN '{"~": {}}'::jsonb END, 14, ''
FROM entries, generate_series(1, %(each)s) AS number
"""


def measured(team: Team, n: int, *, most: int) -> Iterator[BenchRow]:
    """`most` versions at last, in steps of tens."""
    where: dict[str, Any] = {"team": team, "scope": "team", "owner": "own", "key": "plan"}
    put = [timed(partial(states.put, **where, value={**PLAN, "done": number}, writer=_writer())) for number in range(n)]
    yield row("put a state of 2 KB", put, target_ms=20)
    patched = [timed(partial(states.patch, **where, patch={"done": -number}, writer=_writer())) for number in range(1, n + 1)]
    yield row("patch a state of 2 KB", patched, target_ms=20)
    filled = 0
    while filled < most:
        size = min(max(1000, filled * 10), most)
        for first in range(filled // VERSIONS_EACH, size // VERSIONS_EACH, AT_ONCE):
            _fill(team, first, min(first + AT_ONCE, size // VERSIONS_EACH))
        _analyse()
        filled = size
        yield from _at(team, where, n, filled)


def _at(team: Team, where: dict[str, Any], n: int, filled: int) -> Iterator[BenchRow]:
    before = state_queries.get(**where).position
    states.patch(**where, patch={"at": filled}, writer=_writer())
    samples = [timed(partial(state_queries.changed_since, team=team, position=before)) for _ in range(n)]
    yield row(f"changes since a position at {filled:,} versions", samples, target_ms=20)
    number = max(1, state_queries.get(**where).version - 7)
    samples = [timed(partial(_value_at, where, number)) for _ in range(n)]
    yield row(f"read an earlier version at {filled:,} versions", samples, target_ms=20)


def _value_at(where: dict[str, Any], number: int) -> object:
    return state_queries.value_at(state_queries.get(**where), number)


def _fill(team: Team, first: int, last: int) -> None:
    now: datetime = timezone.now()
    with connection.cursor() as cursor:
        cursor.execute(_FILL, {"now": now, "team": team.id, "first": first + 1, "last": last, "each": VERSIONS_EACH})


def _analyse() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE continuity_stateentry, continuity_stateversion")


def _writer() -> StateWriter:
    return StateWriter(author="bench", now=timezone.now())
