"""The first steps of a team, and which of them are done: a list that ticks itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q

from continuity.models import ApiKey, Conversation, Invitation, Membership, Team
from handoffs.models import Handoff

SHOWN_FOR = timedelta(days=30)  # from the team's beginning


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One of them; `name` is what the page knows it by."""

    name: str
    done: bool


def first_steps(team: Team) -> Sequence[FirstStep]:
    """All of them in their order. One query, which looks for one row of each."""
    here = Q(team=OuterRef("id"))
    found = {
        "key": ApiKey.objects.filter(here, revoked_at=None),
        "client": ApiKey.objects.filter(here, last_used_at__isnull=False),
        "session": Conversation.objects.filter(here),
        "handoff": Handoff.objects.filter(here),
        "teammate": Membership.objects.filter(here).order_by()[1:2],
        "invited": Invitation.objects.filter(here),
    }
    done = Team.objects.filter(id=team.id).annotate(**{name: Exists(rows) for name, rows in found.items()}).values(*found).get()
    done["teammate"] = done["teammate"] or done.pop("invited")
    return [FirstStep(name, done[name]) for name in ("key", "client", "session", "handoff", "teammate")]


def are_of_use(team: Team, now: datetime) -> bool:
    """Whether the list may still be shown: a demo did all of it, and an older team found its own way."""
    return not team.demo and now - team.created_at < SHOWN_FOR
