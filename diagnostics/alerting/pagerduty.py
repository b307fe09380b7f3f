"""PagerDuty's Events API, version 2: one incident for each subject and rule, resolved when the alert is over. Pure."""

from __future__ import annotations

from typing import Any


def dedup_key(rule: str, subject: str) -> str:
    """The key that makes a second alert of the same part of the same incident."""
    return f"continuity/{rule}/{subject}"[:255]


def trigger(key: str, *, rule: str, subject: str, severity: str, sentence: str, details: dict[str, Any]) -> dict[str, Any]:
    payload = {"summary": sentence[:1024], "source": "continuity", "severity": severity, "class": rule, "custom_details": details}
    return {"routing_key": key, "event_action": "trigger", "dedup_key": dedup_key(rule, subject), "payload": payload}


def resolve(key: str, *, rule: str, subject: str) -> dict[str, Any]:
    return {"routing_key": key, "event_action": "resolve", "dedup_key": dedup_key(rule, subject)}
