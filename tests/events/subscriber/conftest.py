"""Events that take long here, on purpose, are no reason for an alert in other tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from continuity.services.jobs import broker


@pytest.fixture(autouse=True)
def counting_anew() -> Iterator[None]:
    yield
    broker.client().flushdb()
