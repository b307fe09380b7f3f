"""Looking for the next events that a subscriber wants, and moving its place past those that it does not."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from continuity.events.policies import is_delivered
from continuity.events.topics import matches
from continuity.models import Subscription
from continuity.services.subscriptions import bus_sql
from continuity.services.subscriptions.bus_sql import FullEvent, LightEvent

SCAN = 2000
# So few new events are read at once, with what they say; of more it is looked first which ones are wanted.
NEAR = 32
# Of those before the first event that is wanted so many times `SCAN` are passed over at once.
LOOKS = 10


def next_matching(found: Subscription, *, latest: int, room: int) -> tuple[Sequence[FullEvent], bool]:
    """The next events that the subscriber wants, and whether there is more to look at; moves its position past what was looked at.

    Positions become visible in their order, so that all events up to `latest` are seen.
    """
    if room <= 0 or latest <= found.position:
        return [], False
    where: Any = {"team_id": found.team_id, "after": found.position, "through": latest}
    if latest - found.position <= NEAR:
        new = [event for event in bus_sql.near(**where) if _matches(found, event)][:room]
        found.position = new[-1].position if len(new) == room else latest
        return new, found.position < latest
    seen = bus_sql.light(**where, limit=SCAN)
    wanted: list[UUID] = []
    for event in seen:
        if _matches(found, event):
            wanted.append(event.id)
        found.position = event.position
        if len(wanted) == room:
            break
    else:
        if len(seen) < SCAN:
            found.position = latest
    return bus_sql.these(wanted) if wanted else [], found.position < latest


def pass_over(found: Subscription, *, latest: int) -> None:
    """Moves the subscriber's position to just before the first event that it wants; to `latest` where there is none. The stored one may
    lie before many that were looked at already."""
    for _ in range(LOOKS):
        seen = bus_sql.light(team_id=found.team_id, after=found.position, through=latest, limit=SCAN)
        for event in seen:
            if _matches(found, event):
                return
            found.position = event.position
        if len(seen) < SCAN:
            found.position = max(latest, found.position)
            return


def _matches(found: Subscription, event: LightEvent | FullEvent) -> bool:
    missed = event.position <= found.replay_through
    return matches(found.pattern, event.subject) and is_delivered(found.policy, event.subject, marked=event.critical, missed=missed)
