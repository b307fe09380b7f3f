"""What is tried of a long list in each run, and what in `make test-long`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def beyond(first: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test, those after the first so many marked long."""
    return [value if number < first else pytest.param(value, marks=pytest.mark.long) for number, value in enumerate(values)]
