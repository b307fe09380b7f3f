"""Subscriptions: who is told of which events."""

from uuid import UUID

from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime

from continuity.accounts.roles import Permission
from continuity.api.access import ADMIN, READ, WRITE, ApiRequest
from continuity.api.pages import Cut, Order, Page, PageQuery, cut
from continuity.api.problems import answers
from continuity.events.policies import ReplayPolicy
from continuity.models import Subscription, SubscriptionKind
from continuity.services.subscriptions import subscriptions

router = Router(tags=["subscriptions"])
BY_NAME: Order = {"name": str}


class SubscriptionIn(Schema):
    """A subscriber and the topics that it is told of. One that is there already under this name is changed, and keeps its place."""

    name: str = Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_.-]+$", examples=["billing"])
    pattern: str = Field(max_length=4100, examples=["task:*"], description="One pattern, or several with commas between.")
    agent: str = Field("", max_length=80, description="The agent that it belongs to; its name is looked up in the agents' file.")
    policy: ReplayPolicy | None = Field(None, description="What is given of what was missed; the default is the agents' file's.")
    url: str = Field("", max_length=1000, description="Where events are sent; empty for one that asks for them. Only operators set it.")
    after: int | None = Field(None, ge=0, le=2**62, description="Begin after this position, not now.")


class SubscriptionChange(Schema):
    pattern: str | None = Field(None, max_length=4100)
    policy: ReplayPolicy | None = None
    url: str | None = Field(None, max_length=1000)
    paused: bool | None = None


class SubscriptionOut(Schema):
    """`position` is up to where its events were handed over or passed over."""

    id: UUID
    name: str
    agent: str
    pattern: str
    policy: ReplayPolicy
    kind: SubscriptionKind
    url: str
    paused: bool
    position: int
    epoch: int
    seen_at: AwareDatetime | None
    acknowledged_at: AwareDatetime | None
    gaps: int
    replayed: int
    replay_failed: int
    degraded: bool
    failures: int
    created_at: AwareDatetime

    @staticmethod
    def resolve_degraded(row: Subscription) -> bool:
        return row.degraded_at is not None


class BegunOut(Schema):
    """`epoch` goes with every later call of this instance; `gap` is up to where events are gone that it should have got."""

    epoch: int
    position: int
    policy: ReplayPolicy
    gap: int | None


class SecretOut(Schema):
    secret: str


@router.post("/subscriptions", auth=WRITE, response={201: SubscriptionOut, **answers(SubscriptionOut, 200, 409)}, summary="Subscribe")
def create_subscription(request: ApiRequest, given: SubscriptionIn) -> Status[Subscription]:
    """Makes a subscription (201), or changes the one of this name (200)."""
    if given.url:
        request.auth.require(Permission.ADMIN)
    asked = given.model_dump()
    made, new = subscriptions.subscribe(team=request.auth.team, created_by=request.auth.name, **asked)
    return Status(201 if new else 200, made)


@router.get("/subscriptions", auth=READ, response=answers(Page[SubscriptionOut]), summary="List subscriptions")
def list_subscriptions(request: ApiRequest, query: Query[PageQuery]) -> Status[Cut]:
    """The team's subscriptions, by name."""
    return Status(200, cut(Subscription.objects.visible_to(request.auth.team), query, BY_NAME, ascending=True))


@router.get("/subscriptions/{uuid:subscription_id}", auth=READ, response=answers(SubscriptionOut), summary="See a subscription")
def get_subscription(request: ApiRequest, subscription_id: UUID) -> Status[Subscription]:
    """Where it stands, and how it fares."""
    return Status(200, subscriptions.get(team=request.auth.team, subscription_id=subscription_id))


@router.patch("/subscriptions/{uuid:subscription_id}", auth=WRITE, response=answers(SubscriptionOut), summary="Change a subscription")
def change_subscription(request: ApiRequest, subscription_id: UUID, given: SubscriptionChange) -> Status[Subscription]:
    """Changes what is given. A paused one gets nothing, and keeps its place. Only operators change a webhook."""
    asked = {name: value for name, value in given.model_dump(exclude_unset=True).items() if value is not None}
    _check_may_change(request, subscription_id)
    return Status(200, subscriptions.change(team=request.auth.team, subscription_id=subscription_id, given=asked))


@router.delete("/subscriptions/{uuid:subscription_id}", auth=WRITE, response=answers(None, 204), summary="End a subscription")
def end_subscription(request: ApiRequest, subscription_id: UUID) -> Status[None]:
    """Ends it and frees what it held, its dead letters among it. Only operators end a webhook."""
    _check_may_change(request, subscription_id)
    subscriptions.remove(team=request.auth.team, subscription_id=subscription_id)
    return Status(204, None)


@router.post(
    "/subscriptions/{uuid:subscription_id}/begin", auth=WRITE, response=answers(BegunOut, 200, 409), summary="Begin as a new instance"
)
def begin_subscription(request: ApiRequest, subscription_id: UUID) -> Status[dict[str, object]]:
    """Fences off the instance before (409 `fenced` from then on), gives what it held again, and applies the policy to what was missed."""
    begun = subscriptions.begin(team=request.auth.team, subscription_id=subscription_id, now=timezone.now())
    row = begun.subscription
    return Status(200, {"epoch": begun.epoch, "position": row.position, "policy": row.policy, "gap": begun.gap})


@router.get("/subscriptions/{uuid:subscription_id}/secret", auth=ADMIN, response=answers(SecretOut), summary="See a webhook's secret")
def get_subscription_secret(request: ApiRequest, subscription_id: UUID) -> Status[dict[str, str]]:
    """The secret that webhooks of this subscription are signed with (docs/events.md says how to check it)."""
    row = subscriptions.get(team=request.auth.team, subscription_id=subscription_id)
    return Status(200, {"secret": subscriptions.secret_of(row)})


@router.post("/subscriptions/{uuid:subscription_id}/secret", auth=ADMIN, response=answers(SecretOut, 200, 409), summary="Change a secret")
def change_subscription_secret(request: ApiRequest, subscription_id: UUID) -> Status[dict[str, str]]:
    """Webhooks of this subscription are signed with a new secret from the next one on; the one before signs nothing any more."""
    return Status(200, {"secret": subscriptions.rotate_secret(team=request.auth.team, subscription_id=subscription_id)})


def _check_may_change(request: ApiRequest, subscription_id: UUID) -> None:
    if subscriptions.get(team=request.auth.team, subscription_id=subscription_id).kind == SubscriptionKind.WEBHOOK:
        request.auth.require(Permission.ADMIN)
