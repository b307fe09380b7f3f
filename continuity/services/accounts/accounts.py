"""Users, teams and who belongs to which."""

from dataclasses import dataclass

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from continuity.core.errors import Conflict, Invalid
from continuity.models import Membership, Role, Team, Tier, User
from continuity.services.events import events


@dataclass(frozen=True, slots=True)
class Founded:
    team: Team
    owner: User


@transaction.atomic
def found_team(*, slug: str, name: str, owner: User, tier: Tier = Tier.TEAMS) -> Founded:
    """A new team with its owner. Raises Conflict when the slug is taken."""
    if Team.objects.filter(slug=slug).exists():
        raise Conflict(f'The team name "{slug}" is taken.')
    team = Team.objects.create(slug=slug, name=name, tier=tier)
    Membership.objects.create(team=team, user=owner, role=Role.OWNER)
    events.publish(name="team.founded", team=team, subject_id=team.id, about=name)
    return Founded(team, owner)


@transaction.atomic
def create_user(*, email: str, password: str, name: str = "", is_admin: bool = False) -> User:
    """A person who can sign in. Raises Invalid on a bad address or a weak password, Conflict when the address is taken."""
    try:
        validate_email(email)
        validate_password(password)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), field="password" if "mail" not in " ".join(error.messages) else "email") from error
    if User.objects.filter(email=email.lower()).exists():
        raise Conflict("There is an account with this e-mail address.", field="email")
    return User.objects.create_user(email, password, name=name, is_staff=is_admin, is_superuser=is_admin)


@transaction.atomic
def add_member(*, team: Team, user: User, role: Role = Role.MEMBER) -> Membership:
    """Puts a user in a team; one who is in it already gets the new role."""
    membership, created = Membership.objects.update_or_create(team=team, user=user, defaults={"role": role})
    name = "member.added" if created else "member.changed"
    events.publish(name=name, team=team, subject_id=user.id, payload={"role": int(role)}, about=user.email)
    return membership
