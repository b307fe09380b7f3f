"""The alerts of a team as its page shows them: in words, with the names of what they are about."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from continuity.models import Conversation, Subscription, Team, User
from diagnostics.alerting.rules import RULES, AlertRule
from diagnostics.models import Alert

SIZE = 50
PREFIX = "subscription:"


@dataclass(frozen=True, slots=True)
class ShownAlert:
    """`about` is the name of a subscriber or the title of a `conversation`; `detail` is the cause, as far as the alert tells it."""

    alert: Alert
    title: str
    meaning: str
    about: str
    conversation: UUID | None
    detail: str
    seen_by: Sequence[User]
    seen: bool


def of_team(team: Team, user: User) -> tuple[Sequence[ShownAlert], Sequence[ShownAlert]]:
    """The open ones, the critical first, and the last that are over. Six queries."""
    rows = Alert.objects.visible_to(team).prefetch_related("seen__user").order_by("-raised_at", "-id")
    # "critical" comes before "error".
    opened, over = list(rows.open().order_by("severity", "-raised_at", "-id")[:SIZE]), list(rows.exclude(over_at=None)[:SIZE])
    ids = {alert.subject_id for alert in (*opened, *over)}
    titles = dict(Conversation.objects.filter(team=team, id__in=ids).values_list("id", "title"))
    names = {str(id): name for id, name in Subscription.objects.visible_to(team).values_list("id", "name")}
    return _shown(opened, user, titles, names), _shown(over, user, titles, names)


def _shown(alerts: Collection[Alert], user: User, titles: Mapping[UUID, str], names: Mapping[str, str]) -> Sequence[ShownAlert]:
    return [_of(alert, user, titles, names) for alert in alerts]


def _of(alert: Alert, user: User, titles: Mapping[UUID, str], names: Mapping[str, str]) -> ShownAlert:
    facts = RULES.get(AlertRule(alert.rule)) if alert.rule in list(AlertRule) else None
    title, meaning = (facts.title, facts.meaning) if facts else (alert.rule.replace("_", " "), "")
    about, detail = names.get(str(alert.subject_id), ""), alert.message
    subscriber, found, reason = detail.removeprefix(PREFIX).partition(": ")
    if alert.rule == AlertRule.DEAD_LETTER and found:  # Of a subscription, or of a handler of ours, which goes by its own name.
        about, detail = names.get(subscriber, subscriber), reason
    conversation = alert.subject_id if alert.subject_id in titles else None
    if conversation is not None:
        about = titles[conversation] or "Without a title"
    seen_by = [each.user for each in alert.seen.all()]
    return ShownAlert(alert, title, meaning, about, conversation, detail, seen_by, user in seen_by)
