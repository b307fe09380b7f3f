"""The leading monitor is killed or stands still: another one takes over, webhooks go on, and nobody is told of anything."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from config.supervision import runfile
from continuity.client.connection import Connection
from continuity.client.credentials import Credentials
from continuity.services.monitor import leading
from tests.events import receiving
from tests.events.test_killing import query
from tests.platform.running import PROJECT, Application, eventually, key_of

pytestmark = pytest.mark.processes
# The advisory lock of whoever leads.
HELD = "SELECT 'led', count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = %d AND classid = %d"
LEADS, WAITS = "The monitor leads", "The monitor waits: another one leads"


@pytest.fixture
def second(application: Application, tmp_path: Path) -> Iterator[Path]:
    """The log of a second monitor, which waits."""
    held = HELD % (leading.LOCK & 0xFFFFFFFF, leading.LOCK >> 32)
    assert eventually(lambda: query(application, held) == [("led", 1)]), application.output()
    log = tmp_path / "second.log"
    with log.open("wb") as output:
        command = [sys.executable, str(PROJECT / "manage.py"), "monitor"]
        process = subprocess.Popen(command, cwd=PROJECT, env=application.env, stdout=output, stderr=output)
    assert eventually(lambda: WAITS in log.read_text()), log.read_text()
    yield log
    process.kill()
    process.wait()


class Hooked:
    """A receiver that is sent what is published here."""

    def __init__(self, application: Application, there: receiving.Receiver) -> None:
        self.there = there
        self.api = Connection(Credentials(f"http://127.0.0.1:{application.port}", key_of(application)))
        self.api.call("POST", "/subscriptions", {"name": "hook", "pattern": "task:*", "url": there.url, "policy": "full"})
        self.published: list[str] = []

    def publish(self, number: int) -> None:
        answer = self.api.call("POST", "/events", {"events": [{"topic": "task:a"}] * number})
        self.published += [item["id"] for item in answer["items"]]

    def has_all(self) -> bool:
        return {json.loads(body)["id"] for _, body in self.there.got} == set(self.published)


@pytest.mark.parametrize("how", [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.long)])
def test_it_works(application: Application, second: Path, how: signal.Signals) -> None:
    with receiving.receiver() as there:
        hooked = Hooked(application, there)
        hooked.publish(5)
        assert eventually(hooked.has_all, 20), application.output()
        assert LEADS not in second.read_text()
        leader, since = application.process("monitor"), time.monotonic()
        os.kill(leader.pid, how)
        hooked.publish(5)
        try:
            assert eventually(lambda: LEADS in second.read_text(), 30), second.read_text()
            assert time.monotonic() - since < (10 if how == signal.SIGKILL else 25)  # idle_session_timeout, and what a busy machine takes
            assert eventually(hooked.has_all, 40), second.read_text()
        finally:
            if how == signal.SIGSTOP:
                os.kill(leader.pid, signal.SIGCONT)
        hooked.publish(5)
        assert eventually(hooked.has_all, 20), second.read_text()
    assert max(Counter(json.loads(body)["id"] for _, body in there.got).values()) == 1
    found = runfile.read(application.data_dir / runfile.NAME)
    assert found is not None
    with psycopg.connect(found.database_url) as database:
        assert database.execute("SELECT rule, message FROM diagnostics_alert").fetchall() == []
        assert database.execute("SELECT count(*) FROM continuity_deadletter").fetchone() == (0,)
