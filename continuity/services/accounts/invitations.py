"""Letting people into a team by a link that works once."""

import hashlib
import secrets
from datetime import datetime, timedelta
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction

from continuity.accounts import roles
from continuity.core import actor
from continuity.core.errors import Conflict, Invalid, InvitationOver, NotYours, existing
from continuity.models import Invitation, Membership, Role, Team, User
from continuity.services.accounts import accounts, members
from continuity.services.events import events

DAYS = 7
LONGEST_DAYS = 90
OPEN_AT_ONCE = 100


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def create(*, team: Team, role: Role, by: User, now: datetime, email: str = "", days: int = DAYS) -> tuple[Invitation, str]:
    """An invitation and the secret of its link, which is kept nowhere. Raises RoleTooLow, Invalid, Conflict."""
    roles.require(members.membership(team=team, user_id=by.id).role, roles.Permission.PEOPLE)
    email = email.strip().lower()
    try:
        if email:
            validate_email(email)
    except ValidationError as error:
        raise Invalid(" ".join(error.messages), field="email") from error
    if not 1 <= days <= LONGEST_DAYS:
        raise Invalid(f"An invitation holds for 1 to {LONGEST_DAYS} days.", field="days")
    if email and Membership.objects.filter(team=team, user__email=email).exists():
        raise Conflict(f"{email} is in this team already.", field="email")
    if Invitation.objects.open(now).filter(team=team).count() >= OPEN_AT_ONCE:
        raise Conflict(f"A team can have {OPEN_AT_ONCE} open invitations; revoke one first.")
    token = secrets.token_urlsafe(32)
    made = Invitation.objects.create(
        team=team, role=role, email=email, digest=_digest(token), invited_by=by, expires_at=now + timedelta(days=days)
    )
    payload = {"role": int(role), "days": days}
    events.publish(name="invitation.created", team=team, subject_id=made.id, payload=payload, about=email)
    return made, token


def get(*, team: Team, invitation_id: UUID, now: datetime) -> Invitation:
    """An open invitation of the team. Raises NotFound, InvitationOver."""
    found = existing(Invitation.objects.filter(team=team, id=invitation_id).first(), "invitation")
    if not Invitation.objects.open(now).filter(id=found.id).exists():
        raise InvitationOver("This invitation is over already.")
    return found


@transaction.atomic
def revoke(*, team: Team, invitation_id: UUID, by: User, now: datetime) -> Invitation:
    """Ends an invitation that nobody used yet. Raises RoleTooLow, NotFound, InvitationOver."""
    roles.require(members.membership(team=team, user_id=by.id).role, roles.Permission.PEOPLE)
    found = get(team=team, invitation_id=invitation_id, now=now)
    if not Invitation.objects.open(now).filter(id=found.id).update(revoked_at=now):
        raise InvitationOver("This invitation is over already.")
    events.publish(name="invitation.revoked", team=team, subject_id=found.id, about=found.email)
    return found


def find(*, token: str, now: datetime) -> Invitation:
    """The open invitation of a link, with its team and who invited. Raises InvitationOver, also for a link that never was one."""
    known = Invitation.objects.open(now).select_related("team", "invited_by")
    found = known.filter(digest=_digest(token)).first()
    if found is None:
        raise InvitationOver
    return found


@transaction.atomic
def accept(*, token: str, user: User, now: datetime) -> Invitation:
    """Makes somebody a member, once. Raises InvitationOver; NotYours where it is for another address; Conflict for a member."""
    found = find(token=token, now=now)
    if found.email and found.email != user.email:
        raise NotYours(who=f"the person with the address {found.email}")
    if Membership.objects.filter(team=found.team, user=user).exists():
        raise Conflict(f"You are in {found.team.name} already.")
    if not Invitation.objects.open(now).filter(id=found.id).update(accepted_at=now, accepted_by=user):
        raise InvitationOver  # Somebody else was faster.
    Membership.objects.create(team=found.team, user=user, role=found.role)
    actor.identify(name=user.email, user_id=user.id)  # Somebody new was nobody when the request came in.
    payload = {"role": found.role}
    events.publish(name="invitation.accepted", team=found.team, subject_id=found.id, payload=payload, about=user.email)
    return found


@transaction.atomic
def sign_up(*, token: str, email: str, name: str, password: str, now: datetime) -> tuple[Invitation, User]:
    """An account for an invited person, and their membership. Raises as `accept`, and Invalid or Conflict for the account."""
    found = find(token=token, now=now)
    user = accounts.create_user(email=found.email or email, password=password, name=name)
    return accept(token=token, user=user, now=now), user
