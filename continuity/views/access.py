"""Who may see a page: the principal is attached once at the edge, and every refusal becomes a page that says why."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeAlias, cast

from django.contrib.auth.views import redirect_to_login
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from continuity import auth
from continuity.errors import DomainError, Unavailable
from continuity.models import User
from continuity.views.refusals import NoTeam, refusal

logger = logging.getLogger("continuity.web")

TEAM = "team"  # the session's key for the slug of the chosen team

P = ParamSpec("P")


class MemberRequest(HttpRequest):
    """A request of a signed-in person, with the team that they act in and what they may do there."""

    principal: auth.Principal
    htmx: HtmxDetails
    user: User


Page: TypeAlias = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


View: TypeAlias = Callable[Concatenate[MemberRequest, P], HttpResponseBase]


def member_page(view: View[P]) -> Page[P]:
    """Lets members of a team in, others to the login; a DomainError becomes a page with its status (STYLE, 16 and 17)."""
    return _page(view, _with_team)


def person_page(view: View[P]) -> Page[P]:
    """Lets whoever is signed in in, also without a team (`principal` is None then)."""
    return _page(view, _signed_in)


def open_page(view: Page[P]) -> Page[P]:
    """Lets everybody in, signed in or not."""
    return _page(cast(View[P], view), _anybody)


def _with_team(request: HttpRequest) -> bool:
    if _signed_in(request) and request.principal is None:  # type: ignore[attr-defined]
        raise NoTeam
    return isinstance(request.user, User)


def _signed_in(request: HttpRequest) -> bool:
    return _anybody(request) and isinstance(request.user, User)


def _anybody(request: HttpRequest) -> bool:
    """Attaches the principal where there is one."""
    user = request.user
    found = auth.principal_of_member(user, request.session.get(TEAM)) if isinstance(user, User) else None
    request.principal = found  # type: ignore[attr-defined]
    return True


def _page(view: View[P], admit: Callable[[HttpRequest], bool]) -> Page[P]:
    @wraps(view)
    def page(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            if not admit(request):
                return _to_login(request)
            response = view(request, *args, **kwargs)  # type: ignore[arg-type]
        except DomainError as error:
            return refusal(request, error)
        except (OperationalError, InterfaceError):
            logger.exception("A page could not be made without the database")
            return refusal(request, Unavailable(retry_after=5))
        # One address answers a page or a fragment of it, to one person only: no cache may mix them up.
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        patch_cache_control(response, private=True, no_cache=True)
        return response

    return cast(Page[P], page)


def _to_login(request: HttpRequest) -> HttpResponse:
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    if htmx:
        # A fragment's request must not put the login into the middle of a page.
        return HttpResponseClientRedirect(redirect_to_login(htmx.current_url_abs_path or "/").url)
    return redirect_to_login(request.get_full_path())
