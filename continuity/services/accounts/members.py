"""Members of a team and their roles. Every change is checked against the role of who makes it."""

from uuid import UUID

from django.utils import timezone
from django.utils.text import slugify

from continuity.accounts import roles
from continuity.core.errors import Conflict, Invalid, existing
from continuity.core.transactions import atomic
from continuity.models import ApiKey, Invitation, Membership, Role, Team, User
from continuity.services.accounts import accounts
from continuity.services.events import events

TEAMS_OF_ONE = 20


@atomic
def found(*, name: str, owner: User) -> Team:
    """A new team of somebody who then owns it. Raises Invalid without a name, Conflict where they own many already."""
    name = _name(name)
    if Membership.objects.filter(user=owner, role=Role.OWNER).count() >= TEAMS_OF_ONE:
        raise Conflict(f"One person can own {TEAMS_OF_ONE} teams at most.")
    return accounts.found_team(slug=_free_slug(name), name=name, owner=owner).team


@atomic
def rename(*, team: Team, name: str, by: User) -> None:
    """Gives the team another name; its addresses and keys stay. Raises RoleTooLow, Invalid."""
    _lock(team)
    roles.require(membership(team=team, user_id=by.id).role, roles.Permission.TEAM)
    Team.objects.filter(id=team.id).update(name=_name(name))
    events.publish(name="team.renamed", team=team, subject_id=team.id, about=_name(name))


def membership(*, team: Team, user_id: UUID) -> Membership:
    """Raises NotFound where they are not in the team."""
    return existing(Membership.objects.select_related("user", "team").filter(team=team, user=user_id).first(), "member")


@atomic
def change_role(*, team: Team, user_id: UUID, role: Role, by: User) -> Membership:
    """Gives a member another role. Raises RoleTooLow, NotFound; Conflict for the last owner."""
    _lock(team)
    roles.require(membership(team=team, user_id=by.id).role, roles.Permission.PEOPLE)
    of = membership(team=team, user_id=user_id)
    if of.role == role:
        return of
    if of.role == Role.OWNER:
        check_other_owner(team=team, of=of)
    of.role = role
    of.save(update_fields=["role"])
    _end_dependents(of)
    events.publish(name="member.changed", team=team, subject_id=user_id, payload={"role": int(role)}, about=of.user.email)
    return of


@atomic
def remove(*, team: Team, user_id: UUID, by: User) -> Membership:
    """Takes a member, or oneself, out of the team; their keys and invitations there end at once.

    What they recorded stays the team's. Raises RoleTooLow, NotFound; Conflict for the last owner.
    """
    _lock(team)
    acting = membership(team=team, user_id=by.id)
    leaves = user_id == by.id
    if not leaves:
        roles.require(acting.role, roles.Permission.PEOPLE)
    of = acting if leaves else membership(team=team, user_id=user_id)
    if of.role == Role.OWNER:
        check_other_owner(team=team, of=of)
    Membership.objects.filter(id=of.id).delete()
    _end_dependents(of, gone=True)
    events.publish(name="member.left" if leaves else "member.removed", team=team, subject_id=user_id, about=of.user.email)
    return of


def _lock(team: Team) -> None:
    """Changes of one team's people come one after the other: two owners must not remove each other."""
    Team.objects.select_for_update(no_key=True).get(id=team.id)


def is_only_owner(*, team: Team, user_id: UUID) -> bool:
    """Whether the team would have no owner who can sign in without this one. One query."""
    owners = Membership.objects.filter(team=team, role=Role.OWNER).values_list("user_id", "user__is_active")
    found = dict(owners)
    return user_id in found and not any(active for user, active in found.items() if user != user_id)


def check_other_owner(*, team: Team, of: Membership) -> None:
    """Raises Conflict where they are the team's only owner."""
    if is_only_owner(team=team, user_id=of.user_id):
        raise Conflict(f"{of.user} is the only owner of {team.name}, and a team needs one: make another member an owner first.")


def _end_dependents(of: Membership, *, gone: bool = False) -> None:
    """Ends the invitations that somebody may not make any more, and of one who left the keys too."""
    now = timezone.now()
    if gone or not roles.may(of.role, roles.Permission.PEOPLE):
        Invitation.objects.open(now).filter(team=of.team_id, invited_by=of.user_id).update(revoked_at=now)
    if gone:
        ApiKey.objects.filter(team=of.team_id, created_by=of.user_id, revoked_at=None).update(revoked_at=now)


def _name(name: str) -> str:
    name = " ".join(name.replace("\0", "").split())[:120]
    if not name:
        raise Invalid("A team needs a name.", field="name")
    return name


def _free_slug(name: str) -> str:
    """The name as an address, with a number where it is taken. Two that ask at once are told apart by the constraint."""
    wanted = slugify(name)[:40] or "team"
    taken = set(Team.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    return next(slug for slug in (wanted, *(f"{wanted}-{number}" for number in range(2, len(taken) + 3))) if slug not in taken)
