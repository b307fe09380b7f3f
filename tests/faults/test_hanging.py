"""Postgres hangs: its sockets stay open and nothing comes. Requests are answered in time all the same, and all is well when it goes on."""

from __future__ import annotations

import http.client
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from config.embedded import leftovers
from config.supervision.processes import Identity
from tests.faults.calling import Answer, Caller
from tests.platform.running import Application, children_of, eventually

pytestmark = [pytest.mark.processes]

# A busy machine takes its time to answer, but a request that hung would take as long as the hang.
SOON_SECONDS = 12.0
CALLERS = 24
KEPT_SECONDS = 1.1  # for so long `/ready` gives what it saw before


@pytest.fixture
def started(impatient: Application) -> Application:
    return impatient


@contextmanager
def hanging(find: Callable[[], list[Identity]]) -> Iterator[None]:
    """Stops all that is found, also what one of them started while the others were stopped."""
    stopped: dict[int, Identity] = {}
    while found := [process for process in find() if process.pid not in stopped]:
        for process in found:
            stopped[process.pid] = process
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def servers(application: Application) -> list[Identity]:
    """Postgres as a whole: the one that takes connections, and one for each of them."""
    return leftovers.working_in(application.data_dir / "postgres")


def look(application: Application, path: str) -> tuple[int, float]:
    """The status of a page, and how long it took."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", application.port, timeout=60)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        return response.status, time.monotonic() - began
    finally:
        connection.close()


def append(caller: Caller, conversation: str, name: str) -> Answer:
    said = {"messages": [{"external_id": name, "role": "user", "content": f"Never write to the table {name}."}]}
    return caller.once("POST", f"/conversations/{conversation}/messages", said)


def test_it_works(application: Application, caller: Caller) -> None:
    """All of it hangs while many ask: each has an answer, probes are answered, and what was acknowledged is there."""
    conversation = caller.conversation(f"hanging {uuid4()}")
    assert append(caller, conversation, "before").status == 201
    with hanging(partial(servers, application)), ThreadPoolExecutor(CALLERS) as callers:
        asked = [callers.submit(append, caller, conversation, f"during{number}") for number in range(CALLERS)]
        time.sleep(KEPT_SECONDS)
        ready, health = look(application, "/ready"), look(application, "/health")
        answers = [each.result() for each in asked]
        again = append(caller, conversation, "again")
    assert (ready[0], health[0]) == (503, 200)
    for answer in (*answers, again):
        assert (answer.status, answer.headers["content-type"]) == (503, "application/problem+json"), answer
        assert answer.headers["retry-after"], answer
    assert max(ready[1], health[1], again.seconds, *(answer.seconds for answer in answers)) < SOON_SECONDS
    assert eventually(lambda: append(caller, conversation, "after").status in (200, 201)), application.output()
    assert eventually(lambda: look(application, "/ready")[0] == 200)
    assert caller.stored(conversation) == ["before", "after"], "what was refused as not saved was not saved"
    assert eventually(lambda: threads_of(application) < CALLERS), f"{threads_of(application)} threads"


def test_a_statement_that_hangs_in_the_middle_is_given_up(application: Application, caller: Caller) -> None:
    """Connections are taken and then say nothing: only those who serve them hang, while somebody waits for an answer."""
    conversation = caller.conversation(f"half {uuid4()}")
    answers: list[Answer] = []

    def ask() -> None:
        answers.extend(append(caller, conversation, f"m{number}") for number in range(1000) if not ended.is_set())

    ended = threading.Event()
    asking = threading.Thread(target=ask)
    asking.start()
    assert eventually(lambda: bool(answers))
    with hanging(partial(children_of, application.process("postgres").pid)):
        before = len(answers)
        assert eventually(lambda: len(answers) > before + 1, SOON_SECONDS * 2), application.output()
        ended.set()
        asking.join(SOON_SECONDS)
    assert not asking.is_alive()
    refused = [answer for answer in answers if answer.status >= 400]
    codes = {(answer.status, answer.body["code"]) for answer in refused}
    assert codes, "somebody was refused"
    # "locked": a server that hangs holds the row that it had locked, and a new connection waits for that.
    assert codes <= {(503, "unavailable"), (503, "took_too_long"), (503, "locked")}
    assert eventually(lambda: append(caller, conversation, "after").status in (200, 201)), application.output()
    saved = {f"m{number}" for number, answer in enumerate(answers) if answer.status in (200, 201)}
    assert saved <= set(caller.stored(conversation))


def test_who_waits_for_a_lock_is_told_so(application: Application, caller: Caller) -> None:
    conversation = caller.conversation(f"locked {uuid4()}")
    run = application.run()
    assert run is not None
    with psycopg.connect(run.database_url) as holding:
        holding.execute("SELECT id FROM continuity_conversation WHERE id = %s FOR UPDATE", [conversation])
        answer = append(caller, conversation, "m1")
    assert (answer.status, answer.body["code"]) == (503, "locked"), answer
    assert append(caller, conversation, "m1").status == 201


@pytest.mark.long
def test_threads_do_not_pile_up(application: Application, caller: Caller) -> None:
    """However long it hangs, and however many ask: the threads that waited come back."""
    conversation = caller.conversation(f"threads {uuid4()}")
    with hanging(partial(servers, application)), ThreadPoolExecutor(CALLERS) as callers:
        list(callers.map(lambda number: append(caller, conversation, f"m{number}"), range(2 * CALLERS)))
    assert eventually(lambda: append(caller, conversation, "after").status in (200, 201)), application.output()
    assert eventually(lambda: threads_of(application) < CALLERS), f"{threads_of(application)} threads"


def threads_of(application: Application) -> int:
    web = application.process("web").pid
    return max(len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in (web, *(child.pid for child in children_of(web))))
