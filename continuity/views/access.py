"""Access to pages: the principal is attached once at the edge, and every refusal is a page that says why."""

import logging
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, TypeAlias, cast
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import patch_cache_control, patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from continuity import auth
from continuity.core import disk
from continuity.core.errors import DomainError, NoRoom, NotFound
from continuity.core.store_errors import refusal_of
from continuity.models import User
from continuity.services.events import event_replay
from continuity.views import team_links
from continuity.views.refusals import NoTeam, in_another_team, not_allowed, refusal

logger = logging.getLogger("continuity.web")

TEAM = "team"  # the session's key for the slug of the chosen team

P = ParamSpec("P")


class MemberRequest(HttpRequest):
    """A request of a signed-in person, with the team that they act in and what they may do there; `last_event` is the position of the
    last event before a whole page is made, from which that page follows what happens."""

    principal: auth.Principal
    last_event: int
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


def within_another_page(request: MemberRequest) -> bool:
    """Whether htmx asks from another page than this one, so that the answer may change more of that page than its own place."""
    return bool(request.htmx) and _path(asked_from(request.htmx)) != request.path


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
        asked = cast(MemberRequest, request)
        try:
            if not admit(request):
                return _to_login(request)
            if asked.principal and asked.method == "GET" and not asked.htmx:
                asked.last_event = event_replay.latest()
            response = view(asked, *args, **kwargs)
        except NotFound as error:
            return _not_here(asked, error, kwargs)
        except DomainError as error:
            return refusal(request, error)
        except (OperationalError, InterfaceError) as error:
            logger.exception("A page could not be made without the database")
            return refusal(request, refusal_of(error))
        except OSError as error:
            if not disk.is_full(error):
                raise
            logger.exception("The disk takes nothing")
            return refusal(request, NoRoom())
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            return not_allowed(request, response)
        # One address answers a page or a fragment of it, to one person only: no cache may mix them up.
        patch_vary_headers(response, ["HX-Request", "Cookie"])
        patch_cache_control(response, private=True, no_cache=True)
        return response

    return cast(Page[P], page)


def _not_here(request: MemberRequest, error: NotFound, parameters: Mapping[str, Any]) -> HttpResponse:
    """The error that it is not found; for a member of the team that has it, with the way there."""
    principal = getattr(request, "principal", None)
    found = team_links.team_of(request.user, besides=principal.team, parameters=parameters) if principal and principal.user else None
    return in_another_team(request, found) if found and not request.htmx else refusal(request, error)


def _to_login(request: HttpRequest) -> HttpResponse:
    htmx: HtmxDetails = request.htmx  # type: ignore[attr-defined]
    if htmx:
        # A fragment's request must not put the login into the middle of a page.
        return HttpResponseClientRedirect(redirect_to_login(asked_from(htmx) or "/").url)
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    # What a form was sent to is nothing to look at: back to the page that had the form. The login checks where it leads.
    return redirect_to_login(_path(request.headers.get("Referer", "")) or "/")


def asked_from(htmx: HtmxDetails) -> str:
    """The page that htmx asks from, where it is one of ours."""
    try:
        return htmx.current_url_abs_path or ""
    except ValueError:  # as below
        return ""


def _path(address: str) -> str:
    try:
        return urlsplit(address).path
    except ValueError:  # anybody may send anything for an address
        return ""
