"""The thread that beats: nothing else, whatever fails. The agent's work is never done by it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from continuity.client.connection import Away, Refused

logger = logging.getLogger("continuity.client.agents")

Beat = dict[str, Any]
# Shorter than what a lost beat may take until its agent counts as lost.
AGAIN_SECONDS = 1.0


class BeatThread:
    """Sends what `beat` gives every `interval` seconds, and at once when it is urged; `heard` gets it, and what is answered for it.

    `send` gives the answer for this agent, with `wait` (seconds) where it is not the interval that is to be waited for.
    """

    def __init__(
        self,
        *,
        beat: Callable[[], Beat],
        send: Callable[[Beat, bool], Mapping[str, Any]],
        heard: Callable[[Beat, Mapping[str, Any]], None],
        interval: float,
    ) -> None:
        self._beat, self._send, self._heard, self._interval = beat, send, heard, interval
        self._refusal = ""
        self._urged = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="heartbeats")

    def start(self) -> None:
        self._thread.start()

    def urge(self) -> None:
        """Something is to be told at once."""
        self._urged.set()

    def stop(self, patience: float = 5.0) -> None:
        self._over.set()
        self._urged.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(patience)

    def _run(self) -> None:
        while not self._over.is_set():
            urged = self._urged.is_set()
            self._urged.clear()
            self._urged.wait(self._once(urged))

    def _once(self, urged: bool) -> float:
        """One beat; how many seconds to wait for the next."""
        beat = self._beat()
        try:
            answer = self._send(beat, urged)
            self._refusal = ""
            self._heard(beat, answer)
            return float(answer.get("wait", self._interval))
        except Away as error:
            logger.info("The server did not take a heartbeat: %s", error)
        except Refused as error:
            if error.code == "fenced":
                self._heard(beat, {"agent": beat["agent"], "result": "fenced", "orders": []})
                return self._interval
            if str(error) != self._refusal:  # Once, however often it is sent again.
                logger.warning("The server refused a heartbeat: %s", error)
            self._refusal = str(error)
        except Exception:
            logger.exception("A heartbeat failed")
        return min(AGAIN_SECONDS, self._interval)
