"""The thread that hears at once when something is ordered, so that nobody waits for the next heartbeat to learn it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from continuity.client.connection import Away, Refused

logger = logging.getLogger("continuity.client.agents")

# How long one question waits for an order.
WAIT_SECONDS = 25.0
# Where the server is away, and where it can't be asked so: what is ordered comes with the next heartbeat then.
AWAY_SECONDS, REFUSED_SECONDS = 5.0, 60.0
# At most so often, whatever is ordered.
REST_SECONDS = 0.1


class OrderListener:
    """`ask` waits for an order and gives the agents that it is for; `heard` is told of them."""

    def __init__(self, ask: Callable[[], Sequence[str]], heard: Callable[[Sequence[str]], None]) -> None:
        self._ask, self._heard = ask, heard
        self._over = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, daemon=True, name="orders").start()

    def stop(self) -> None:
        """It is not waited for: it may be in the middle of a question."""
        self._over.set()

    def _run(self) -> None:
        while not self._over.is_set():
            self._over.wait(self._once())

    def _once(self) -> float:
        """One question; how many seconds to wait for the next."""
        try:
            if (agents := self._ask()) and not self._over.is_set():
                self._heard(agents)
        except Away as error:
            logger.info("The server can't be asked for orders: %s", error)
            return AWAY_SECONDS
        except Refused as error:
            logger.info("Orders come with heartbeats alone: %s", error)
            return REFUSED_SECONDS
        except Exception:
            logger.exception("Asking for orders failed")
            return REFUSED_SECONDS
        return REST_SECONDS
