"""Where subscriptions stand, for who looks at them. A few queries for a team, whatever was published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.db.models import Count, Min

from continuity.events.topics import matches
from continuity.models import DeadLetter, Delivery, Event, LetterStatus, Subscription, Team
from continuity.services.events import event_replay

# Of the events before a subscription's place so many are looked at; more is said as "more than".
LOOKED_AT = 1000
STALLED = timedelta(minutes=5)


class Condition(StrEnum):
    FINE = "fine"
    PAUSED = "paused"
    RESTING = "resting"
    STALLED = "stalled"
    DEGRADED = "degraded"


WORDS = {
    Condition.FINE: "fine",
    Condition.PAUSED: "paused",
    Condition.RESTING: "left alone",
    Condition.STALLED: "stands still",
    Condition.DEGRADED: "failed on what it missed",
}


@dataclass(frozen=True, slots=True)
class SubscriptionSummary:
    """`lag` is how many events wait to be handed over (`more`: at least), `held` how many were and are not acknowledged; `holds_long` that
    it has had one for minutes."""

    subscription: Subscription
    lag: int
    more: bool
    held: int
    dead: int
    condition: Condition
    holds_long: bool

    @property
    def says(self) -> str:
        """The condition for people who know none of these words."""
        return WORDS[self.condition]

    @property
    def topics(self) -> str:
        return self.subscription.pattern.replace(",", ", ")


def of_team(team: Team, *, now: datetime, most: int = 200) -> Sequence[SubscriptionSummary]:
    rows = list(Subscription.objects.visible_to(team).order_by("name")[:most])
    least = min((row.position for row in rows), default=event_replay.latest())
    behind = Event.objects.filter(team=team, position__gt=least).order_by("-position").only("position", "topic", "name")
    newest = list(behind[:LOOKED_AT])
    held = Delivery.objects.filter(subscription__in=rows).values("subscription").annotate(number=Count("id"), first=Min("created_at"))
    holding = {each["subscription"]: each for each in held}
    letters = DeadLetter.objects.filter(subscription__in=rows, status=LetterStatus.DEAD).values_list("subscription").annotate(Count("id"))
    dead = dict(letters)
    return [_summary(row, newest, holding.get(row.id), dead.get(row.id, 0), now) for row in rows]


def _summary(row: Subscription, newest: Sequence[Event], held: Mapping[str, Any] | None, dead: int, now: datetime) -> SubscriptionSummary:
    waiting = [event for event in newest if (event.position or 0) > row.position]
    lag = sum(matches(row.pattern, event.subject) for event in waiting)
    number, first = (held["number"], held["first"]) if held else (0, None)
    condition, holds_long = Condition.FINE, first is not None and now - first > STALLED
    if row.paused:
        condition = Condition.PAUSED
    elif row.resting_until is not None and row.resting_until > now:
        condition = Condition.RESTING
    elif holds_long or (lag and now - (row.seen_at or row.created_at) > STALLED):
        condition = Condition.STALLED
    elif row.degraded_at is not None:
        condition = Condition.DEGRADED
    return SubscriptionSummary(row, lag, len(waiting) == LOOKED_AT, number, dead, condition, holds_long)
