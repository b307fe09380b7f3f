"""Who is asking: the typed principal that every API call and page carries."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils import timezone

from continuity.errors import MissingScope, RoleTooLow, Unauthenticated
from continuity.models import ApiKey, Membership, Role, Scope, Team, User
from continuity.services import apikeys

_SCOPE_OF_ROLE = {
    Role.VIEWER: {Scope.READ},
    Role.MEMBER: {Scope.READ, Scope.WRITE, Scope.HANDOFF},
    Role.OPERATOR: {Scope.READ, Scope.WRITE, Scope.HANDOFF, Scope.ADMIN},
    Role.OWNER: set(Scope),
}


@dataclass(frozen=True, slots=True)
class Principal:
    """A person in one of their teams, or an agent with a key of a team."""

    team: Team
    scopes: frozenset[str]
    user: User | None = None
    key: ApiKey | None = None
    role: Role | None = None

    @property
    def name(self) -> str:
        """Who it is, for what is recorded of their deeds."""
        if self.user is not None:
            return self.user.email
        return f"key {self.key.name}" if self.key else "unknown"

    def require(self, scope: Scope) -> None:
        """Raises MissingScope (403), or RoleTooLow for a person, unless the principal may do it."""
        if scope in self.scopes:
            return
        if self.role is not None:
            lowest = next(role for role in Role if scope in _SCOPE_OF_ROLE[role])
            raise RoleTooLow(role=lowest.label)
        raise MissingScope(scope=scope.value)


def principal_of_key(request: HttpRequest) -> Principal:
    """The principal of the request's `Authorization: Bearer <key>` (or `X-API-Key`). Raises Unauthenticated or KeyRefused."""
    scheme, _, bearer = request.headers.get("Authorization", "").partition(" ")
    full = bearer.strip() if scheme.lower() == "bearer" else request.headers.get("X-API-Key", "")
    if not full:
        raise Unauthenticated
    key = apikeys.authenticate(full, now=timezone.now())
    return Principal(team=key.team, scopes=frozenset(key.scopes), key=key, user=None)


def principal_of_member(user: User, slug: str | None = None) -> Principal | None:
    """The principal of a signed-in person in the team `slug`, or in their first one; None where they are in none. One query."""
    memberships = Membership.objects.select_related("team").filter(user=user).order_by("created_at")
    membership = (memberships.filter(team__slug=slug).first() if slug else None) or memberships.first()
    if membership is None:
        return None
    role = Role(membership.role)
    return Principal(team=membership.team, scopes=frozenset(_SCOPE_OF_ROLE[role]), user=user, role=role)
