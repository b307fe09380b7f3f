"""The id that ties together everything one request caused, across processes (FR-045)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

HEADER = "X-Correlation-ID"
# What a caller sends is copied into logs and headers: anything else than a plain short token is replaced.
ACCEPTABLE = re.compile(r"[A-Za-z0-9._:-]{1,128}")

correlation_id: ContextVar[str] = ContextVar("correlation_id", default="")


def current_correlation_id() -> str:
    """The id of the work at hand, or an empty string outside of any."""
    return correlation_id.get()


def new_correlation_id() -> str:
    return uuid4().hex


def id_for(given: str) -> str:
    """The caller's id where it is a plain token, else that of the work at hand, else a new one."""
    return given if ACCEPTABLE.fullmatch(given) else current_correlation_id() or new_correlation_id()


@contextmanager
def correlated(given: str) -> Iterator[str]:
    """Work under the id for what was given."""
    value = id_for(given)
    token = correlation_id.set(value)
    try:
        yield value
    finally:
        correlation_id.reset(token)
