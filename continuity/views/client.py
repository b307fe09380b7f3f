"""The page from which one gets the client, with a line that also logs it in; and its files."""

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import condition, require_http_methods, require_safe

from continuity import releases
from continuity.accounts.roles import Permission
from continuity.auth import Principal
from continuity.distribution import contents, downloads, pyz, wheel
from continuity.services.accounts import client_codes
from continuity.views.access import open_page


@open_page
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Everybody sees how to get the client; who may make keys, and asks for it, gets a line with a code, this once."""
    principal: Principal | None = getattr(request, "principal", None)
    may = principal is not None and principal.may(Permission.KEYS)
    code, until = "", None
    if request.method == "POST":
        if principal is None or principal.user is None:
            return redirect_to_login(reverse("client"))
        principal.require(Permission.KEYS)
        made, code = client_codes.create(team=principal.team, by=principal.user, now=timezone.now())
        until = made.expires_at
    address = request.build_absolute_uri("/").rstrip("/")
    shown = {
        "may": may,
        "code": code,
        "until": until,
        "address": address,
        "pyz": pyz.FILE,
        "wheel": wheel.FILE,
        "checksums": downloads.CHECKSUMS,
        "files": [each for each in downloads.files() if each.name != downloads.CHECKSUMS],
        "version": contents.version(),
        "oldest": releases.OLDEST_CLIENT,
        "python": ".".join(map(str, contents.PYTHON)),
        "minutes": client_codes.MINUTES,
        "key_days": client_codes.KEY_DAYS,
    }
    return render(request, "client.html", shown)


def _digest(request: HttpRequest, name: str) -> str | None:
    found = downloads.file(name)
    return f'"{found.digest}"' if found else None


@require_safe
@condition(etag_func=_digest)
def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """A file of the client. It holds nothing of anybody, so everybody may have it."""
    found = downloads.file(name)
    if found is None:
        raise Http404
    response = HttpResponse(found.held, content_type=found.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{found.name}"'
    response.headers["Cache-Control"] = "public, no-cache"
    return response
