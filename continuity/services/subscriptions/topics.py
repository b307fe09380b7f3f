"""The topics that a team declares."""

from typing import Any

from continuity.core.errors import Invalid, NotFound, TooMany
from continuity.core.transactions import atomic
from continuity.events import schemas
from continuity.events.topics import CONTROL_FRAMES, BadTopic, checked_topic
from continuity.models import Team, Topic
from continuity.services.subscriptions.publishing import OURS

MOST = 1000


@atomic
def declare(*, team: Team, name: str, schema: dict[str, Any] | None, critical: bool) -> Topic:
    """Declares a topic, or declares it anew; what was published before stays as it is. Raises Invalid and TooMany."""
    try:
        checked_topic(name)
        if schema is not None:
            schemas.check_schema(schema)
    except BadTopic as error:
        raise Invalid(f"{error}.", field="name") from error
    except schemas.BadSchema as error:
        raise Invalid(f"{error}.", field="schema") from error
    if name.partition(":")[0] in OURS:
        raise Invalid("What Continuity itself tells of needs no declaration.", field="name")
    if name in CONTROL_FRAMES:
        raise Invalid("Nothing is published under this name alone: add a word to it.", field="name")
    Team.objects.select_for_update(no_key=True).get(id=team.id)
    if not Topic.objects.filter(team=team, name=name).exists() and Topic.objects.filter(team=team).count() >= MOST:
        raise TooMany(limit=MOST, noun="topics of a team", retry_after=3600)
    topic, _ = Topic.objects.update_or_create(team=team, name=name, defaults={"schema": schema, "critical": critical})
    return topic


@atomic
def forget(*, team: Team, name: str) -> None:
    """Takes a declaration back. Raises NotFound."""
    if not Topic.objects.filter(team=team, name=name).delete()[0]:
        raise NotFound(noun="topic")
