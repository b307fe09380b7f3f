"""Postgres, Valkey or the worker goes away while callers append, prepare and resume."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from uuid import uuid4

import psycopg
import pytest

from tests.faults.calling import Answer, Caller
from tests.platform.running import Application, eventually

pytestmark = [pytest.mark.processes]


class Working(threading.Thread):
    """Does the same again and again until it is told to end; `done` holds what was acknowledged."""

    def __init__(self, work: Callable[[int], Answer]) -> None:
        super().__init__(daemon=True)
        self.work = work
        self.done: list[Answer] = []
        self.error: BaseException | None = None
        self.ending = threading.Event()
        self.start()

    def run(self) -> None:
        try:
            while not self.ending.is_set():
                self.done.append(self.work(len(self.done) + 1))
        except BaseException as error:
            self.error = error

    def did(self, count: int) -> bool:
        """Whether so many are acknowledged. Raises what ended the work."""
        if self.error is not None:
            raise self.error
        return len(self.done) >= count

    def end(self) -> list[Answer]:
        self.ending.set()
        self.join(120)
        assert self.error is None, self.error
        assert not self.is_alive()
        return self.done


def restart_postgres(application: Application, *, number: int) -> None:
    """End it as a crash (SIGKILL) or as an operator who restarts it (SIGINT, "fast"), and wait until another serves."""
    before = application.process("postgres")
    os.kill(before.pid, number)
    assert application.replaced("postgres", before), application.output()


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_it_works(application: Application, caller: Caller, number: int) -> None:
    """Postgres restarts while messages are appended, handoffs prepared and resumed: what was acknowledged is there, once."""
    title = f"restarted-{number}-{uuid4()}"
    growing, packed = caller.conversation(title), caller.conversation(f"{title} packed")
    caller.append(packed, *range(1, 21))

    def handed(turn: int) -> Answer:
        made = caller.call("POST", f"/conversations/{packed}/handoffs", {}, Idempotency_Key=f"{title}-prepare-{turn}")
        assert made.status == 201, made
        assert made.body["status"] == "ready", made
        resumed = caller.call("POST", f"/handoffs/{made.body['id']}/resume", {"fork": True}, Idempotency_Key=f"{title}-resume-{turn}")
        assert resumed.status == 201, resumed
        return resumed

    appending = Working(lambda turn: caller.append(growing, 2 * turn - 1, 2 * turn))
    handing = Working(handed)
    assert eventually(lambda: appending.did(3) and handing.did(1))
    restart_postgres(application, number=number)
    appended, resumed = len(appending.done), len(handing.done)
    assert eventually(lambda: appending.did(appended + 3) and handing.did(resumed + 1)), application.output()
    acknowledged, resumptions = appending.end(), handing.end()

    assert {answer.status for answer in acknowledged} <= {200, 201}
    assert caller.stored(growing) == [f"m{number}" for number in range(1, 2 * len(acknowledged) + 1)]
    heirs = [answer.body["conversation"]["id"] for answer in resumptions]
    assert len(set(heirs)) == len(heirs)
    handoffs = caller.get(f"/conversations/{packed}/handoffs?limit=200")["items"]
    assert len(handoffs) == len(resumptions), "each was prepared once"
    assert {row["status"] for row in handoffs} == {"resumed"}
    for problem in caller.refused:
        assert problem.status == 503, problem
        assert problem.body["code"] == "unavailable", problem
        assert problem.headers["retry-after"], problem


@pytest.mark.parametrize("seconds", [2, pytest.param(10, marks=pytest.mark.long)])
def test_valkey_hangs(application: Application, caller: Caller, seconds: int) -> None:
    """Nothing waits long for it, nothing fails by it; what it should have passed on is done when it answers again."""
    conversation = caller.conversation(f"stopped valkey {uuid4()}")
    stopped = application.process("valkey").pid
    slowest = 0.0
    os.kill(stopped, signal.SIGSTOP)
    try:
        ends = time.monotonic() + seconds
        turn = 0
        while time.monotonic() < ends:
            turn += 1
            answer = caller.append(conversation, 2 * turn - 1, 2 * turn)
            assert answer.status in (200, 201), answer
            slowest = max(slowest, answer.seconds)
        made = caller.call("POST", f"/conversations/{conversation}/handoffs", {})
        assert (made.status, made.body["status"]) == (201, "ready"), made
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert slowest < 20, "a hanging broker is waited for briefly, then left alone"
    assert caller.stored(conversation) == [f"m{number}" for number in range(1, 2 * turn + 1)]
    caller.append(conversation, 2 * turn + 1)
    assert eventually(lambda: everything_passed_on(application)), application.output()


def everything_passed_on(application: Application) -> bool:
    """Whether the workers folded every message, and every event was delivered and told to the other processes."""
    waiting = """
        SELECT (SELECT count(*) FROM continuity_conversation WHERE folded_seq < last_seq)
             + (SELECT count(*) FROM continuity_event WHERE dispatched_at IS NULL OR relayed_at IS NULL)
    """
    run = application.run()
    assert run is not None
    with psycopg.connect(run.database_url) as connection:
        return connection.execute(waiting).fetchone() == (0,)


@pytest.mark.parametrize("messages", [500, pytest.param(2000, marks=pytest.mark.long)])
def test_a_worker_that_is_killed_while_it_prepares_is_followed_by_another(application: Application, caller: Caller, messages: int) -> None:
    conversation = caller.conversation(f"killed worker {uuid4()}")
    for first in range(1, messages + 1, 500):
        caller.append(conversation, *range(first, first + 500))
    asked = caller.call("POST", f"/conversations/{conversation}/handoffs?wait=false", {})
    assert asked.status == 202, asked
    job = asked.body["id"]
    assert eventually(lambda: caller.get(f"/jobs/{job}")["status"] != "queued"), application.output()
    before = application.kill("worker")
    assert application.replaced("worker", before), application.output()
    assert eventually(lambda: caller.get(f"/jobs/{job}")["status"] == "done"), application.output()
    found = caller.get(f"/conversations/{conversation}/handoffs")["items"]
    assert [row["status"] for row in found] == ["ready"]
    assert found[0]["id"] == caller.get(f"/jobs/{job}")["result"]["handoff_id"]
