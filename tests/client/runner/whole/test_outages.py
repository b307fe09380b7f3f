"""While parts of Continuity are away for long, an agent under a runner loses nothing that was acknowledged, and does nothing twice."""

from __future__ import annotations

import threading
import time

import pytest

from continuity.client.events import Subscriber
from tests.agents.test_real_servers import stopped
from tests.client.runner.conftest import Runners
from tests.client.runner.test_real_server import Site, counted
from tests.platform.running import Application, eventually

pytestmark = pytest.mark.processes
EVENTS = 12


def publish_all(site: Site, apart: float) -> None:
    """So many events, each sent again until it is acknowledged, `apart` seconds from one to the next."""
    publisher = Subscriber("publisher", url=site.url, key=site.key)
    for _ in range(EVENTS):
        publisher.publish("task:counted", critical=True, patience=150)
        time.sleep(apart)


def survives(application: Application, site: Site, runners: Runners, programs: tuple[str, ...], seconds: float) -> None:
    runner = runners.agent("library", "library")
    assert site.is_in("library", "ready"), runners.told("library")
    before, child = site.agent("library"), runners.child_of(runner)
    publishing = threading.Thread(target=publish_all, args=[site, (seconds + 4) / EVENTS])
    publishing.start()
    time.sleep(2)
    with stopped(*(application.process(each) for each in programs)):
        time.sleep(seconds)
    publishing.join(200)
    assert not publishing.is_alive()
    assert eventually(lambda: counted(runners) == list(range(1, EVENTS + 1)), 90), (counted(runners), runners.told("library"))
    time.sleep(6)  # What would come twice comes now: the lease of what was handed over is over, and nobody is declared lost any more.
    assert counted(runners) == list(range(1, EVENTS + 1))
    assert site.is_in("library", "ready"), site.agent("library")
    after = site.agent("library")
    assert (after["epoch"], after["failures"], runners.child_of(runner)) == (before["epoch"], 0, child)


def test_it_works(application: Application, site: Site, runners: Runners) -> None:
    survives(application, site, runners, ("web",), 6)


@pytest.mark.long
@pytest.mark.parametrize(
    ("programs", "seconds"),
    [(("postgres",), 60), (("valkey",), 60), (("web", "worker", "beat", "monitor"), 30)],
    ids=["store", "broker", "ours"],
)
def test_for_long(application: Application, site: Site, runners: Runners, programs: tuple[str, ...], seconds: float) -> None:
    survives(application, site, runners, programs, seconds)
