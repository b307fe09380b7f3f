"""Rate limits of one address for signing in, signing up and resetting a password."""

from django.conf import settings
from django.http import HttpRequest

from continuity.core.request_origin import address_of
from continuity.services.accounts import rates


def throttle_sign_in(request: HttpRequest) -> None:
    """Counts a POST of the caller's address. Raises TooMany."""
    if request.method == "POST":
        rates.take(settings.CONTINUITY_SIGN_IN_RATE, "attempts to sign in", address_of(request))


def throttle_reset(request: HttpRequest) -> None:
    """Counts a request for a reset by the caller's address, and for the address asked for. Raises TooMany."""
    if request.method == "POST":
        rates.take(settings.CONTINUITY_RESET_RATE, "password resets", address_of(request))
        rates.take(settings.CONTINUITY_RESET_RATE, "password resets", request.POST.get("email", "").strip().lower()[:254])
