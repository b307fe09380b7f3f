"""SIGTERM: the process says that it stops while its port is open, answers what it has, and then closes; really done."""

from __future__ import annotations

import asyncio
import http.client
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from config.middleware import draining as module
from config.middleware.draining import Draining
from config.middleware.time_limit import Site
from config.supervision.processes import identify
from tests.faults.calling import Caller
from tests.platform.running import PROJECT, Application, clean_environment, eventually, key_of

pytestmark = [pytest.mark.processes]

DRAIN_SECONDS = 6
PATHS = {
    ("POST", "/api/v1/conversations"): 503,
    ("GET", "/api/v1/events/stream"): 503,
    ("GET", "/ready"): 503,
    ("GET", "/health"): 200,
    ("GET", "/api/v1/conversations"): 200,
}


@pytest.fixture
def draining(tmp_path: Path, begun: Path) -> Iterator[Application]:
    """An application of its own, which takes its time to stop."""
    running = Application(tmp_path / "data", CONTINUITY_DRAIN_SECONDS=str(DRAIN_SECONDS)).after(begun)
    running.start()
    assert eventually(running.answers), running.output()
    yield running
    running.end()


def ask(port: int, method: str, path: str, key: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        body = b'{"title": "new"}' if method == "POST" else None
        connection.request(method, path, body, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def refuses(port: int) -> bool:
    """Whether nobody listens."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


class Upload:
    """A request of which the first half is sent; the server works on it."""

    def __init__(self, port: int, key: str, conversation: str) -> None:
        self.body = b'{"messages": [{"external_id": "half", "role": "user", "content": "Keep harbour 7 open."}]}'
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.connection.putrequest("POST", f"/api/v1/conversations/{conversation}/messages")
        for name, value in (("Authorization", f"Bearer {key}"), ("Content-Type", "application/json"), ("Content-Length", len(self.body))):
            self.connection.putheader(name, str(value))
        self.connection.endheaders(self.body[:20])

    def finish(self) -> int:
        self.connection.send(self.body[20:])
        status = self.connection.getresponse().status
        self.connection.close()
        return status


def check_drain(port: int, caller: Caller, begin: Callable[[], None]) -> None:
    """Calls `begin`, which asks the process to stop, and sees how it goes."""
    conversation = caller.conversation(f"draining {time.time_ns()}")
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    stream.request("GET", "/api/v1/events/stream", headers={"Authorization": f"Bearer {caller.key}"})
    following = stream.getresponse()
    assert following.status == 200
    half = Upload(port, caller.key, conversation)
    begin()
    assert eventually(lambda: ask(port, "GET", "/ready", caller.key)[0] == 503, DRAIN_SECONDS / 2)
    for (method, path), status in PATHS.items():
        told, headers, body = ask(port, method, path, caller.key)
        assert (told, headers.get("connection")) == (status, "close"), (method, path, body)
        assert (status == 200) or "retry-after" in headers, path
    assert b'"draining"' in ask(port, "GET", "/ready", caller.key)[2]
    assert half.finish() == 201, "what was at hand is answered"
    assert following.read().endswith(b"\n\n"), "streams end as they do when their time is over"
    stream.close()
    assert eventually(lambda: refuses(port), 60)


def test_it_works(application: Application) -> None:
    """The command that the documentation names for those who run the parts themselves."""
    run, port = application.run(), application.port + 1
    assert run is not None
    env = clean_environment(
        application.data_dir,
        DATABASE_URL=run.database_url,
        REDIS_URL=run.redis_url,
        SECRET_KEY="only for tests",
        CONTINUITY_DRAIN_SECONDS=str(DRAIN_SECONDS),
    )
    command = [str(Path(sys.executable).with_name("granian")), "--interface", "asginl", "--port", str(port), "config.asgi:application"]
    log = application.data_dir.with_name("alone.log")
    with log.open("wb") as output:
        alone = subprocess.Popen(command, cwd=PROJECT, env=env, stdout=output, stderr=output, start_new_session=True)
    try:
        assert eventually(lambda: not refuses(port)), log.read_text()
        check_drain(port, Caller(port, key_of(application)), partial(alone.send_signal, signal.SIGTERM))
        assert alone.wait(60) == 0
    finally:
        if identify(alone.pid) is not None:
            os.killpg(alone.pid, signal.SIGKILL)
            alone.wait()


@pytest.mark.long
def test_all_of_it_drains_too(draining: Application) -> None:
    assert draining.supervisor is not None
    check_drain(draining.port, Caller(draining.port, key_of(draining)), partial(draining.supervisor.send_signal, signal.SIGTERM))
    assert draining.supervisor.wait(60) == 0
    assert draining.left_running() == []


def test_what_does_not_end_is_named_when_it_is_cut_off(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """The end of the wait, with the signal to the server's own process caught."""
    sent: list[int] = []

    async def hanging(scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(60)

    async def stop() -> None:
        site = Site(hanging)
        draining = Draining(site)
        scope = {"type": "http", "method": "PUT", "path": "/api/v1/slow", "headers": []}
        asking = asyncio.create_task(draining(scope, asyncio.Event().wait, asyncio.Event().wait))  # type: ignore[arg-type]
        while not site.at_hand:
            await asyncio.sleep(0)
        await draining._drain()
        asking.cancel()

    monkeypatch.setattr(module, "LONGEST_SECONDS", 0.2)
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append(number))
    with override_settings(CONTINUITY_DRAIN_SECONDS=0), caplog.at_level(logging.WARNING, "continuity.web"):
        asyncio.run(stop())
    (told,) = (record for record in caplog.records if record.levelno == logging.WARNING)
    assert (told.metadata["method"], told.metadata["path"]) == ("PUT", "/api/v1/slow")  # type: ignore[attr-defined]
    assert sent == [signal.SIGINT]
