"""Handing out and acknowledging where all is as usual, in one call to the database each.

What is unusual (a subscriber that was away, what comes again, a replay, many events at once) is left to those who know all cases.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.db import OperationalError, connection

from continuity.core import transactions
from continuity.core.errors import KeyRefused
from continuity.core.transactions import ended_for_another
from continuity.events import topics
from continuity.models import ApiKey, Subscription
from continuity.services.accounts import known_keys
from continuity.services.subscriptions.bus_sql import AcknowledgedEvent, FullEvent, acknowledged, read_full_event

MOST = 1000
_TAKE = "SELECT * FROM continuity_take_events(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
_ACKNOWLEDGE = "SELECT * FROM continuity_acknowledge_events(%s, %s, %s, %s, %s, %s)"
# Patterns as they were read last; the call compares them with the row.
_patterns: dict[UUID, tuple[str, list[str]]] = {}


class Bounds(NamedTuple):
    """How many events at most: handed over at once, held, held before the subscriber is behind by itself, looked at in one go, passed over
    before that is stored; and how long until a subscriber is noted as heard of again, and counts as away."""

    most: int
    in_flight: int
    behind: int
    near: int
    passed: int
    quiet: timedelta
    away: timedelta


class UsualTake(NamedTuple):
    """Each event, and whether it was published while the subscriber waited for it; the greatest position of all events; and when the
    first comes again of those that were held before."""

    events: Sequence[tuple[FullEvent, bool]]
    latest: int
    first_due: datetime | None


def remember(found: Subscription) -> None:
    """Remembers its pattern for the next time."""
    if found.id in _patterns and _patterns[found.id][0] == found.pattern:
        return
    if len(_patterns) >= MOST:
        _patterns.clear()
    _patterns[found.id] = found.pattern, topics.expressions(found.pattern)


def take(
    *,
    team_id: UUID,
    subscription_id: UUID,
    epoch: int | None,
    now: datetime,
    due_at: datetime,
    waiting_since: datetime | None,
    patience: timedelta | None,
    bounds: Bounds,
) -> UsualTake | None:
    """None where anything is unusual; nothing was handed over then. Raises OperationalError as `bus_sql.lock`."""
    if (known := _patterns.get(subscription_id)) is None:
        return None
    wait = None if patience is None else f"{patience // timedelta(milliseconds=1)}ms"
    rows = _asked(_TAKE, [subscription_id, team_id, epoch, *known, now, due_at, waiting_since, wait, *bounds])
    if not rows:
        return None
    *_, latest, first_due = rows[0]
    return UsualTake([(read_full_event(row[:11]), row[11]) for row in rows if row[0] is not None], latest, first_due)


def acknowledge(
    *, team_id: UUID, subscription_id: UUID, epoch: int | None, sent: bool, ids: Sequence[UUID], now: datetime, presumed: ApiKey | None
) -> list[AcknowledgedEvent]:
    """What was handed over of these and is acknowledged now; the others are left to who knows all cases, and all of them where what must
    hold where the request writes does not. Raises KeyRefused where that is none and the key is only `presumed` to hold, which is asked
    with them."""
    told: list[Any] = [subscription_id, team_id, epoch, sent, list(ids), now]
    condition, asked = known_keys.still(presumed, now) if presumed else ("SELECT", [])
    also, with_it = transactions.still_holds()
    rows = _asked(f"{_ACKNOWLEDGE} WHERE EXISTS ({condition}) AND EXISTS ({also})", [*told, *asked, *with_it])
    if presumed and not rows:
        raise KeyRefused
    return [acknowledged(row) for row in rows]


def _asked(statement: str, told: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run the function, and return its rows; none where it was ended for the sake of another transaction, so that it is done once more by
    those who know all cases."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement, told)
            rows: list[tuple[Any, ...]] = cursor.fetchall()
            return rows
    except OperationalError as error:
        if connection.in_atomic_block or not ended_for_another(error):
            raise
        return []
