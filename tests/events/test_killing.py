"""The whole bus under kill -9 of its processes at random, and a database that hangs for seconds: nothing is lost, and each subscriber
handles each event once, in order."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from config.embedded import leftovers
from config.supervision import runfile
from continuity.client.events import Subscriber
from tests.platform.running import PROJECT, Application, eventually, key_of
from tests.whole_application import PROGRAMS

pytestmark = pytest.mark.processes

TOPIC = "task_completed"
HELD = "the database hangs"
# What such a storm is: some subscribers never take their events, and under kill -9 some come late. Any other alarm would be false.
DUE = {"dead_letter", "events_late"}


class Agents:
    """Subscribers in processes of their own, and what each wrote down."""

    def __init__(self, folder: Path, url: str, key: str) -> None:
        self.folder = folder
        self.env = {**os.environ, "CONTINUITY_URL": url, "CONTINUITY_API_KEY": key}
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, name: str, kind: str = "fine") -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.events.agent_process", name, kind, str(self.folder / name)]
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes.append(subprocess.Popen(command, cwd=PROJECT, env=self.env, stdout=log, stderr=log))
        return self.processes[-1]

    def handled(self, name: str) -> list[tuple[str, int, int]]:
        path = self.folder / name
        lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
        return [(id, int(position), int(attempt)) for id, position, attempt in (line.split() for line in lines if line != "begun")]

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


def publish(stop: Callable[[], bool], number: int, url: str, key: str, told: list[str], pause: float) -> None:
    publisher = Subscriber(f"publisher-{number}", url=url, key=key)
    while not stop():
        told.append(publisher.publish(TOPIC, {"from": number}, patience=120))
        time.sleep(pause)


def a_storm(application: Application, folder: Path, *, seconds: float, subscribers: int, publishers: int, pause: float, seed: int) -> None:
    key, url = key_of(application), f"http://127.0.0.1:{application.port}"
    agents = Agents(folder, url, key)
    names = [f"agent-{number}" for number in range(subscribers)]
    told: list[list[str]] = [[] for _ in range(publishers)]
    over = threading.Event()
    threads = [threading.Thread(target=publish, args=(over.is_set, n, url, key, told[n], pause)) for n in range(publishers)]
    random_kills = random.Random(seed)
    try:
        for name in names:
            agents.start(name)
        agents.start("failing", "failing")
        agents.start("hanging", "hanging")
        away = agents.start("away")
        assert eventually(lambda: epochs(application) == subscribers + 3), application.output()
        away.kill()
        away.wait()
        change(application, "UPDATE continuity_subscription SET seen_at = now() - interval '1 hour' WHERE name = 'away'")
        for thread in threads:
            thread.start()
        ends = time.monotonic() + seconds
        faults = (*PROGRAMS, HELD)
        rounds = list(faults)
        while time.monotonic() < ends or rounds:
            name = rounds.pop(random_kills.randrange(len(rounds))) if rounds else random_kills.choice(faults)
            if name == HELD:
                hold_database(application, random_kills.uniform(1, 6))
            else:
                assert application.replaced(name, application.kill(name)), application.output()
            time.sleep(random_kills.uniform(0.5, seconds / 8))
        over.set()
        for thread in threads:
            thread.join(180)
        published = {id for ids in told for id in ids}
        agents.start("away")
        names.append("away")
        assert eventually(lambda: all(len(agents.handled(name)) >= len(published) for name in names), 120), {
            name: (len(agents.handled(name)), len(published)) for name in names
        }
        assert eventually(lambda: acknowledged(application, names) == {name: len(published) for name in names}, 60)
        for name in names:
            check(agents.handled(name), published)
        assert agents.handled("failing") == agents.handled("hanging") == []
        assert {rule for rule, _ in query(application, "SELECT rule, count(*) FROM diagnostics_alert GROUP BY 1")} <= DUE
    finally:
        over.set()
        agents.end()


def check(handled: list[tuple[str, int, int]], published: set[str]) -> None:
    """Each once, none lost, and in the order of positions but for those that had to come again."""
    assert {id for id, _, _ in handled} == published
    assert max(Counter(id for id, _, _ in handled).values()) == 1
    first = [position for _, position, attempt in handled if attempt == 1]
    assert first == sorted(first)


def hold_database(application: Application, seconds: float) -> None:
    """Every process of Postgres stands still, its sockets open, as on a disk that does not answer."""
    processes = leftovers.working_in(application.data_dir / "postgres")
    assert processes
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for who in processes:
            if who.alive():
                os.kill(who.pid, number)
        time.sleep(seconds if number == signal.SIGSTOP else 0)


def query(application: Application, sql: str) -> list[tuple[str, int]]:
    found = runfile.read(application.data_dir / runfile.NAME)
    assert found is not None
    with psycopg.connect(found.database_url) as database:
        return list(database.execute(sql.encode()).fetchall())


def change(application: Application, sql: str) -> None:
    found = runfile.read(application.data_dir / runfile.NAME)
    assert found is not None
    with psycopg.connect(found.database_url) as database:
        database.execute(sql.encode())


def epochs(application: Application) -> int:
    """How many subscribers have begun."""
    return len(query(application, "SELECT name, epoch FROM continuity_subscription WHERE epoch > 0"))


def acknowledged(application: Application, names: list[str]) -> dict[str, int]:
    sql = "SELECT s.name, count(*) FROM continuity_acknowledgement a JOIN continuity_subscription s ON s.id = a.subscription_id GROUP BY 1"
    return {name: number for name, number in query(application, sql) if name in names}


def test_it_works(application: Application, tmp_path: Path) -> None:
    a_storm(application, tmp_path, seconds=12, subscribers=3, publishers=4, pause=0.1, seed=11)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1])
def test_for_five_minutes(application: Application, tmp_path: Path, seed: int) -> None:
    a_storm(application, tmp_path, seconds=300, subscribers=20, publishers=100, pause=5, seed=seed)
