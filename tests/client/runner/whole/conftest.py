"""Runners in processes of their own, against a whole Continuity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.client.runner.conftest import Runners
from tests.client.runner.test_real_server import Site
from tests.platform.running import Application


@pytest.fixture
def application(for_agents: Callable[[], Application]) -> Application:
    return for_agents()


@pytest.fixture
def site(application: Application) -> Site:
    return Site(application)


@pytest.fixture
def runners(home: Path, site: Site) -> Iterator[Runners]:
    made = Runners(home, site.url, site.key)
    yield made
    made.end()
