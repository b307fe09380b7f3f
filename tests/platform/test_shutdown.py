"""FR-054: stopping with many conversations live and requests in flight, and what the next start knows of it."""

from __future__ import annotations

import http.client
import logging
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from config.env import Environment
from config.supervision import keeping
from config.supervision.supervisor import Supervisor
from continuity.core.operation import stops
from tests.faults.calling import Caller
from tests.platform.running import PROJECT, Application, eventually
from tests.platform.test_draining import Upload, ask

pytestmark = [pytest.mark.processes]
IN_FLIGHT = 8
DRAINING_SECONDS = 1.0
NOBODY = "postgresql://nobody@127.0.0.1:1/nothing"


class Beating:
    """Beats for all agents that it is given, so that none of them counts as lost however long it takes."""

    def __init__(self, caller: Caller) -> None:
        self._caller = Caller(caller.port, caller.key)
        self.beats: list[dict[str, Any]] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Beating:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(1.0):
            if self.beats:
                with suppress(OSError, http.client.HTTPException):
                    self._caller.once("POST", "/agents/heartbeats", {"beats": list(self.beats)})


def live_conversations(caller: Caller, beating: Beating, live: int) -> list[str]:
    """So many agents, each at work in a conversation of its own."""
    found = []
    for number in range(live):
        path = f"/agents/stopping-{number}"
        told = caller.call("POST", "/agents", {"name": f"stopping-{number}"}).body
        shown = {"epoch": told["epoch"], "instance": told["instance"]}
        beating.beats.append({"agent": f"stopping-{number}", **shown})
        assert caller.call("POST", f"{path}/ready", shown).status == 200
        opened = caller.call("POST", f"{path}/conversation", shown)
        assert opened.status == 201, opened
        found.append(str(opened.body["conversation_id"]))
        caller.append(found[-1], 1, 2)
    return found


def end(caller: Caller, beats: list[dict[str, Any]]) -> None:
    """The agents are done: a later test counts its own."""
    for beat in beats:
        shown = {"epoch": beat["epoch"], "instance": beat["instance"]}
        assert caller.call("POST", f"/agents/{beat['agent']}/ended", {**shown, "exit_code": 0}).status == 200


def shutdown(application: Application) -> subprocess.Popen[str]:
    command = [sys.executable, "manage.py", "shutdown"]
    return subprocess.Popen(command, cwd=PROJECT, env=application.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def asked_ready(application: Application, caller: Caller) -> tuple[int, float]:
    """The status of /ready, and how many seconds the answer took."""
    begun = time.monotonic()
    status = ask(application.port, "GET", "/ready", caller.key)[0]
    return status, time.monotonic() - begun


@pytest.mark.parametrize("live", [12, pytest.param(50, marks=pytest.mark.long)])
def test_it_works(application: Application, caller: Caller, live: int) -> None:
    """/ready and creation say 503 while the port is open, what is in flight is answered, all is kept, exit 0, the duration is told."""
    with Beating(caller) as beating:
        conversations = live_conversations(caller, beating, live)
        before = {each: caller.get(f"/conversations/{each}/restore")["digest"] for each in conversations[1:]}
        # On a busy machine any answer takes its time: that is no part of the second.
        usual = max(asked_ready(application, caller)[1] for _ in range(5))
        asked = shutdown(application)
        halves = [Upload(application.port, caller.key, conversations[0]) for _ in range(IN_FLIGHT)]
        assert asked.stdout is not None
        assert asked.stdout.readline().startswith("Asked to stop")
        signalled = time.monotonic()
        assert eventually(lambda: asked_ready(application, caller)[0] == 503)
        assert time.monotonic() - signalled < DRAINING_SECONDS + usual
        assert ask(application.port, "POST", "/api/v1/conversations", caller.key)[0] == 503
        answered = [half.finish() for half in halves]
        told, _ = asked.communicate(timeout=90)
    assert set(answered) <= {200, 201}
    assert asked.returncode == 0, told + application.output()
    assert f"{live} live conversations of agents are kept" in told
    assert application.supervisor is not None
    assert application.supervisor.wait(30) == 0
    stop = stops.read(application.data_dir)
    assert stop is not None
    assert stop.kept
    assert 0 < stop.seconds < 60
    application.start()
    assert eventually(application.answers), application.output()
    assert {each: caller.get(f"/conversations/{each}/restore")["digest"] for each in before} == before
    with urllib.request.urlopen(f"http://127.0.0.1:{application.port}/metrics", timeout=30) as metrics:
        assert f"shutdown_duration_seconds {stop.seconds!r}\n" in metrics.read().decode()
    end(caller, beating.beats)


def test_a_store_that_does_not_say_that_all_is_kept_is_asked_twice_and_told_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "PAUSE_SECONDS", 0.0)
    supervisor = Supervisor(Environment({"CONTINUITY_DATA_DIR": str(tmp_path), "DATABASE_URL": NOBODY}))
    supervisor.serving = True
    supervisor._asked_to_stop(signal.SIGTERM, None)
    with caplog.at_level(logging.ERROR):
        supervisor._stop()
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR", "CRITICAL"]
    assert not supervisor.kept, "so that run() gives 1"
    stop = stops.read(tmp_path)
    assert stop is not None
    assert not stop.kept


def test_nothing_is_stopped_where_nothing_runs(tmp_path: Path) -> None:
    env = {"PATH": "/usr/bin:/bin", "CONTINUITY_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "manage.py", "shutdown"], cwd=PROJECT, env=env, text=True, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert f"No Continuity runs on {tmp_path}." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.django_db(transaction=True)
def test_what_is_asked_fits_the_tables() -> None:
    own = connection.get_connection_params()
    where = {name: own[name] for name in ("dbname", "user", "password", "host", "port") if own.get(name)}
    assert keeping.keep(psycopg.conninfo.make_conninfo(**where)) == 0
