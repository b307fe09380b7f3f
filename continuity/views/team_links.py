"""A link into another of one's own teams: where it leads is told to those who are in that team, and to nobody else."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from continuity.models import Conversation, Job, Team, User

# What a parameter of an address is the id of. Upper apps add theirs.
_known: dict[str, type[Model]] = {"conversation_id": Conversation, "job_id": Job}


def register(parameter: str, model: type[Model]) -> None:
    """Says that this parameter of an address is the id of a model's rows, which have a `team`."""
    _known[parameter] = model


def team_of(user: User, *, besides: Team, parameters: Mapping[str, Any]) -> Team | None:
    """The other team of this person that has what an address is about; None where there is none. One query."""
    for name, value in parameters.items():
        if name in _known:
            rows = _known[name]._default_manager.filter(pk=value)
            return Team.objects.filter(memberships__user=user, pk__in=rows.values("team")).exclude(pk=besides.pk).first()
    return None
