"""The connection to Valkey/Redis, which may be away: callers never wait long for it and never fail with it."""

import logging
import threading
from collections.abc import Callable
from functools import cache

import pybreaker
import redis
from django.conf import settings

logger = logging.getLogger("continuity.broker")

Client = redis.Redis

# Half a second for one try, then nobody tries for five: a dead broker must not slow requests that need only Postgres.
_breaker = pybreaker.CircuitBreaker(fail_max=2, reset_timeout=5, exclude=[redis.ResponseError])


@cache
def client() -> Client:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5, health_check_interval=30)


_own = threading.local()


def keep_own_connection() -> None:
    """For a thread that lasts and asks all the time: a connection of its own from now on. It is not looked over at each question, as those
    are that go from hand to hand."""
    _own.wanted = True


def _of_thread() -> Client:
    if not getattr(_own, "wanted", False):
        return client()
    found: Client | None = getattr(_own, "client", None)
    if found is None:
        found = redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5, health_check_interval=30, single_connection_client=True
        )
        _own.client = found
    return found


def try_call(work: Callable[[Client], object]) -> bool:
    """Runs `work` with the client; False (and one warning) where the broker is away."""
    try:
        _breaker.call(lambda: work(_of_thread()))
    except pybreaker.CircuitBreakerError:
        return False
    except redis.RedisError as error:
        logger.warning("The broker does not answer", extra={"metadata": {"error": type(error).__name__}})
        return False
    return True


def is_reachable() -> bool:
    """Whether the broker answers a ping now."""
    return try_call(lambda connected: connected.ping())
