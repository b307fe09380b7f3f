"""The address that a request came from."""

from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The caller's address; "" where there is none (a socket file).

    Behind `CONTINUITY_PROXIES` proxies it is what the outermost of them saw: each appends one address to X-Forwarded-For,
    and whatever stands further left was written by the caller.
    """
    seen = [request.META.get("REMOTE_ADDR") or ""]
    if settings.CONTINUITY_PROXIES:
        seen = [*request.headers.get("X-Forwarded-For", "").split(","), *seen]
    index = max(0, len(seen) - 1 - settings.CONTINUITY_PROXIES)
    try:
        return str(ip_address(seen[index].strip()))
    except ValueError:
        return ""
