"""Events that retention deleted before their subscribers got them: found when they go, told when the subscriber is there."""

import logging
from collections.abc import Iterable
from uuid import UUID

from django.db import connection
from django.db.models import F

from continuity.events.policies import ReplayPolicy, is_wanted
from continuity.events.topics import matches
from continuity.models import Delivery, Event, Subscription
from continuity.services.events import events
from continuity.services.subscriptions import meters

logger = logging.getLogger("continuity.events")

# Locked in the order of their ids, as everybody locks several of them.
_LOST = """
WITH lost AS MATERIALIZED (
    SELECT s.id, given.position FROM continuity_subscription s JOIN unnest(%s::uuid[], %s::bigint[]) AS given (id, position) USING (id)
    ORDER BY s.id FOR UPDATE OF s
)
UPDATE continuity_subscription s SET gap_through = greatest(s.gap_through, lost.position) FROM lost WHERE s.id = lost.id
"""


def note(gone: Iterable[Event]) -> None:
    """Marks the subscriptions that lose some of these events; in the transaction that deletes them. Three queries for a batch, however
    many subscribers there are."""
    rows = [event for event in gone if event.position is not None]
    lost: dict[UUID, int] = {}
    held = Delivery.objects.filter(event_id__in=[event.id for event in rows]).values_list("subscription_id", "position")
    for subscription_id, position in held:
        lost[subscription_id] = max(lost.get(subscription_id, 0), position)
    newest: dict[UUID, int] = {}
    for event in rows:
        if event.team_id is not None:
            newest[event.team_id] = max(newest.get(event.team_id, 0), event.position or 0)
    behind = Subscription.objects.filter(team__in=newest, position__lt=max(newest.values(), default=0)).exclude(policy=ReplayPolicy.NONE)
    by_team: dict[UUID, list[Event]] = {}
    for event in rows:
        if event.team_id is not None:
            by_team.setdefault(event.team_id, []).append(event)
    for subscription in behind:
        for event in reversed(by_team.get(subscription.team_id, [])):
            if (event.position or 0) > subscription.position and _is_lost(subscription, event):
                lost[subscription.id] = max(lost.get(subscription.id, 0), event.position or 0)
                break
    if lost:
        with connection.cursor() as cursor:
            cursor.execute(_LOST, [list(lost), list(lost.values())])


def _is_lost(subscription: Subscription, event: Event) -> bool:
    return matches(subscription.pattern, event.subject) and is_wanted(
        subscription.policy, event.subject, marked=event.critical, missed=True
    )


def tell(subscription: Subscription) -> int | None:
    """Tells of a gap, once; the caller holds the subscription's lock and stores `gap_through`. Up to where events are gone, if any."""
    gap = subscription.gap_through
    if not gap:
        return None
    subscription.gap_through = 0
    Subscription.objects.filter(id=subscription.id).update(gaps=F("gaps") + 1)
    logger.error(
        "Events unavailable for replay, gap detected",
        extra={"metadata": {"subscription_id": str(subscription.id), "through": gap, "position": subscription.position}},
    )
    meters.count("event_replay_gap_detected")
    told = {"through": gap}
    events.publish(
        name="subscription.gap_detected", team=subscription.team, subject_id=subscription.id, payload=told, about=subscription.name
    )
    return gap
