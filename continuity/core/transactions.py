"""Transactions that are done again where Postgres ended them for the sake of another one.

Rows are locked in one order everywhere (docs/adr/0013-lock-order.md), so that two transactions seldom wait for each other in a circle.
Where they do, Postgres ends one of them; what it did is undone, so it can simply be done once more.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import stamina
from django.db import OperationalError, connection, transaction

from continuity.core.error_categories import UsualTreatment, rule_of

ATTEMPTS = 6
LONGEST_PAUSE = 1.0  # seconds; Postgres itself waits for one before it looks for a circle

P = ParamSpec("P")
T = TypeVar("T")


def ended_for_another(error: Exception) -> bool:
    """Whether the database ended a transaction only because it stood in the way of another one, as the table of errors tells."""
    return isinstance(error, OperationalError) and rule_of(error).usual_treatment is UsualTreatment.AGAIN


def atomic(work: Callable[P, T]) -> Callable[P, T]:
    """`work` as one transaction, which is done again, at most `ATTEMPTS` times in all, where it was ended for the sake of another.

    Within a transaction it is a savepoint, as with `transaction.atomic`: the outermost one is done again as a whole. So `work` must
    change nothing but the database before it commits, and must read what it changes by itself. Raises the last OperationalError.
    """

    @wraps(work)
    def done(*args: P.args, **kwargs: P.kwargs) -> T:
        if connection.in_atomic_block:
            with transaction.atomic():
                return work(*args, **kwargs)
        for attempt in stamina.retry_context(
            on=ended_for_another, attempts=ATTEMPTS, timeout=None, wait_initial=0.05, wait_max=LONGEST_PAUSE, wait_jitter=0.2
        ):
            with attempt, transaction.atomic():
                return work(*args, **kwargs)
        raise AssertionError("unreachable: the last attempt returns or raises")

    return done
