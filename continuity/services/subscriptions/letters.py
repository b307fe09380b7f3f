"""Dead letters of a team: seen by its members, tried again and given up by its operators."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from continuity.core.errors import NotFound
from continuity.models import DeadLetter, Team
from continuity.models.letters import DeadLetterQuerySet
from continuity.services.events import redelivery


def of_team(team: Team, *, subscription_id: UUID | None = None) -> DeadLetterQuerySet:
    rows = DeadLetter.objects.filter(team=team).select_related("event", "subscription")
    return rows if subscription_id is None else rows.filter(subscription=subscription_id)


def retry(*, team: Team, letter_id: UUID) -> None:
    """The subscriber gets the event once more, at once. Raises NotFound."""
    chosen = _one(team, letter_id)
    redelivery.try_again(chosen=chosen)
    redelivery.sweep(now=timezone.now(), among=[letter_id])


def discard(*, team: Team, letter_id: UUID) -> None:
    """Raises NotFound."""
    redelivery.discard(chosen=_one(team, letter_id))


def _one(team: Team, letter_id: UUID) -> QuerySet[DeadLetter]:
    chosen = DeadLetter.objects.filter(team=team, id=letter_id)
    if not chosen.exists():
        raise NotFound(noun="dead letter")
    return chosen
