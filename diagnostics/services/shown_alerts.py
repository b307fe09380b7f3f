"""The alerts of a team as its page shows them: in words, with the names of what they are about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from continuity.models import Agent, Conversation, Subscription, Team, User
from continuity.services.subscriptions import delivery_failures
from diagnostics.alerting.rules import RULES, AlertRule
from diagnostics.models import Alert

SIZE = 50


@dataclass(frozen=True, slots=True)
class ShownAlert:
    """`about` is the name of a subscriber or an `agent`, or the title of a `conversation`; `detail` is the cause, as far as the alert
    tells it."""

    alert: Alert
    title: str
    meaning: str
    about: str
    conversation: UUID | None
    agent: str
    detail: str
    seen_by: Sequence[User]
    seen: bool


@dataclass(frozen=True, slots=True)
class _Names:
    """By id: titles of conversations, names of agents and subscribers."""

    titles: Mapping[UUID, str]
    agents: Mapping[UUID, str]
    subscribers: Mapping[str, str]


def of_team(team: Team, user: User) -> tuple[Sequence[ShownAlert], Sequence[ShownAlert]]:
    """The open ones, the critical first, and the last that are over. Seven queries."""
    rows = Alert.objects.visible_to(team).prefetch_related("seen__user").order_by("-raised_at", "-id")
    # "critical" comes before "error".
    opened, over = list(rows.open().order_by("severity", "-raised_at", "-id")[:SIZE]), list(rows.exclude(over_at=None)[:SIZE])
    ids = {alert.subject_id for alert in (*opened, *over)}
    names = _Names(
        dict(Conversation.objects.filter(team=team, id__in=ids).values_list("id", "title")),
        dict(Agent.objects.visible_to(team).filter(id__in=ids).values_list("id", "name")),
        {str(id): name for id, name in Subscription.objects.visible_to(team).values_list("id", "name")},
    )
    return [_of(alert, user, names) for alert in opened], [_of(alert, user, names) for alert in over]


def _of(alert: Alert, user: User, names: _Names) -> ShownAlert:
    facts = RULES.get(AlertRule(alert.rule)) if alert.rule in list(AlertRule) else None
    title, meaning = (facts.title, facts.meaning) if facts else (alert.rule.replace("_", " "), "")
    agent = names.agents.get(alert.subject_id, "")
    about, detail = agent or names.subscribers.get(str(alert.subject_id), ""), alert.message
    subscriber, found, reason = detail.removeprefix(delivery_failures.PREFIX).partition(": ")
    if alert.rule == AlertRule.DEAD_LETTER and found:  # Of a subscription, or of a handler of ours, which goes by its own name.
        about, detail = names.subscribers.get(subscriber, subscriber), reason
    conversation = alert.subject_id if alert.subject_id in names.titles else None
    if conversation is not None:
        about = names.titles[conversation] or "Without a title"
    seen_by = [each.user for each in alert.seen.all()]
    return ShownAlert(alert, title, meaning, about, conversation, agent, detail, seen_by, user in seen_by)
