"""Watching whether what is sent to be recorded is saved: counts failures, and raises and ends alerts about them."""

import logging
import re
import threading
from collections.abc import Callable
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from prometheus_client import Counter

from diagnostics.alerting import channels
from diagnostics.alerting.saves import Raised, Saves
from diagnostics.measuring.points import OTHER
from diagnostics.services import alerts

logger = logging.getLogger("continuity.alerts")

FAILURES = Counter("session_save_failures", "Saves of a session that failed (FR-002b)", ["session_id", "reason"])
REASONS = {503: "store_unavailable", 500: "internal_error"}
_APPEND = re.compile(r"/api/v1/conversations/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/messages")


class Watch:
    """One for each process. The store may be away, so all is kept in memory until a save succeeds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._saves = Saves()
        self._waiting: list[Raised] = []
        self._named: set[str] = set()

    def failed(self, session: str, reason: str) -> None:
        with self._lock:
            if len(self._named) < settings.CONTINUITY_METRIC_IDS:
                self._named.add(session)
            FAILURES.labels(session if session in self._named else OTHER, reason).inc()
            raised = self._saves.failed(session, reason, timezone.now())
            self._waiting += raised
        logger.error("A save failed", extra={"metadata": {"session_id": session, "reason": reason}})
        for alert in raised:
            channels.tell(alert)

    def succeeded(self, session: str) -> None:
        with self._lock:
            over = self._saves.succeeded(session)
            waiting, self._waiting = self._waiting, []
        if not waiting and not over:
            return
        try:
            alerts.store(raised=waiting, over=[UUID(session)] if over else [])
        except DatabaseError as error:
            with self._lock:
                self._waiting = [*waiting, *self._waiting]
            logger.warning("Alerts could not be stored yet", extra={"metadata": {"error": type(error).__name__}})


watch = Watch()


def saves_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Looks at the status of each request that records messages."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method == "POST" and (found := _APPEND.fullmatch(request.path)):
            if reason := REASONS.get(response.status_code):
                watch.failed(found[1], reason)
            elif response.status_code < 300:
                watch.succeeded(found[1])
        return response

    return handle
