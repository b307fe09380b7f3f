"""Events that retention deleted before their subscribers got them: found when they go, told when the subscriber is there."""

import logging
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db import connection
from django.db.models import F

from continuity.events.policies import ReplayPolicy, is_critical
from continuity.events.topics import matches
from continuity.models import Delivery, Event, Subscription
from continuity.services.events import events
from continuity.services.subscriptions import agents_files, meters

logger = logging.getLogger("continuity.events")

# Locked in the order of their ids, as everybody locks several of them.
_LOST = """
WITH lost AS MATERIALIZED (
    SELECT s.id, given.position FROM continuity_subscription s JOIN unnest(%s::uuid[], %s::bigint[]) AS given (id, position) USING (id)
    ORDER BY s.id FOR UPDATE OF s
)
UPDATE continuity_subscription s SET gap_through =
    greatest(abs(s.gap_through), abs(lost.position)) * CASE WHEN s.gap_through > 0 OR lost.position > 0 THEN 1 ELSE -1 END
FROM lost WHERE s.id = lost.id
"""


def note(gone: Iterable[Event]) -> None:
    """Marks the subscriptions that lose some of these events; in the transaction that deletes them. Three queries for a batch, however
    many subscribers there are. What is lost of that is told when they are there: only then it is known by which policy."""
    rows = [event for event in gone if event.position is not None]
    lost: dict[UUID, int] = {}
    held = Delivery.objects.filter(event_id__in=[event.id for event in rows]).values_list("subscription_id", "position")
    for subscription_id, position in held:
        lost[subscription_id] = max(lost.get(subscription_id, 0), position)
    by_team: dict[UUID, list[Event]] = {}
    for event in rows:
        if event.team_id is not None:
            by_team.setdefault(event.team_id, []).append(event)
    last = max((event.position or 0 for event in rows), default=0)
    for subscription in Subscription.objects.filter(team__in=by_team, position__lt=last):
        found = _lost_of(subscription, by_team[subscription.team_id])
        if found:
            before = lost.get(subscription.id, 0)
            through = max(before, abs(found))
            lost[subscription.id] = through if before or found > 0 else -through
    if lost:
        with connection.cursor() as cursor:
            cursor.execute(_LOST, [list(lost), list(lost.values())])


def _lost_of(subscription: Subscription, events: Sequence[Event]) -> int:
    """The position of the last of these events that it was not handed yet, 0 where there is none; negative where it gets none of them if
    it was away, unless its policy changes until it is back."""
    wanted = [event for event in events if (event.position or 0) > subscription.position and matches(subscription.pattern, event.subject)]
    if not wanted:
        return 0
    through = max(event.position or 0 for event in wanted)
    policy = agents_files.policy_of(subscription.agent or subscription.name) or subscription.policy
    critical = any(is_critical(event.subject, marked=event.critical) for event in wanted)
    return through if critical and policy != ReplayPolicy.NONE else -through


def concerns(subscription: Subscription) -> bool:
    """Whether it would have got what is gone: all, where it was not away then, as a receiver of webhooks never is; else what its policy,
    as it is now, gives it."""
    gap = subscription.gap_through
    everything = abs(gap) > subscription.replay_through or subscription.policy == ReplayPolicy.FULL
    return gap != 0 if everything else gap > 0


def publish_gap(subscription: Subscription) -> int | None:
    """Tells of a gap, once; the caller holds the subscription's lock and stores `gap_through`. Up to where events are gone, if any."""
    gap, concerned = abs(subscription.gap_through), concerns(subscription)
    subscription.gap_through = 0
    if not concerned:
        return None
    Subscription.objects.filter(id=subscription.id).update(gaps=F("gaps") + 1)
    logger.error(
        "Events unavailable for replay, gap detected",
        extra={"metadata": {"subscription_id": str(subscription.id), "through": gap, "position": subscription.position}},
    )
    meters.count("event_replay_gap_detected")
    events.publish(
        name="subscription.gap_detected",
        team=subscription.team,
        subject_id=subscription.id,
        payload={"through": gap},
        about=subscription.name,
    )
    return gap
