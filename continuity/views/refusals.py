"""The page, or under htmx the notice, for an error that the reader caused or must know of."""

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from continuity.errors import DomainError, TooLarge

TITLES = {
    401: "Please sign in",
    403: "You may not do this",
    404: "Not found",
    409: "That does not fit the present state",
    410: "No longer there",
    412: "Somebody was faster",
    413: "Too large",
    422: "That can't be used",
    429: "Too many requests",
    503: "Not available right now",
}


class NoTeam(DomainError):
    """You are signed in, but belong to no team yet. Ask an owner of your team for an invitation, or found a team in your profile."""

    code = "no_team"
    status = 403


def refusal(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The error as a page with its status; under htmx as a notice that goes to the page's own place for it."""
    shown = {"status": error.status, "title": TITLES.get(error.status, "This did not work"), "detail": error.detail}
    if error.status >= 500:
        shown["principal"] = None  # The menu would ask the database that just failed.
    is_fragment = bool(getattr(request, "htmx", False))
    response = render(request, "error.html#notice" if is_fragment else "error.html", shown, status=error.status)
    if is_fragment:
        response["HX-Retarget"], response["HX-Reswap"], response["HX-Push-Url"] = "#notices", "innerHTML show:window:top", "false"
    if "retry_after" in error.data:
        response["Retry-After"] = str(error.data["retry_after"])
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for a request that can't be taken in; it names the limit where there is one."""
    if isinstance(exception, TooManyFilesSent):
        return refusal(request, TooLarge(noun="The form", size="more files", limit=f"{settings.CONTINUITY_MAX_UPLOAD_FILES} files"))
    if isinstance(exception, RequestDataTooBig):
        return refusal(request, TooLarge(noun="The form", size="more bytes", limit=f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes"))
    return render(request, "400.html", status=400)
