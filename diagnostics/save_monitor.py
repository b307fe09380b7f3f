"""Watching whether what is sent to be recorded is saved: counts failures, and raises and ends alerts about them."""

import hashlib
import logging
import re
import threading
from collections.abc import Callable
from functools import partial
from uuid import UUID

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase, RawPostDataException, UnreadablePostError
from django.utils import timezone
from prometheus_client import Counter

from continuity.api.problems import CAUSE
from diagnostics.alerting import channels
from diagnostics.alerting.saves import Raised, Saves
from diagnostics.measuring.points import OTHER
from diagnostics.services import alerts

logger = logging.getLogger("continuity.alerts")

FAILURES = Counter("session_save_failures", "Saves of a session that failed (FR-002b)", ["session_id", "reason"])
REASONS = {503: "store_unavailable", 500: "internal_error"}
_APPEND = re.compile(r"/api/v1/conversations/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/messages")


class Watch:
    """One for each process. The store may be away, so what is raised waits on disk until a save succeeds or a worker stores it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._saves = Saves()
        self._some_wait = True  # a process before this one may have left some
        self._named: set[str] = set()

    def failed(self, session: str, reason: str, write: str = "", cause: Exception | None = None) -> None:
        """A save failed by `cause`; `write` tells the batches of a session apart."""
        with self._lock:
            if len(self._named) < settings.CONTINUITY_METRIC_IDS:
                self._named.add(session)
            FAILURES.labels(session if session in self._named else OTHER, reason).inc()
            raised = self._saves.failed(session, reason, timezone.now(), write)
        logger.error("A save failed", exc_info=cause, extra={"metadata": {"session_id": session, "reason": reason}})
        for alert in raised:
            channels.log(alert, cause)
        self._keep(raised)
        for alert in raised:
            channels.send(alert, told=partial(_was_told, alert.id))

    def succeeded(self, session: str) -> None:
        with self._lock:
            over = self._saves.succeeded(session)
            some_wait, self._some_wait = self._some_wait, False
        if not some_wait and not over:
            return
        try:
            alerts.store_waiting(over=[UUID(session)] if over else [])
        except (DatabaseError, OSError) as error:
            self._some_wait = True
            logger.warning("Alerts could not be stored yet", extra={"metadata": {"error": type(error).__name__}})

    def _keep(self, raised: list[Raised]) -> None:
        """They are in the log already; a disk that takes nothing costs the list of alerts its rows."""
        if not raised:
            return
        try:
            alerts.waiting().keep(raised)
        except OSError as error:
            logger.error("Alerts could not be kept", extra={"metadata": {"error": type(error).__name__}})
        self._some_wait = True


def _was_told(alert_id: UUID, channel: str) -> None:
    """Else the monitor tells it once more when the alert is stored."""
    try:
        alerts.waiting().was_told(alert_id, channel)
    except OSError as error:
        logger.error("That an alert was told could not be kept", extra={"metadata": {"error": type(error).__name__}})


watch = Watch()


def _write_of(request: HttpRequest) -> str:
    """The key of a batch within its session: the caller's key for it, or a digest of what was sent."""
    key = request.headers.get("Idempotency-Key")
    if key:
        return key
    try:
        return hashlib.sha256(request.body).hexdigest()  # received before the request was begun: nobody waits for it here
    except (RawPostDataException, UnreadablePostError, RequestDataTooBig):
        return ""


def saves_middleware(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Looks at the status of each request that records messages."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.method == "POST" and (found := _APPEND.fullmatch(request.path)):
            if reason := REASONS.get(response.status_code):
                watch.failed(found[1], reason, _write_of(request), request.META.get(CAUSE))
            elif response.status_code < 300:
                watch.succeeded(found[1])
        return response

    return handle
