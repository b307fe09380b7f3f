"""Transactions that are done again where Postgres ended them for the sake of another one, and what must hold where they write.

Rows are locked in one order everywhere (docs/adr/0013-lock-order.md), so that two transactions seldom wait for each other in a circle.
Where they do, Postgres ends one of them; what it did is undone, so it can simply be done once more.

What must hold where the present request writes (`actor.Actor.condition`) is asked in each of its transactions, as the last statement
before the commit: it may lock a row that many others wait for. What follows after the commit is ours and not the caller's: it asks nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import stamina
from django.db import OperationalError, connection, transaction

from continuity.core import actor
from continuity.core.actor import WriteCondition
from continuity.core.error_categories import UsualTreatment, rule_of

ATTEMPTS = 6
LONGEST_PAUSE = 1.0  # seconds; Postgres itself waits for one before it looks for a circle

P = ParamSpec("P")
T = TypeVar("T")

# What is still to be asked in the transaction at hand; None outside of any.
_left: ContextVar[list[WriteCondition] | None] = ContextVar("left", default=None)


def ended_for_another(error: Exception) -> bool:
    """Whether the database ended a transaction only because it stood in the way of another one, as the table of errors tells."""
    return isinstance(error, OperationalError) and rule_of(error).usual_treatment is UsualTreatment.AGAIN


def atomic(work: Callable[P, T]) -> Callable[P, T]:
    """`work` as one transaction, which is done again, at most `ATTEMPTS` times in all, where it was ended for the sake of another.

    Within a transaction it is a savepoint, as with `transaction.atomic`: the outermost one is done again as a whole. So `work` must
    change nothing but the database before it commits, and must read what it changes by itself. Raises the last OperationalError.

    The outermost one asks at its end what must hold where the present request writes, and raises what that raises: one statement more
    for a request that has such a condition, none for others.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            with transaction.atomic(), _asking() as ask:
                result = work(*args, **kwargs)
                ask()
                return result
        for attempt in stamina.retry_context(
            on=ended_for_another, attempts=ATTEMPTS, timeout=None, wait_initial=0.05, wait_max=LONGEST_PAUSE, wait_jitter=0.2
        ):
            with attempt, _asking() as ask, transaction.atomic():
                result = work(*args, **kwargs)
                ask()
                return result
        raise AssertionError("unreachable: the last attempt returns or raises")

    return done


def condition() -> WriteCondition | None:
    """The condition that is still to be asked for whoever writes now."""
    left = _left.get()
    if left is None:
        return actor.current().condition
    return left[0] if left else None


def still_holds() -> tuple[str, Sequence[Any]]:
    """For a write that is one statement: a statement that gives a row where the condition holds or there is none, and what it asks with."""
    asked = condition()
    return asked.still() if asked else ("SELECT", [])


def ask_now() -> None:
    """Asks before the end: before what makes the condition untrue by itself, or what no rollback takes back. Not again in the same
    transaction."""
    if left := _left.get():
        left.pop().check()


@contextmanager
def unconditional() -> Iterator[None]:
    """Drops the request's condition in the block, which follows from the request and is not part of it."""
    token = _left.set([])
    try:
        yield
    finally:
        _left.reset(token)


@contextmanager
def _asking() -> Iterator[Callable[[], None]]:
    """A transaction: what it gives is its last step, which does nothing where this is within one that asks."""
    if _left.get() is not None:
        yield lambda: None
        return
    asked = actor.current().condition
    token = _left.set([asked] if asked else [])
    try:
        yield ask_now
    finally:
        _left.reset(token)
