"""A whole Continuity whose webhooks may go to this machine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.platform.running import Application


@pytest.fixture
def application(for_subscribers: Callable[[], Application]) -> Application:
    return for_subscribers()
