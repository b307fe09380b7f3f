"""Alert channels: always the log, and the addresses that are set. A channel that fails is logged and holds up nobody."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
from django.conf import settings
from django.core.mail import send_mail

from diagnostics.alerting import pagerduty
from diagnostics.alerting.rules import RULES, AlertSeverity
from diagnostics.alerting.saves import Raised

logger = logging.getLogger("continuity.alerts")

SECONDS = 5.0
PAUSES = (1.0, 5.0)
_sending = ThreadPoolExecutor(1, thread_name_prefix="alerts")


def send(alert: Raised, cause: Exception | None = None) -> None:
    """Sends an alert everywhere; what goes over the network goes in the background, each channel by itself."""
    log(alert, cause)
    for each in CHANNELS.values():
        _sending.submit(each, alert)


def send_over(rule: str, subject: str) -> bool:
    """Tells PagerDuty that an alert is over, where that is set. Whether it is told, or need not be."""
    key = settings.ALERT_PAGERDUTY_KEY
    return not key or post(settings.ALERT_PAGERDUTY_URL, pagerduty.resolve(key, rule=rule, subject=subject))


def _webhook(alert: Raised) -> None:
    if settings.ALERT_WEBHOOK:
        post(settings.ALERT_WEBHOOK, as_json(alert))


def _slack(alert: Raised) -> None:
    if settings.ALERT_SLACK_WEBHOOK:
        post(settings.ALERT_SLACK_WEBHOOK, as_slack(alert))


def _pagerduty(alert: Raised) -> None:
    if settings.ALERT_PAGERDUTY_KEY:
        post(settings.ALERT_PAGERDUTY_URL, as_pagerduty(alert))


def _mail(alert: Raised) -> None:
    if not settings.ALERT_EMAIL_TO:
        return
    body = "\n".join(f"{name}: {value}" for name, value in as_json(alert).items())
    try:
        send_mail(f"[{alert.severity.value}] {sentence(alert)}"[:200], body, None, settings.ALERT_EMAIL_TO)
    except OSError as error:
        logger.error("An alert could not be mailed", extra={"metadata": {"error": type(error).__name__}})


CHANNELS: dict[str, Callable[[Raised], None]] = {"webhook": _webhook, "slack": _slack, "pagerduty": _pagerduty, "mail": _mail}


def log(alert: Raised, cause: Exception | None = None) -> None:
    """With the stack of its cause where an error was that, else with ours."""
    level = logging.CRITICAL if alert.severity is AlertSeverity.CRITICAL else logging.ERROR
    logger.log(level, "%s", sentence(alert), exc_info=cause, stack_info=cause is None, extra={"metadata": as_json(alert)})


def sentence(alert: Raised) -> str:
    since = f"{alert.since:%Y-%m-%d %H:%M:%S} UTC"
    return RULES[alert.rule].sentence.format(session=alert.session, message=alert.message, retries=alert.retries, since=since)


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


def as_pagerduty(alert: Raised) -> dict[str, Any]:
    rule, severity = alert.rule.value, alert.severity.value
    told = as_json(alert)
    return pagerduty.trigger(
        settings.ALERT_PAGERDUTY_KEY, rule=rule, subject=alert.session, severity=severity, sentence=sentence(alert), details=told
    )


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
