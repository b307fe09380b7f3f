"""The table of errors and their treatment: complete, and the same in log lines and in the documentation."""

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
from continuity.core import errors
from continuity.core.error_categories import TABLE, ErrorCategory, Treatment, rule_of

PROJECT = Path(__file__).resolve().parents[2]


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    error.__cause__ = cause
    return error


EXPECTED = [
    (OperationalError("gone"), Treatment.RETRY),
    (InterfaceError("closed"), Treatment.RETRY),
    (NoBroker("away"), Treatment.RETRY),
    (TimeoutError(), Treatment.RETRY),
    (ConnectionResetError(), Treatment.RETRY),
    (raised(OperationalError(), postgres.DeadlockDetected()), Treatment.AGAIN),
    (raised(OperationalError(), postgres.LockNotAvailable()), Treatment.AGAIN),
    (raised(OperationalError(), postgres.TooManyConnections()), Treatment.SHED),
    (raised(OperationalError(), postgres.DiskFull()), Treatment.SHED),
    (OSError(errno.ENOSPC, "full"), Treatment.SHED),
    (errors.TooMany(limit=1, noun="x", retry_after=1), Treatment.SHED),
    (errors.Busy(retry_after=1), Treatment.SHED),
    (errors.Conflict("taken"), Treatment.RESOLVE),
    (errors.Invalid("bad"), Treatment.REFUSE),
    (errors.NotFound(noun="x"), Treatment.REFUSE),
    (ValidationError("bad"), Treatment.REFUSE),
    (MemoryError(), Treatment.RESTART),
    (SystemExit(1), Treatment.RESTART),
    (KeyboardInterrupt(), Treatment.RESTART),
    (ValueError("ours"), Treatment.DEAD_LETTER),
    (IntegrityError("ours"), Treatment.DEAD_LETTER),
    (RecursionError(), Treatment.DEAD_LETTER),
]


@pytest.mark.parametrize(("error", "treatment"), EXPECTED, ids=lambda value: type(value).__name__)
def test_it_works(error: BaseException, treatment: Treatment) -> None:
    assert rule_of(error).treatment is treatment


def test_every_category_and_treatment_stands_in_the_table_once() -> None:
    assert [rule.category for rule in TABLE if [each.category for each in TABLE].count(rule.category) > 1] == []
    assert {rule.category for rule in TABLE} == set(ErrorCategory)
    assert {rule.treatment for rule in TABLE} == set(Treatment)


def test_a_log_line_of_an_error_says_what_is_done_about_it() -> None:
    try:
        raise OperationalError("gone")
    except OperationalError:
        record = logging.LogRecord("continuity", logging.ERROR, __file__, 1, "It failed", (), sys.exc_info())
    told = json.loads(LineFormatter(console=False).format(record))
    assert told["metadata"] == {"category": "transient", "treatment": "retry"}
    assert "OperationalError" in told["exception"]


def test_the_documentation_has_the_same_table() -> None:
    text = " ".join((PROJECT / "docs" / "operations.md").read_text(encoding="utf-8").split())
    for rule in TABLE:
        assert f"| {rule.category} | {rule.treatment} | {rule.words} |" in text
