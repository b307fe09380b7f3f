"""Web and workers on three machines, one Postgres and one Valkey: what one of them acknowledged, each of them has, whoever dies."""

from __future__ import annotations

import os
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.faults.calling import Caller
from tests.platform.hosts.machines import Machine, machines
from tests.platform.running import eventually, key_of
from tests.upgrade.databases import a_database

pytestmark = [pytest.mark.processes, pytest.mark.long]


def ready(machine: Machine) -> int:
    """The status of /ready; 0 where no answer comes."""
    try:
        with urllib.request.urlopen(f"http://{machine.address}:{machine.application.port}/ready", timeout=10) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_it_works(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    redis = os.environ["REDIS_URL"].rpartition("/")[0] + "/61"
    with a_database() as database, machines(3, tmp_path, database, redis) as (first, second, third):
        for each in (first, second, third):  # All at once: one of them prepares the database.
            each.application.launch()
        for each in (first, second, third):
            each.application.wait_until_up(300.0)
        made = next(each for each in (first, second, third) if "API key" in each.application.log.read_text())
        key = key_of(made.application)
        a, b, c = (Caller(each.application.port, key, host=each.address) for each in (first, second, third))
        conversation = a.conversation("on three machines")
        assert b.append(conversation, 1, 2).status in (200, 201)
        assert c.stored(conversation) == ["m1", "m2"]

        # One is switched off while all three write; the other two go on, and nothing that was acknowledged is gone.
        acknowledged, begun, stop = set[str](), dict[int, str](), threading.Event()

        def write(caller: Caller, begin: int) -> None:
            number = begin
            while not stop.is_set():
                begun[begin] = f"m{number}"
                if caller.once("POST", f"/conversations/{conversation}/messages", message(number)).status in (200, 201):
                    acknowledged.add(f"m{number}")
                number += 1

        with ThreadPoolExecutor(3) as pool, ExitStack() as always:
            always.callback(stop.set)
            doomed, *others = [pool.submit(write, caller, 1000 * place) for place, caller in ((1, a), (2, b), (3, c))]
            assert eventually(lambda: len(acknowledged) > 30)
            first.lose_power()
            assert doomed.exception(60) is not None
            there = len(acknowledged)
            assert eventually(lambda: len(acknowledged) > there + 20)
            stop.set()
            assert [each.result() for each in others] == [None, None]
        stored = b.stored(conversation)
        assert c.stored(conversation) == stored
        assert len(stored) == len(set(stored))
        assert {"m1", "m2"} | acknowledged <= set(stored)
        # What the first machine stored as its power went may not have been answered any more.
        assert set(stored) - {"m1", "m2"} - acknowledged <= {begun[1000]}

        # Work goes on without the dead one's worker: all is folded, and a package is prepared by one and resumed by the other.
        handoff = b.call("POST", f"/conversations/{conversation}/handoffs", {})
        assert handoff.status in (200, 201), handoff
        assert c.call("POST", f"/handoffs/{handoff.body['id']}/resume", {}).status in (200, 201)

        # One that is cut off says that it is not ready, and is ready again when the cable is back; the others notice nothing.
        second.unplug()
        assert eventually(lambda: ready(third) == 200)
        assert c.append(conversation, 9001).status in (200, 201)
        second.plug_in()
        assert eventually(lambda: ready(second) == 200)
        assert "m9001" in b.stored(conversation)


def message(number: int) -> dict[str, object]:
    return {"messages": [{"external_id": f"m{number}", "role": "user", "content": f"Number {number}."}]}
