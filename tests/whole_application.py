"""One running application for all tests that only need it to be healthy before and after them, and a caller of its API."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.faults.calling import Caller
from tests.platform.running import Application, begin, eventually, key_of
from tests.small_disks import mounted

# For agents and subscribers, which ask often; their webhooks may go to this machine.
UNHURRIED = {"CONTINUITY_API_RATE": "1000000/second", "CONTINUITY_AUDIT_SHARE": "0", "CONTINUITY_WEBHOOK_HOSTS": "127.0.0.1"}
# Agents beat four times as often as usual. They are lost a second sooner: no sooner than that, as the monitor takes up to three seconds
# to see that no web process is there, and the last beat is up to a second older than its look.
HEARTBEAT_SECONDS, LOST_AFTER_SECONDS, PROBE_SECONDS = 0.5, 4.0, 3.0
BEATING = {
    "HEARTBEAT_INTERVAL_MS": f"{HEARTBEAT_SECONDS * 1000:.0f}",
    "AGENT_LOST_AFTER_MS": f"{LOST_AFTER_SECONDS * 1000:.0f}",
    "LIVENESS_PROBE_TIMEOUT_MS": f"{PROBE_SECONDS * 1000:.0f}",
}
PROGRAMS = ("web", "worker", "valkey", "monitor", "beat")
OF_EARLIER_TESTS = (
    "continuity_subscription",
    "continuity_agent",
    "continuity_storedstate",
    "continuity_incident",
    "continuity_deadletter",
    "diagnostics_alert",
)
SMALL_MB = 400
REQUEST_SECONDS = 3.0
lasting: list[Application] = []  # those that serve a group of tests


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """With its group an application ends: one that nobody asks takes a twentieth of a core for the rest of the run."""
    from tests.conftest import TOGETHER, group

    if nextitem is not None and group(item.nodeid) in TOGETHER and group(nextitem.nodeid) != group(item.nodeid):
        while lasting:
            lasting.pop().end()


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What applications of all workers begin with: made once, by the first that needs it."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "begun"
    folder.mkdir(0o755, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "is-whole").exists():
            begin(folder)
            (folder / "is-whole").touch()
    return folder


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Iterator[Application]:
    application = Application(tmp_path_factory.mktemp("application") / "data").after(begun)
    lasting.append(application)
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


@pytest.fixture(scope="session")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | None]:
    """A file system of its own with little room; None where it can't be mounted."""
    folder = tmp_path_factory.mktemp("small")
    with mounted(folder, f"{SMALL_MB}m") as done:
        yield folder if done else None


@pytest.fixture(scope="session")
def impatient(small_disk: Path | None, tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Iterator[Application]:
    """An application that answers each request within `REQUEST_SECONDS`, on the small disk."""
    folder = tmp_path_factory.mktemp("impatient")
    application = Application((small_disk or folder) / "data", CONTINUITY_REQUEST_SECONDS=str(REQUEST_SECONDS)).after(begun)
    application.log = folder / "log"
    lasting.append(application)
    application.start()
    yield application
    application.end()


@contextmanager
def shared(folder: Path, begun: Path, **settings: str) -> Iterator[Callable[[], Application]]:
    """An application that a group's tests share; each is given it running, and without the agents and subscribers of earlier tests."""
    application = Application(folder / "data", **UNHURRIED, **settings).after(begun)
    lasting.append(application)
    application.start()

    def fresh() -> Application:
        assert eventually(lambda: application.has(*PROGRAMS) and application.answers()), application.output()
        found = application.run()
        assert found is not None
        with psycopg.connect(found.database_url) as database:
            database.execute(f"TRUNCATE {', '.join(OF_EARLIER_TESTS)} CASCADE")
        return application

    try:
        yield fresh
    finally:
        application.end()


@pytest.fixture(scope="session")
def for_subscribers(tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Iterator[Callable[[], Application]]:
    with shared(tmp_path_factory.mktemp("subscribers"), begun) as fresh:
        yield fresh


@pytest.fixture(scope="session")
def for_agents(tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Iterator[Callable[[], Application]]:
    with shared(tmp_path_factory.mktemp("agents"), begun, **BEATING) as fresh:
        yield fresh


@pytest.fixture
def caller(application: Application) -> Caller:
    return Caller(application.port, key_of(application))
