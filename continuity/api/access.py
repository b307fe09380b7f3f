"""Authentication of endpoints: a team's key, or a signed-in member, with the scope that the endpoint names."""

from abc import ABC, abstractmethod

from django.conf import settings
from django.http import HttpRequest
from ninja.errors import HttpError
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from continuity import auth
from continuity.auth import Principal
from continuity.core import actor
from continuity.core.errors import Invalid
from continuity.models import Scope, Team
from continuity.services.accounts import rates
from continuity.services.agents.epochs import NamedInstance

AGENT_HEADER = "Continuity-Agent"
TEAM = "team"  # the session's key for the slug of the chosen team, as the pages keep it


class ApiRequest(HttpRequest):
    """A request that was let in: `auth` says who asks, `unmasked` that they asked to see secrets and may."""

    auth: Principal
    unmasked: bool = False


class _Access(AuthBase, ABC):
    """One way to show who one is. It passes (None) where the request does not use this way, and refuses where the scope is missing,
    and `instead`, if it is given, as well: then the endpoint looks closer.

    Raises TooMany where a key, a person, or an address that sends wrong keys asks too often.
    """

    def __init__(self, scope: Scope, instead: Scope | None = None) -> None:
        self.scope, self.instead = scope, instead
        super().__init__()

    def __call__(self, request: HttpRequest) -> Principal | None:
        principal = self.principal_of(request)
        if principal is not None:
            asker = principal.key or principal.user
            rates.take(settings.CONTINUITY_API_RATE, "requests", str(asker.id if asker else ""))
            if self.instead is None or not principal.may(self.instead):
                principal.require(self.scope)
            if request.method not in ("GET", "HEAD"):
                actor.current().condition = named_instance(request.headers.get(AGENT_HEADER, ""), principal.team)
        return principal

    @abstractmethod
    def principal_of(self, request: HttpRequest) -> Principal | None: ...


def named_instance(named: str, team: Team) -> NamedInstance | None:
    """The instance that a write names (NAME/EPOCH, or nothing), which is let in where it is the present one, and must still be where it
    stores anything. Raises Fenced, NotFound, Invalid. One statement where one is named."""
    if not named:
        return None
    name, _, epoch = named.partition("/")
    if not (epoch.isascii() and epoch.isdigit() and len(epoch) <= 10):
        raise Invalid(f"{AGENT_HEADER} is an agent's name and epoch, such as billing/4.", field=AGENT_HEADER)
    instance = NamedInstance(team, name, int(epoch))
    instance.look()
    return instance


class BearerKey(_Access):
    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = "An API key of a team, as `Authorization: Bearer <key>`."

    def principal_of(self, request: HttpRequest) -> Principal | None:
        bearer = request.headers.get("Authorization", "").lower().startswith("bearer ")
        return auth.principal_of_key(request) if bearer else None


class HeaderKey(_Access):
    openapi_type = "apiKey"
    openapi_in = "header"
    openapi_name = "X-API-Key"
    openapi_description = "An API key of a team."

    def principal_of(self, request: HttpRequest) -> Principal | None:
        return auth.principal_of_key(request) if request.headers.get("X-API-Key") else None


class SignedIn(_Access):
    openapi_type = "apiKey"
    openapi_in = "cookie"
    openapi_name = settings.SESSION_COOKIE_NAME
    openapi_description = "A signed-in browser, in the team that its pages show. Whatever changes something needs the CSRF header too."

    def principal_of(self, request: HttpRequest) -> Principal | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
            return None
        if check_csrf(request):
            raise HttpError(403, "The CSRF token is missing or wrong.")
        return auth.principal_of_member(request.user, request.session.get(TEAM))


class Anybody(_Access):
    """Nobody has to show anything where CONTINUITY_OPEN_ACCESS is set and the request comes from this machine."""

    openapi_type = "apiKey"
    openapi_in = "header"
    openapi_name = "X-Nobody"

    def principal_of(self, request: HttpRequest) -> Principal | None:
        return auth.principal_of_anybody(request)


def _ways(*scopes: Scope) -> list[AuthBase]:
    return [BearerKey(*scopes), HeaderKey(*scopes), SignedIn(*scopes), *([Anybody(*scopes)] if settings.CONTINUITY_OPEN_ACCESS else [])]


READ = _ways(Scope.READ)
WRITE = _ways(Scope.WRITE)
HANDOFF = _ways(Scope.HANDOFF)
AGENT = _ways(Scope.AGENT)
ADMIN = _ways(Scope.ADMIN)
ADMIN_OR_WRITE = _ways(Scope.ADMIN, Scope.WRITE)
