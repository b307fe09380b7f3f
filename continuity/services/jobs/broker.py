"""The connection to Valkey/Redis, which may be away: callers never wait long for it and never fail with it."""

import logging
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


def try_call(work: Callable[[Client], object]) -> bool:
    """Runs `work` with the client; False (and one warning) where the broker is away."""
    try:
        _breaker.call(work, client())
    except pybreaker.CircuitBreakerError:
        return False
    except redis.RedisError as error:
        logger.warning("The broker does not answer", extra={"metadata": {"error": type(error).__name__}})
        return False
    return True


def is_reachable() -> bool:
    """Whether the broker answers a ping now."""
    return try_call(lambda connected: connected.ping())
