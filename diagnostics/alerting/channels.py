"""Alert channels: always the log, and the addresses that are set. One that fails or hangs is logged and holds up nobody: each has a
thread of its own.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from typing import Any

import httpx2
from django.conf import settings
from django.core.mail import send_mail

from continuity.core.isolation import name_of
from diagnostics.alerting import pagerduty
from diagnostics.alerting.alert_texts import as_json, as_pagerduty, as_slack, sentence
from diagnostics.alerting.rules import AlertSeverity
from diagnostics.alerting.saves import Raised

logger = logging.getLogger("continuity.alerts")

SECONDS = 5.0
PAUSES = (1.0, 5.0)
# Refusals (4xx) that say nothing of the alert: the channel gave up waiting, or is told too much.
AWAY = frozenset({408, 429})


class ChannelAnswer(Enum):
    """The outcome of a delivery: REFUSED says nothing of the next alert, AWAY that it would fare the same."""

    TOOK = auto()
    REFUSED = auto()
    AWAY = auto()


@dataclass(frozen=True, slots=True)
class AlertChannel:
    """`begun` tells once of an alert; `over`, where the channel has incidents, that those of a rule about a subject are over."""

    is_set: Callable[[], bool]
    begun: Callable[[Raised], ChannelAnswer]
    over: Callable[[str, str], ChannelAnswer] | None = None


def send(alert: Raised, *, told: Callable[[str], None]) -> None:
    """Sends an alert that the store can't keep everywhere, in the background and three times at most; `told` hears the name of each
    channel that took it."""
    for name in those_set():
        in_background(name, partial(_insist, name, alert, told))


def _insist(name: str, alert: Raised, told: Callable[[str], None]) -> None:
    for wait in (0.0, *PAUSES):
        time.sleep(wait)
        if CHANNELS[name].begun(alert) is ChannelAnswer.TOOK:
            told(name)
            return


def those_set() -> list[str]:
    """The names of the channels that have an address."""
    return [name for name, channel in CHANNELS.items() if channel.is_set()]


def in_background(name: str, work: Callable[[], object]) -> None:
    """Does something in the thread of a channel, after all that waits there. What goes wrong is logged."""
    _threads[name].submit(work).add_done_callback(partial(_log_failure, name))


def _log_failure(name: str, done: Future[object]) -> None:
    error = done.exception()
    if error is not None:
        told = {"channel": name, "error": name_of(error)}
        logger.error("A channel could not be told of alerts; what is stored will be told again", exc_info=error, extra={"metadata": told})


def _webhook(alert: Raised) -> ChannelAnswer:
    return post(settings.ALERT_WEBHOOK, as_json(alert))


def _slack(alert: Raised) -> ChannelAnswer:
    return post(settings.ALERT_SLACK_WEBHOOK, as_slack(alert))


def _pagerduty(alert: Raised) -> ChannelAnswer:
    return post(settings.ALERT_PAGERDUTY_URL, as_pagerduty(alert))


def _pagerduty_over(rule: str, subject: str) -> ChannelAnswer:
    return post(settings.ALERT_PAGERDUTY_URL, pagerduty.resolve(settings.ALERT_PAGERDUTY_KEY, rule=rule, subject=subject))


def _mail(alert: Raised) -> ChannelAnswer:
    body = "\n".join(f"{name}: {value}" for name, value in as_json(alert).items())
    try:
        send_mail(f"[{alert.severity.value}] {sentence(alert)}"[:200], body, None, settings.ALERT_EMAIL_TO)
    except OSError as error:
        logger.error("An alert could not be mailed", extra={"metadata": {"error": type(error).__name__}})
        return ChannelAnswer.AWAY
    return ChannelAnswer.TOOK


CHANNELS = {
    "webhook": AlertChannel(lambda: bool(settings.ALERT_WEBHOOK), _webhook),
    "slack": AlertChannel(lambda: bool(settings.ALERT_SLACK_WEBHOOK), _slack),
    "pagerduty": AlertChannel(lambda: bool(settings.ALERT_PAGERDUTY_KEY), _pagerduty, _pagerduty_over),
    "mail": AlertChannel(lambda: bool(settings.ALERT_EMAIL_TO), _mail),
}
_threads = {name: ThreadPoolExecutor(1, thread_name_prefix=f"alerts-{name}") for name in CHANNELS}


def log(alert: Raised, cause: Exception | None = None) -> None:
    """With the stack of its cause where an error was that, else with ours."""
    level = logging.CRITICAL if alert.severity is AlertSeverity.CRITICAL else logging.ERROR
    logger.log(level, "%s", sentence(alert), exc_info=cause, stack_info=cause is None, extra={"metadata": as_json(alert)})


def post(address: str, body: dict[str, Any]) -> ChannelAnswer:
    """Posts JSON once, in `SECONDS` at most. The address, which may hold a secret, is never logged."""
    try:
        status = asyncio.run(_status(address, body))
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, TimeoutError) as failure:  # UnicodeError: a name that can't be looked up
        told, error = ChannelAnswer.AWAY, type(failure).__name__
    else:
        if 200 <= status < 300:
            return ChannelAnswer.TOOK
        told, error = ChannelAnswer.AWAY if status >= 500 or status in AWAY else ChannelAnswer.REFUSED, str(status)
    logger.error("An alert could not be delivered", extra={"metadata": {"error": error}})
    return told


async def _status(address: str, body: dict[str, Any]) -> int:
    """The status of the answer: the clock covers all that leads to it, and nothing behind its headers is read."""
    async with (
        asyncio.timeout(SECONDS),
        httpx2.AsyncClient(timeout=SECONDS, follow_redirects=False) as client,
        client.stream("POST", address, json=body) as answer,
    ):
        return answer.status_code
