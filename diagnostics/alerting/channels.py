"""Alert channels: always the log, and the addresses that are set. A channel that fails is logged and holds up nobody."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
from django.conf import settings

from diagnostics.alerting.saves import AlertSeverity, Raised, AlertRule

logger = logging.getLogger("continuity.alerts")

SECONDS = 5.0
PAUSES = (1.0, 5.0)
_sending = ThreadPoolExecutor(1, thread_name_prefix="alerts")


def send(alert: Raised, cause: Exception | None = None) -> None:
    """Sends an alert everywhere; what goes over the network goes in the background."""
    log(alert, cause)
    for address, body in ((settings.ALERT_WEBHOOK, as_json), (settings.ALERT_SLACK_WEBHOOK, as_slack)):
        if address:
            _sending.submit(post, address, body(alert))


def log(alert: Raised, cause: Exception | None = None) -> None:
    """With the stack of its cause where an error was that, else with ours."""
    level = logging.CRITICAL if alert.severity is AlertSeverity.CRITICAL else logging.ERROR
    logger.log(level, "%s", sentence(alert), exc_info=cause, stack_info=cause is None, extra={"metadata": as_json(alert)})


def sentence(alert: Raised) -> str:
    if alert.rule is AlertRule.AUDIT_DIFFERS:
        return f"What is stored of session {alert.session} differs from what its messages give ({alert.message})"
    if alert.rule is AlertRule.MESSAGE_SKIPPED:
        return f"A message of session {alert.session} could not be read and is passed over ({alert.message})"
    if alert.rule is AlertRule.WORK_FAILS:
        return f"Work in the background fails for {alert.session} ({alert.message}); tried {alert.retries} times"
    if alert.rule is AlertRule.DEAD_LETTER:
        return f"Events wait as dead letters that a subscriber never took ({alert.message})"
    if alert.rule is AlertRule.RESUMPTIONS_FAIL:
        return f"Sessions of team {alert.session} can't be gone on from: {alert.message}"
    since = f"{alert.since:%Y-%m-%d %H:%M:%S} UTC"
    return f"Session {alert.session} can't be saved ({alert.message}); tried again {alert.retries} times since {since}"


def as_json(alert: Raised) -> dict[str, Any]:
    return {
        "rule": alert.rule.value,
        "severity": alert.severity.value,
        "session_id": alert.session,
        "message": alert.message,
        "retries": alert.retries,
        "since": alert.since.isoformat(),
        "timestamp": alert.at.isoformat(),
    }


def as_slack(alert: Raised) -> dict[str, Any]:
    return {"text": f"[{alert.severity.value}] {sentence(alert)}"}


def post(address: str, body: dict[str, Any], *, pause: Callable[[float], None] = time.sleep) -> bool:
    """Posts JSON, three times at most. False where nobody took it; the address, which may hold a secret, is never logged."""
    for wait in (0.0, *PAUSES):
        pause(wait)
        try:
            if httpx2.post(address, json=body, timeout=SECONDS, follow_redirects=False).is_success:
                return True
            error = "refused"
        except httpx2.HTTPError as failure:
            error = type(failure).__name__
    logger.error("An alert could not be delivered", extra={"metadata": {"error": error}})
    return False
