"""Rate limits. Counted in Valkey for all processes together; where that is away, nobody is held up."""

import logging
import math
import time
from functools import cache

from django.conf import settings
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from continuity.core.errors import TooMany
from continuity.services.jobs import broker

logger = logging.getLogger("continuity.rates")

Rate = tuple[int, int]  # how many, in how many seconds: those of a second, minute, hour or day

_SPANS = {1: "a second", 60: "a minute", 3600: "an hour", 86_400: "a day"}


def take(rate: Rate, noun: str, who: str) -> None:
    """Counts one of `noun` for `who`. Raises TooMany (429, with the seconds to wait) over the rate."""
    count, seconds = rate
    item = RateLimitItemPerSecond(count, seconds, namespace="continuity")
    over: list[float] = []

    def work(client: broker.Client) -> None:
        limiter = _limiter(client)
        if not limiter.hit(item, noun, who):
            over.append(limiter.get_window_stats(item, noun, who).reset_time - time.time())

    if not broker.try_call(work):
        logger.warning("Not counted while the broker is away: %s", noun)
    if over:
        wait = min(seconds, max(1, math.ceil(over[0])))
        raise TooMany(limit=count, noun=f"{noun} {_SPANS[seconds]}", retry_after=wait)


@cache
def _limiter(client: broker.Client) -> SlidingWindowCounterRateLimiter:
    return SlidingWindowCounterRateLimiter(RedisStorage(settings.REDIS_URL, connection_pool=client.connection_pool))
