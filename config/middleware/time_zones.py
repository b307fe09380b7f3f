"""Times are shown in the zone of who reads them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from continuity.models import User


class ReaderZoneMiddleware(MiddlewareMixin):
    """Activates the zone of the profile for the view, and no zone of another's for the next request of this thread."""

    def process_view(self, request: HttpRequest, view: Any, arguments: Any, named: Any) -> None:
        # Calls with a key have no session; asking for the person would cost them a query.
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        # Where the database does not answer, the view tells so.
        with suppress(OperationalError, InterfaceError):
            if isinstance(request.user, User):
                timezone.activate(request.user.zone)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        timezone.deactivate()
        return response
