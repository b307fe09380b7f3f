"""Subscribers of a team: made, changed, begun anew, removed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F

from continuity.core.errors import Conflict, Fenced, Invalid, TooMany, existing
from continuity.core.transactions import atomic
from continuity.events import delays, signatures
from continuity.events.policies import DEFAULT, ReplayPolicy
from continuity.events.topics import BadTopic, checked_patterns
from continuity.models import Delivery, Subscription, SubscriptionKind, Team
from continuity.services.events import event_replay, events
from continuity.services.subscriptions import agents_files, event_scan, gaps, receivers

MOST = 200


@dataclass(frozen=True, slots=True)
class Begun:
    """How an instance of a subscriber begins: its `epoch`, where it goes on, what of it was missed, and up to where events are gone that
    it should have got (None: none)."""

    subscription: Subscription
    epoch: int
    gap: int | None


def get(*, team: Team, subscription_id: UUID) -> Subscription:
    """Raises NotFound."""
    return existing(Subscription.objects.visible_to(team).filter(id=subscription_id).first(), "subscription")


@atomic
def subscribe(
    *,
    team: Team,
    name: str,
    pattern: str,
    agent: str = "",
    policy: ReplayPolicy | None = None,
    url: str = "",
    after: int | None = None,
    created_by: str = "",
) -> tuple[Subscription, bool]:
    """The subscription of this name and whether it is new; one that is there already is changed to what is asked for, and keeps its place.

    It begins with what happens from now on, or `after` a position. Without a `policy` the agents' file says which, and where that says
    nothing, it stays what it was. Raises Invalid, Conflict (pull and webhook can't be changed into each other) and TooMany.
    """
    pattern = _check(pattern, url)
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    told = policy or agents_files.policy_of(agent or name)
    kind = SubscriptionKind.WEBHOOK if url else SubscriptionKind.PULL
    known = Subscription.objects.select_for_update().filter(team=team, name=name).first()
    if known is not None:
        if known.kind != kind:
            raise Conflict("This subscription asks for its events, or is sent them: remove it first to have it the other way.", field="url")
        _change(known, {"pattern": pattern, "policy": told or known.policy, "agent": agent, "url": url})
        return known, False
    if Subscription.objects.filter(team=team).count() >= MOST:
        raise TooMany(limit=MOST, noun="subscriptions of a team", retry_after=3600)
    latest = event_replay.latest()
    position = latest if after is None else min(after, latest)
    made = Subscription.objects.create(
        team=team,
        name=name,
        pattern=pattern,
        agent=agent,
        policy=told or DEFAULT,
        kind=kind,
        url=url,
        position=position,
        created_by=created_by,
    )
    events.publish(name="subscription.created", team=team, subject_id=made.id, payload={"kind": kind}, about=name)
    return made, True


@atomic
def change(*, team: Team, subscription_id: UUID, given: dict[str, Any]) -> Subscription:
    """Changes `pattern`, `policy`, `url`, `paused`; a `paused` one keeps its place, and a webhook that is left alone is tried again,
    and left alone once more at its next failure. Raises NotFound and Invalid."""
    found = existing(Subscription.objects.select_for_update().filter(team=team, id=subscription_id).first(), "subscription")
    if "url" in given and bool(given["url"]) != (found.kind == SubscriptionKind.WEBHOOK):
        raise Invalid("Only a webhook has an address, and it needs one.", field="url")
    pattern = _check(given.get("pattern", found.pattern), given.get("url", ""))
    _change(found, {**given, "pattern": pattern, "resting_until": None})
    return found


def _change(found: Subscription, given: Mapping[str, Any]) -> None:
    """Stores what is given; the caller holds the row's lock. A new pattern holds for what happens from now on, and from the first event
    on that the old one had still to give; a receiver at a new address did not fail yet."""
    if given["pattern"] != found.pattern:
        event_scan.pass_over(found, latest=event_replay.latest())
    if given.get("url", found.url) != found.url:
        if found.failures >= delays.FAILURES:
            events.publish(name="subscription.recovered", team=found.team, subject_id=found.id)
        found.failures, found.resting_until = 0, None
    for name, value in given.items():
        setattr(found, name, value)
    found.save(update_fields=[*given, "position", "failures", "resting_until"])


@atomic
def remove(*, team: Team, subscription_id: UUID) -> None:
    """Ends a subscription and frees all that it held: deliveries, acknowledgements, dead letters. Raises NotFound."""
    found = existing(Subscription.objects.select_for_update().filter(team=team, id=subscription_id).first(), "subscription")
    events.publish(name="subscription.removed", team=team, subject_id=found.id, payload={"kind": found.kind}, about=found.name)
    found.delete()


@atomic
def begin(*, team: Team, subscription_id: UUID, now: datetime) -> Begun:
    """An instance of the subscriber begins: the one before is fenced off, what it held is given again at once, and of what happened
    since it was last heard of the policy decides. Raises NotFound, and Conflict for a webhook."""
    found = existing(Subscription.objects.select_for_update().filter(team=team, id=subscription_id).first(), "subscription")
    check_asks(found)
    returned(found)
    found.epoch += 1
    found.seen_at = now
    gap = gaps.publish_gap(found)
    found.save(update_fields=["epoch", "seen_at", "gap_through", *RETURNED])
    _redeliver(found, now)
    return Begun(found, found.epoch, gap)


def _redeliver(found: Subscription, now: datetime) -> None:
    """Hands over again at once what was handed over. Only the first that nothing was said of costs an attempt: handlers run one after the
    other, so of the others none was begun. Else an event that ends its subscriber's process would use up the attempts of all that was
    handed over with it."""
    held = Delivery.objects.filter(subscription=found)
    unanswered = held.filter(reason="", attempts__gt=0)
    begun = unanswered.order_by("position").values_list("id", flat=True).first()
    if begun is not None:
        unanswered.exclude(id=begun).update(attempts=F("attempts") - 1, latency_ms=None)
    held.update(due_at=now)


RETURNED = ("policy", "position", "replay_through", "replayed", "replay_failed", "degraded_at")


def returned(subscription: Subscription) -> None:
    """A subscriber is there again that was away: up to now its policy decides what it gets. The caller holds its lock, and stores
    `RETURNED`."""
    latest = event_replay.latest()
    # Read where it counts, so that a change of the file is enough.
    subscription.policy = agents_files.policy_of(subscription.agent or subscription.name) or subscription.policy
    if subscription.policy == ReplayPolicy.NONE:
        subscription.position = max(latest, subscription.position)
    subscription.replay_through = latest
    if subscription.degraded_at is not None or (subscription.gaps and not gaps.concerns(subscription)):
        # It goes on from here: what was told of its last absence is over.
        events.publish(name="subscription.returned", team=subscription.team, subject_id=subscription.id)
    subscription.replayed = subscription.replay_failed = 0
    subscription.degraded_at = None


def is_away(subscription: Subscription, now: datetime) -> bool:
    return subscription.seen_at is not None and now - subscription.seen_at > delays.AWAY


def check_epoch(subscription: Subscription, epoch: int | None) -> None:
    """Raises Fenced where a later instance began. Who names no epoch is not fenced."""
    if epoch is not None and epoch != subscription.epoch:
        raise Fenced(current=subscription.epoch, given=epoch)


@atomic
def rotate_secret(*, team: Team, subscription_id: UUID) -> str:
    """Make a new secret, with which webhooks of this subscription are signed from the next one on. Raises NotFound, and Conflict where
    nothing is sent."""
    found = existing(Subscription.objects.select_for_update().filter(team=team, id=subscription_id).first(), "subscription")
    if found.kind != SubscriptionKind.WEBHOOK:
        raise Conflict("Only what is sent to a receiver is signed: this subscription asks for its events.")
    found.secret_version += 1
    found.save(update_fields=["secret_version"])
    events.publish(name="subscription.secret_changed", team=team, subject_id=found.id, payload={}, about=found.name)
    return secret_of(found)


def check_asks(subscription: Subscription) -> None:
    """Raises Conflict where events are sent to a receiver: whoever asked for them would keep them from it."""
    if subscription.kind == SubscriptionKind.WEBHOOK:
        raise Conflict("This subscription is sent its events: nobody else asks for them, or tells what became of them.")


def secret_of(subscription: Subscription) -> str:
    """The secret that signs its webhooks."""
    return signatures.secret_of(settings.SECRET_KEY, str(subscription.id), subscription.secret_version)


def _check(pattern: str, url: str) -> str:
    """The pattern, as it is stored."""
    try:
        pattern = checked_patterns(pattern)
    except BadTopic as error:
        raise Invalid(f"{error}.", field="pattern") from error
    if url:
        receivers.check(url)
    return pattern
