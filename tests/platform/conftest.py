"""One running application for all tests that only need it to be healthy before and after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.platform.running import Application, eventually


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
    assert eventually(lambda: started.has("web", "worker", "beat") and started.answers()), started.output()
    return started
