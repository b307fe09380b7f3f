"""The actor of the present request, for records of what was done. Work in the background has none."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID


@dataclass(slots=True)
class Actor:
    """A person or a key once the request is let in (nobody before), and the address that the request came from."""

    address: str = ""
    name: str = ""
    user_id: UUID | None = None
    key_id: UUID | None = None


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
    """Who acts; an empty actor outside of requests."""
    return _current.get() or Actor()


def identify(*, name: str, user_id: UUID | None = None, key_id: UUID | None = None) -> None:
    """Says who the present request is of. Does nothing outside of requests."""
    actor = _current.get()
    if actor is not None:
        # The object is shared by all threads and tasks of a request; a new one would be seen by this one only.
        actor.name, actor.user_id, actor.key_id = name, user_id, key_id
