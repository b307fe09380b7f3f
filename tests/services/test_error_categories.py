"""The table of errors and their usual treatment: complete, and the same in log lines and in the documentation."""

from __future__ import annotations

import errno
import json
import logging
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, InterfaceError, OperationalError
from psycopg import errors as postgres
from redis.exceptions import ConnectionError as NoBroker

from config.logging import LineFormatter
from continuity.core import errors, store_errors, transactions
from continuity.core.error_categories import TABLE, ErrorCategory, UsualTreatment, rule_of

PROJECT = Path(__file__).resolve().parents[2]


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    error.__cause__ = cause
    return error


EXPECTED = [
    (OperationalError("gone"), UsualTreatment.RETRY),
    (InterfaceError("closed"), UsualTreatment.RETRY),
    (NoBroker("away"), UsualTreatment.RETRY),
    (TimeoutError(), UsualTreatment.RETRY),
    (ConnectionResetError(), UsualTreatment.RETRY),
    (raised(OperationalError(), postgres.DeadlockDetected()), UsualTreatment.AGAIN),
    (raised(OperationalError(), postgres.SerializationFailure()), UsualTreatment.AGAIN),
    (raised(OperationalError(), postgres.LockNotAvailable()), UsualTreatment.SHED),
    (raised(OperationalError(), postgres.TooManyConnections()), UsualTreatment.SHED),
    (raised(OperationalError(), postgres.DiskFull()), UsualTreatment.SHED),
    (OSError(errno.ENOSPC, "full"), UsualTreatment.SHED),
    (errors.TooMany(limit=1, noun="x", retry_after=1), UsualTreatment.SHED),
    (errors.Busy(retry_after=1), UsualTreatment.SHED),
    (errors.Conflict("taken"), UsualTreatment.RESOLVE),
    (errors.Invalid("bad"), UsualTreatment.REFUSE),
    (errors.NotFound(noun="x"), UsualTreatment.REFUSE),
    (ValidationError("bad"), UsualTreatment.REFUSE),
    (MemoryError(), UsualTreatment.RESTART),
    (SystemExit(1), UsualTreatment.RESTART),
    (KeyboardInterrupt(), UsualTreatment.RESTART),
    (ValueError("ours"), UsualTreatment.DEAD_LETTER),
    (IntegrityError("ours"), UsualTreatment.DEAD_LETTER),
    (RecursionError(), UsualTreatment.DEAD_LETTER),
]


@pytest.mark.parametrize(("error", "treatment"), EXPECTED, ids=lambda value: type(value).__name__)
def test_it_works(error: BaseException, treatment: UsualTreatment) -> None:
    assert rule_of(error).usual_treatment is treatment


ENDED = [postgres.DeadlockDetected, postgres.SerializationFailure, postgres.LockNotAvailable, postgres.TooManyConnections]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("cause", ENDED)
def test_the_table_decides_what_is_done_again(cause: type[Exception]) -> None:
    """And who did it in vain is told that others stood in the way; so is who waited too long for a lock."""
    tries: list[int] = []

    @transactions.atomic
    def work() -> None:
        tries.append(1)
        raise raised(OperationalError(), cause())

    with pytest.raises(OperationalError) as caught:
        work()
    contention = rule_of(caught.value).usual_treatment is UsualTreatment.AGAIN
    assert len(tries) == (transactions.ATTEMPTS if contention else 1)
    locked = contention or cause is postgres.LockNotAvailable
    assert isinstance(store_errors.refusal_of(caught.value), errors.Locked if locked else errors.Unavailable)


def test_every_category_and_treatment_stands_in_the_table_once() -> None:
    assert [rule.category for rule in TABLE if [each.category for each in TABLE].count(rule.category) > 1] == []
    assert {rule.category for rule in TABLE} == set(ErrorCategory)
    assert {rule.usual_treatment for rule in TABLE} == set(UsualTreatment)


def test_a_log_line_of_an_error_says_what_usually_follows() -> None:
    try:
        raise OperationalError("gone")
    except OperationalError:
        record = logging.LogRecord("continuity", logging.ERROR, __file__, 1, "It failed", (), sys.exc_info())
    told = json.loads(LineFormatter(console=False).format(record))
    assert told["metadata"] == {"category": "transient", "usual_treatment": "retry"}
    assert "OperationalError" in told["exception"]


def test_the_documentation_has_the_same_table() -> None:
    text = " ".join((PROJECT / "docs" / "operations.md").read_text(encoding="utf-8").split())
    for rule in TABLE:
        assert f"| {rule.category} | {rule.usual_treatment} | {rule.words} |" in text
