"""The page, or under htmx the notice, for an error that the reader caused or must know of."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

from continuity.core.errors import DomainError, TooLarge
from continuity.models import Team

TITLES = {
    400: "That can't be answered",
    401: "Please sign in",
    403: "You may not do this",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    409: "That conflicts with the current state",
    410: "No longer there",
    412: "Somebody else changed it first",
    413: "Too large",
    422: "That can't be used",
    429: "Too many requests",
    503: "Not available right now",
    507: "No room left",
}


class NoTeam(DomainError):
    """You are signed in, but belong to no team yet. Ask an owner of your team for an invitation, or found a team in your profile."""

    code = "no_team"
    status = 403


def refusal(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error as a page with its status; under htmx as a notice that goes to the page's own place for it."""
    shown = {"status": error.status, "title": TITLES.get(error.status, "This did not work"), "detail": error.detail, "back": _back(request)}
    if error.status >= 500:
        shown["principal"] = None  # The menu would ask the database that just failed.
    is_fragment = bool(getattr(request, "htmx", False))
    response = render(request, "error.html#notice" if is_fragment else "error.html", shown, status=error.status)
    if is_fragment:
        response["HX-Retarget"], response["HX-Reswap"], response["HX-Push-Url"] = "#notices", "innerHTML show:window:top", "false"
    # Browsers keep a page that is gone, or not found, without asking; a notice would then stand for the page of that address.
    patch_vary_headers(response, ["HX-Request", "Cookie"])
    patch_cache_control(response, private=True, no_store=True)
    if "retry_after" in error.data:
        response["Retry-After"] = str(error.data["retry_after"])
    return response


def in_another_team(request: HttpRequest, team: Team) -> HttpResponse:
    """That what is looked for is in another of one's teams, with a button that leads there: 404 in the team one acts in."""
    leads = request.get_full_path() if request.method in ("GET", "HEAD") else _back(request)
    response = render(request, "elsewhere.html", {"there": team, "leads": leads}, status=404)
    patch_cache_control(response, private=True, no_store=True)
    return response


def _back(request: HttpRequest) -> str:
    """The page that somebody comes from, where it is one of ours and not this one; empty otherwise."""
    try:
        came = urlsplit(request.headers.get("Referer", ""))
        ours = came.netloc == request.get_host()
    except (ValueError, DisallowedHost):  # anybody may send anything for an address
        return ""
    here = came._replace(scheme="", netloc="").geturl()
    return here if ours and came.path.startswith("/") and not came.path.startswith("//") and came.path != request.path else ""


class FormOnly(DomainError):
    """A button or a form sends to it, and there is nothing to look at. Go back to the page that has the button."""

    code = "form_only"
    status = 405


class LookedAtOnly(DomainError):
    """This page is only to be looked at: nothing can be sent to it."""

    code = "looked_at_only"
    status = 405


def not_allowed(request: HttpRequest, refused: HttpResponseBase) -> HttpResponse:
    """Django's answer to a wrong method has no content, which browsers show as a fault of their own; this says what it is."""
    response = refusal(request, FormOnly() if "POST" in refused["Allow"] else LookedAtOnly())
    response["Allow"] = refused["Allow"]
    return response


class UnknownHost(DomainError):
    """Continuity does not answer to the name {host}. Whoever runs it adds the name to ALLOWED_HOSTS."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for a request that can't be taken in; it names the limit where there is one."""
    if isinstance(exception, TooManyFilesSent):
        return refusal(request, TooLarge(noun="The form", size="more files", limit=f"{settings.CONTINUITY_MAX_UPLOAD_FILES} files"))
    if isinstance(exception, RequestDataTooBig):
        return refusal(request, TooLarge(noun="The form", size="more bytes", limit=f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes"))
    if isinstance(exception, DisallowedHost):
        return refusal(request, UnknownHost(host=request.META.get("HTTP_HOST", "")[:255]))
    return render(request, "400.html", status=400)
