"""The id that ties together everything one request caused, across processes (FR-045)."""

from contextvars import ContextVar
from uuid import uuid4

correlation_id: ContextVar[str] = ContextVar("correlation_id", default="")


def current_correlation_id() -> str:
    """The id of the work at hand, or an empty string outside of any."""
    return correlation_id.get()


def new_correlation_id() -> str:
    return uuid4().hex
