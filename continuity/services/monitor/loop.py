"""The monitor's loop: lead, do what is due, sleep until the next deadline or until something happens."""

import logging
import threading
import time
from typing import Any

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone
from redis import Redis
from redis.exceptions import RedisError

from continuity.services.events.relay import STREAM
from continuity.services.jobs import broker
from continuity.services.monitor import leading, watches

logger = logging.getLogger("continuity.monitor")

# Who does not lead asks so often whether it may; who leads whether it still does, well before it would count as standing still.
ASK_SECONDS = 1.0
ASKS_IN_SILENCE = 4
# So soon it sees that it was asked to end.
LONGEST_WAIT = 2.0
# While the broker is away nobody wakes us.
POLL_SECONDS = 1.0


class News:
    """Waits for events to be relayed, on a connection of its own."""

    def __init__(self) -> None:
        self._client: Redis = Redis.from_url(settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=70)
        self._seen: Any = "$"

    def wait(self, seconds: float) -> bool:
        """Sleeps until there are news, or for so long. True where there are, or where it can't be known."""
        begun = time.monotonic()
        try:
            if self._seen == "$":
                newest: Any = self._client.xrevrange(STREAM, count=1)
                self._seen = newest[0][0] if newest else b"0-0"
                return True  # What happened before we listened.
            told: Any = self._client.xread({STREAM: self._seen}, count=1000, block=max(1, int(seconds * 1000)))
        except (RedisError, OSError):
            self._seen = "$"
            time.sleep(max(0.0, min(seconds, POLL_SECONDS) - (time.monotonic() - begun)))
            return True
        if not told:
            return False
        self._seen = told[0][1][-1][0]
        return True

    def close(self) -> None:
        self._client.close()


def run(*, stop: threading.Event) -> None:
    """Leads and watches until `stop`. It raises nothing that time may heal."""
    broker.keep_own_connection()
    news = News()
    leading_now: bool | None = None
    ask_again = 0.0
    try:
        happened = True
        while not stop.is_set():
            try:
                if time.monotonic() >= ask_again:
                    leading_now = _lead(leading_now)
                    ask_again = time.monotonic() + (leading.SILENT_SECONDS / ASKS_IN_SILENCE if leading_now else ASK_SECONDS)
                pause = watches.run_due(now=timezone.now(), clock=time.monotonic(), news=happened) if leading_now else ASK_SECONDS
            except DatabaseError as error:
                logger.warning("The store does not answer the monitor", extra={"metadata": {"error": type(error).__name__}})
                connection.close()
                leading_now, pause = False, ASK_SECONDS
            if leading_now:
                happened = news.wait(min(pause, LONGEST_WAIT))
            else:
                stop.wait(pause)
                happened = True
    finally:
        news.close()
        connection.close()  # The lock goes with it.


def _lead(before: bool | None) -> bool:
    leads_now = leading.leads() or leading.try_to_lead()
    if leads_now != before:
        logger.info("The monitor %s", "leads" if leads_now else "waits: another one leads")
    return leads_now
