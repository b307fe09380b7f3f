"""An alert as a sentence, and as JSON for each kind of channel. Pure."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from diagnostics.alerting import pagerduty
from diagnostics.alerting.rules import RULES
from diagnostics.alerting.saves import Raised


def sentence(alert: Raised) -> str:
    since = f"{alert.since:%Y-%m-%d %H:%M:%S} UTC"
    return RULES[alert.rule].sentence.format(session=alert.session, message=alert.message, retries=alert.retries, since=since)


def as_json(alert: Raised) -> dict[str, Any]:
    """`id` is the same however often it comes."""
    return {
        "id": str(alert.id),
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
