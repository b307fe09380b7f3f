"""Worlds that all tests of a file look at, made once: they stay to the end of the file, and what a test changes there is taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

Made = TypeVar("Made")
Lasting = Callable[[Callable[[], Made]], Made]


@pytest.fixture(scope="module")
def lasting(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Lasting[object]]:
    """Calls what makes a world, within a transaction around those of the file's tests (none of which may have transactions of its own)."""
    around = transaction.atomic()
    around._from_testcase = True  # type: ignore[attr-defined]  # as of Django's own: services may ask for the outermost
    with django_db_blocker.unblock():
        around.__enter__()

    def make(what: Callable[[], Made]) -> Made:
        with django_db_blocker.unblock():
            return what()

    yield make
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        around.__exit__(None, None, None)
