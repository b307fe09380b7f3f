"""Authentication: the typed principal that every API call and page carries."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from continuity.accounts import roles
from continuity.core import actor
from continuity.core.errors import KeyRefused, MissingScope, RoleTooLow, Unauthenticated
from continuity.core.operation import open_access
from continuity.core.request_origin import address_of
from continuity.models import ApiKey, Membership, Role, Team, User
from continuity.services.accounts import apikeys, rates
from continuity.services.recording import stored_rows

TEAMS = 100  # in the menu
_TEAM = stored_rows.Columns(Team, name="team")
_JOINED = (
    f"SELECT membership.role, {_TEAM.sql} FROM continuity_membership AS membership "  # noqa: S608  our own names
    "JOIN continuity_team AS team ON team.id = membership.team_id WHERE membership.user_id = %s"
)


@dataclass(frozen=True, slots=True)
class Principal:
    """A person in one of their teams, or an agent with a key of a team.

    `scopes` are the permissions (`roles.Permission`, by value) that a person's role has, or that both a key and the role of
    its maker have. `role` is that role; None for a key that the installation made.
    `teams` are those that a person joined first, and `team`, by name.
    """

    team: Team
    scopes: frozenset[str]
    user: User | None = None
    key: ApiKey | None = None
    role: Role | None = None
    teams: Sequence[Team] = ()

    @property
    def name(self) -> str:
        """The name under which their actions are recorded."""
        if self.user is not None:
            return self.user.email
        return f"key {self.key.name}" if self.key else "unknown"

    @property
    def person(self) -> User | None:
        """The user on whose behalf they act: the person, or the key's owner; None for a key that the installation made. At most one
        query."""
        return self.user or (self.key.created_by if self.key else None)

    def may(self, permission: str) -> bool:
        return permission in self.scopes

    def require(self, permission: str) -> None:
        """Raises RoleTooLow (403) where the role does not have the permission, MissingScope where only the key does not."""
        if permission in self.scopes:
            return
        role = roles.lowest(permission).label
        if self.key is not None and permission not in self.key.scopes:
            raise MissingScope(scope=str(permission))
        if self.key is not None:
            raise RoleTooLow(f"A key may do no more than who made it: this takes the role {role} or higher in the team.", role=role)
        raise RoleTooLow(role=role)


def principal_of_key(request: HttpRequest) -> Principal:
    """The principal of the request's `Authorization: Bearer <key>` (or `X-API-Key`).

    Raises Unauthenticated or KeyRefused; TooMany where wrong keys come from its address too often.
    """
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    full = bearer.strip() if scheme.lower() == "bearer" else request.headers.get("X-API-Key", "")
    if not full:
        raise Unauthenticated
    try:
        key = apikeys.authenticate(full, now=timezone.now())
    except KeyRefused:
        rates.take(settings.CONTINUITY_REFUSED_RATE, "refused API keys", address_of(request))
        raise
    actor.identify(name=f"key {key.name}", key_id=key.id, user_id=key.created_by_id)
    return principal_of(key)


def principal_of(key: ApiKey) -> Principal:
    """The principal of a key that was checked."""
    allowed = frozenset(key.scopes)
    if key.maker_role is None:
        return Principal(team=key.team, scopes=allowed, key=key)
    return Principal(team=key.team, scopes=allowed & roles.permissions(key.maker_role), key=key, role=Role(key.maker_role))


def anybody(request: HttpRequest) -> User | None:
    """In open access, who a request from this machine acts as that shows nothing: the owner who was there first. None for any other
    request, and for what a page of another site lets a browser send. One query."""
    if not settings.CONTINUITY_OPEN_ACCESS or not open_access.is_ours(address_of(request), request.headers):
        return None
    owner = Membership.objects.filter(role=Role.OWNER).select_related("user").order_by("created_at").first()
    return owner.user if owner else None


def principal_of_anybody(request: HttpRequest) -> Principal | None:
    """The principal of a request that shows nothing, in open access. A session or key that is shown and refused opens nothing."""
    shown = "Authorization" in request.headers or "X-API-Key" in request.headers
    user = None if shown else anybody(request)
    return principal_of_member(user) if user else None


def principal_of_member(user: User, slug: str | None = None) -> Principal | None:
    """The principal of a signed-in person in the team `slug`, or in their first one; None where they are in none. One query, and one
    more for who is in more than a hundred."""
    known = [
        (role, _TEAM.row(team)) for role, *team in stored_rows.found(f"{_JOINED} ORDER BY membership.created_at LIMIT {TEAMS}", [user.id])
    ]
    chosen = next(((role, team) for role, team in known if team.slug == slug), None)
    if chosen is None and slug and len(known) == TEAMS:
        beyond = stored_rows.found(f"{_JOINED} AND team.slug = %s", [user.id, slug])
        known += [(role, _TEAM.row(team)) for role, *team in beyond]
        chosen = known[-1] if beyond else None
    if not known:
        return None
    actor.identify(name=user.email, user_id=user.id)
    number, team = chosen or known[0]
    role = Role(number)
    teams = sorted((each for _, each in known), key=lambda team: team.name)
    return Principal(team=team, scopes=roles.permissions(role), user=user, role=role, teams=teams)
