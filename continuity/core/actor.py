"""The actor of the present request, for records of what was done. Work in the background has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID


class WriteCondition(Protocol):
    """A condition that must hold where a request writes. Whatever it reads stays as it is until the transaction at hand is over."""

    def check(self) -> None:
        """Raises a DomainError where it does not hold. One statement."""

    def still(self) -> tuple[str, Sequence[Any]]:
        """A statement that gives a row where it holds, and what it asks with."""


@dataclass(slots=True)
class Actor:
    """A person or a key once the request is let in (nobody before), and the address that the request came from.

    `condition` must hold in each transaction in which they write.
    """

    address: str = ""
    name: str = ""
    user_id: UUID | None = None
    key_id: UUID | None = None
    condition: WriteCondition | None = None


_current: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def from_address(address: str) -> Iterator[Actor]:
    """A request from an address, until it is answered."""
    actor = Actor(address)
    token = _current.set(actor)
    try:
        yield actor
    finally:
        _current.reset(token)


def current() -> Actor:
    """The actor of the request at hand; an empty one outside of requests."""
    return _current.get() or Actor()


def identify(*, name: str, user_id: UUID | None = None, key_id: UUID | None = None) -> None:
    """Says who the present request is of. Does nothing outside of requests."""
    actor = _current.get()
    if actor is not None:
        # The object is shared by all threads and tasks of a request; a new one would be seen by this one only.
        actor.name, actor.user_id, actor.key_id = name, user_id, key_id
