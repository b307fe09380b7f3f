"""One whole application for the tests that hurt it and wait until it is well again."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.faults.calling import Caller
from tests.platform.running import Application, eventually


def caller_of(application: Application) -> Caller:
    """A caller with the key that the first start showed."""
    shown = re.search(r"API key\s+(\S+)", application.log.read_text())
    assert shown is not None, application.output()
    return Caller(application.port, shown.group(1))


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    running = Application(tmp_path_factory.mktemp("hurt") / "data")
    running.start()
    yield running
    running.end()


@pytest.fixture
def application(started: Application) -> Application:
    assert eventually(lambda: started.has("postgres", "valkey", "web", "worker", "beat") and started.answers()), started.output()
    return started


@pytest.fixture
def caller(application: Application) -> Caller:
    return caller_of(application)
