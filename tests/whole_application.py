"""One running application for all tests that only need it to be healthy before and after them, and a caller of its API."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.calling import Caller
from tests.platform.running import Application, eventually, key_of


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    application = Application(tmp_path_factory.mktemp("application") / "data")
    application.start()
    yield application
    application.end()


@pytest.fixture
def application(started: Application) -> Application:
    """A running application that answers; started anew if an earlier test left it stopped."""
    if started.supervisor_ended():
        started.start()
    names = ("postgres", "valkey", "web", "worker", "beat")
    assert eventually(lambda: started.has(*names) and started.answers()), started.output()
    return started


@pytest.fixture
def caller(application: Application) -> Caller:
    return Caller(application.port, key_of(application))
