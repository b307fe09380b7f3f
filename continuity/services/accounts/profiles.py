"""Profiles and sign-in data, changed by their owners."""

from django.db import transaction

from continuity.models import Team, User
from continuity.services.events import events

TEAMS_TOLD = 100


@transaction.atomic
def change(*, user: User, name: str, time_zone: str) -> None:
    """Sets name and time zone (a valid IANA name)."""
    user.name, user.time_zone = " ".join(name.split())[:120], time_zone
    user.save(update_fields=["name", "time_zone"])


@transaction.atomic
def set_password(*, user: User, password: str, reset: bool = False) -> None:
    """Sets a password that was checked; every session of the person, but the one that asks, ends by it."""
    user.set_password(password)
    user.save(update_fields=["password"])
    _publish("password.reset" if reset else "password.changed", user)


@transaction.atomic
def signed_in(*, user: User) -> None:
    """Keeps that somebody signed in, in the audit log of each of their teams."""
    _publish("sign_in.succeeded", user)


def _publish(name: str, user: User) -> None:
    teams: list[Team | None] = [*Team.objects.filter(memberships__user=user).order_by("created_at")[:TEAMS_TOLD]]
    for team in teams or [None]:
        events.publish(name=name, team=team, subject_id=user.id, about=user.email)
