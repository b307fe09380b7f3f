"""For receivers of webhooks: whether a delivery came from Continuity, just now, and for the first time. Standard library only."""

from __future__ import annotations

import heapq
import hmac
import json
import re
import threading
import time
from collections.abc import Iterable
from typing import Any, Protocol

from continuity.events.signatures import HEADER, sign

TOLERANCE_SECONDS = 300.0
_SIGNED = re.compile(r"t=(\d{1,12}),v1=[0-9a-f]{64}", re.ASCII)


class BadDelivery(Exception):
    """A delivery that must not be believed; the message says why. Answer it with 400."""


class Unsigned(BadDelivery):
    """It has no signature, several, or one that is none."""


class WrongSignature(BadDelivery):
    """It was signed with another secret, or changed on its way."""


class TooOld(BadDelivery):
    """It was signed too long ago, or in the future."""


class Repeated(BadDelivery):
    """It came before: somebody sends it once more."""


class Headers(Protocol):
    """Headers of a request as servers give them, in whatever case."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class SeenDeliveries(Protocol):
    """Which deliveries came already. With several processes give your own, of a store that all of them share."""

    def first(self, signature: str, until: float, now: float) -> bool:
        """Notes a signature, at least until then (unix seconds). Whether it was not there before."""
        ...


class SeenHere:
    """The deliveries that came to this process, each as long as it would not be too old. For any thread."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._ends: list[tuple[float, str]] = []
        self._lock = threading.Lock()

    def first(self, signature: str, until: float, now: float) -> bool:
        with self._lock:
            while self._ends and self._ends[0][0] < now:
                self._known.discard(heapq.heappop(self._ends)[1])
            if signature in self._known:
                return False
            self._known.add(signature)
            heapq.heappush(self._ends, (until, signature))
            return True


_here = SeenHere()


def verify(
    body: bytes,
    headers: Headers,
    secret: str,
    *,
    now: float | None = None,
    tolerance_s: float = TOLERANCE_SECONDS,
    seen: SeenDeliveries = _here,
) -> dict[str, Any]:
    """The event of a delivery: `body` as it came, byte for byte, and the `secret` of the subscription.

    `now` is the time in unix seconds, from which the signature may be `tolerance_s` away. Raises BadDelivery. An event that Continuity
    sends once more, as it got no answer, is signed anew and verified: its `id` is the same.
    """
    at = time.time() if now is None else now
    given = [value.strip() for name, value in headers.items() if name.lower() == HEADER.lower()]
    if len(given) != 1:
        raise Unsigned(f"{len(given)} headers {HEADER}, where one is expected")
    signed = _SIGNED.fullmatch(given[0])
    if signed is None:
        raise Unsigned(f"{HEADER} is not t=<seconds>,v1=<64 hexadecimal digits>")
    seconds = int(signed[1])
    if not hmac.compare_digest(given[0], sign(secret, body, seconds)):
        raise WrongSignature("The signature is not that of this body with this secret")
    if abs(at - seconds) > tolerance_s:
        raise TooOld(f"It was signed {abs(at - seconds):.0f} seconds {'ago' if seconds < at else 'ahead'}: {tolerance_s:g} are allowed")
    if not seen.first(given[0], seconds + tolerance_s, at):
        raise Repeated("This delivery came before")
    event: dict[str, Any] = json.loads(body)
    return event
