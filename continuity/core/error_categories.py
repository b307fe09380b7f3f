"""The kinds of errors, and what usually follows each (FR-030): one table, which log lines and the documentation follow. Pure.

Whether a transaction is done again, and what a caller is told where that was in vain, is decided by it. Otherwise it is a label for
whoever reads the log: what is done about an error is decided where it is caught.

An error is known by its types' names and by what Postgres says of it, so that no library has to be loaded to tell.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from enum import StrEnum


class ErrorCategory(StrEnum):
    TRANSIENT = "transient"
    CONTENTION = "contention"
    OVERLOAD = "overload"
    CONFLICT = "conflict"
    REFUSED = "refused"
    FATAL = "fatal"
    FAULT = "fault"


class UsualTreatment(StrEnum):
    RETRY = "retry"
    AGAIN = "do again"
    SHED = "shed"
    RESOLVE = "resolve"
    REFUSE = "refuse"
    RESTART = "restart"
    DEAD_LETTER = "dead-letter"


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """`names` are types of exceptions (or types that theirs derive from), `states` codes of Postgres, `statuses` those of our refusals."""

    category: ErrorCategory
    usual_treatment: UsualTreatment
    words: str
    names: frozenset[str] = frozenset()
    states: frozenset[str] = frozenset()
    statuses: frozenset[int] = frozenset()


TABLE = (
    CategoryRule(
        ErrorCategory.CONTENTION,
        UsualTreatment.AGAIN,
        "Two transactions stood in each other's way: done again, six times at most, with random pauses; then 503 `locked`.",
        states=frozenset({"40001", "40P01"}),
    ),
    CategoryRule(
        ErrorCategory.CONFLICT,
        UsualTreatment.RESOLVE,
        "Somebody else was first: 409 or 412 with what there is now; the caller decides, or the later write holds.",
        frozenset({"UniqueViolation"}),
        statuses=frozenset({409, 412}),
    ),
    CategoryRule(
        ErrorCategory.OVERLOAD,
        UsualTreatment.SHED,
        "Too much at once, no room, or a lock held too long: 429, 503 or 507 with Retry-After; what is there already is served on.",
        frozenset({"PoolTimeout", "TooManyConnections"}),
        frozenset({"53100", "53200", "53300", "55P03"}),
        frozenset({408, 429, 503, 507}),
    ),
    CategoryRule(
        ErrorCategory.REFUSED,
        UsualTreatment.REFUSE,
        "What was asked can't be done so: 4xx that names the field, the line or the limit; never tried again.",
        frozenset({"ValidationError", "DomainError"}),
    ),
    CategoryRule(
        ErrorCategory.FATAL,
        UsualTreatment.RESTART,
        "The process can't continue: it ends, the supervisor starts it again, its work is taken up from rows with a lease.",
        frozenset({"MemoryError", "SystemExit", "WorkerLostError", "WorkerShutdown"}),
    ),
    CategoryRule(
        ErrorCategory.TRANSIENT,
        UsualTreatment.RETRY,
        "The store, the broker or the network does not answer: tried again after 1, 2, 4 … seconds; a circuit breaker spares who is away.",
        frozenset(
            {
                "OperationalError",
                "InterfaceError",
                "RedisError",
                "CircuitBreakerError",
                "TimeoutError",
                "ConnectionError",
                "HTTPError",
                "Away",
            }
        ),
    ),
    CategoryRule(
        ErrorCategory.FAULT,
        UsualTreatment.DEAD_LETTER,
        "A fault of ours, or a poisoned item: it alone is passed over, and after its attempts waits for a person as a dead letter.",
        frozenset({"Exception"}),
    ),
)
_FULL_DISK = frozenset({errno.ENOSPC, errno.EDQUOT})
_BY_CATEGORY = {rule.category: rule for rule in TABLE}


def rule_of(error: BaseException) -> CategoryRule:
    """The first rule of the table that knows the error, by what Postgres said, by the status of a refusal, by its types."""
    if isinstance(error, OSError) and error.errno in _FULL_DISK:
        return _BY_CATEGORY[ErrorCategory.OVERLOAD]
    state = getattr(error, "sqlstate", None) or getattr(error.__cause__, "sqlstate", None)
    status = getattr(error, "status", None)
    names = {each.__name__ for each in type(error).__mro__}
    for rule in TABLE:
        if state in rule.states or status in rule.statuses or names & rule.names:
            return rule
    return _BY_CATEGORY[ErrorCategory.FATAL]
