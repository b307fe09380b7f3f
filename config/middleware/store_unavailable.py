"""A page that can't be had without the database says so, also where it is not one of ours: those of the admin."""

from __future__ import annotations

import logging

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from continuity.core.store_errors import refusal_of
from continuity.views.refusals import refusal

logger = logging.getLogger("continuity.web")


class StoreAwayMiddleware(MiddlewareMixin):
    """Answers 503 instead of 500."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, (OperationalError, InterfaceError)):
            return None
        logger.error("A page could not be made without the database", exc_info=error)
        return refusal(request, refusal_of(error))
