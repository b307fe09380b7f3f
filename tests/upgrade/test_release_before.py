"""From the release before to this one: on one folder, and both at once on one database (blue-green).

The release before comes out of this repository's history; where there is none, `test_expanding` alone holds the rules.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from continuity.upgrades.release_before import COMMIT
from tests.faults.calling import Caller
from tests.platform.running import PROJECT, Application, eventually, key_of
from tests.upgrade.databases import a_database

pytestmark = [pytest.mark.processes, pytest.mark.long]

LONG_SECONDS = 300.0  # A start that migrates beside writers takes its time.
# Of the messages alone: what is distilled of them the newer rules distil anew.
DIGESTS = """
import hashlib
from continuity.models import Conversation
from continuity.services.recording import restoring
for conversation in Conversation.objects.select_related("team").order_by("id"):
    rows = restoring.restore(team=conversation.team, conversation_id=conversation.id).messages
    said = [[row[name] for name in ("seq", "external_id", "role", "parts", "abandoned")] for row in rows]
    print("SAW", conversation.id, len(rows), hashlib.sha256(repr(said).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def release_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files, to be run by this Python, whose packages have all that it needs."""
    archive = subprocess.run(["git", "archive", COMMIT], cwd=PROJECT, capture_output=True, check=False)
    if archive.returncode != 0:
        pytest.skip("this clone has no history")
    folder = tmp_path_factory.mktemp("before")
    folder.chmod(0o755)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def saw(application: Application, code: str = DIGESTS) -> list[str]:
    """What a command printed, run by the release of the application."""
    command = [sys.executable, "manage.py", "shell", "-c", code]
    done = subprocess.run(command, cwd=application.project, env=application.env, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return [line for line in done.stdout.splitlines() if line.startswith("SAW")]


def test_it_works(release_before: Path, tmp_path: Path) -> None:
    """A fortnight of demo data, by what `make run` starts on one folder."""
    tmp_path.chmod(0o755)
    before = Application(tmp_path / "data", CONTINUITY_DEMO="1")
    before.project = release_before
    after = Application(tmp_path / "data")
    try:
        before.start(LONG_SECONDS)
        assert eventually(lambda: len(saw(before)) > 20, 300), before.output()
        digests = saw(before)
        before.stop()
        after.start(LONG_SECONDS)
        assert eventually(after.answers), after.output()
        assert saw(after) == digests
        caller = Caller(after.port, key_of(before))
        assert caller.append(caller.conversation("after the upgrade"), 1, 2).status in (200, 201)
    finally:
        before.end()
        after.end()


def once(caller: Caller, method: str, path: str, body: object = None) -> dict[str, object]:
    """One try, which must succeed: no request fails while releases change."""
    answer = caller.once(method, path, body)
    assert answer.status in (200, 201), answer
    return answer.body


def told(caller: Caller) -> list[tuple[object, ...]]:
    """Every event that this release lists, as its page after page has them."""
    found: list[tuple[object, ...]] = []
    cursor = ""
    while True:
        page = once(caller, "GET", f"/events?limit=200{cursor}")
        items: Any = page["items"]
        found += [(each["position"], each["id"], each["name"], each["subject_id"]) for each in items]
        if not page["next_cursor"]:
            return found
        cursor = f"&cursor={page['next_cursor']}"


def settled(*callers: Caller) -> bool:
    """Whether all tell the same events, of which there are some."""
    first, *others = [told(each) for each in callers]
    return bool(first) and all(each == first for each in others)


def anchors(caller: Caller, conversation: str) -> list[tuple[object, ...]]:
    items: Any = once(caller, "GET", f"/conversations/{conversation}/anchors?limit=200")["items"]
    return sorted((each["key"], each["text"], each["state"]) for each in items)


def same_anchors(one: Caller, other: Caller, conversation: str) -> bool:
    return anchors(one, conversation) == anchors(other, conversation) != []


def test_both_at_once_on_one_database(release_before: Path, tmp_path: Path) -> None:
    with a_database() as database:
        shared = {
            "DATABASE_URL": database,
            "REDIS_URL": os.environ["REDIS_URL"].rpartition("/")[0] + "/60",
            "SECRET_KEY": "shared by both",
            "CONTINUITY_QUEUE": "blue-green",
            "CONTINUITY_KEY_PREFIX": "blue-green",
            # The first package after the change distils its conversation anew, which takes its time where others work too.
            "CONTINUITY_REQUEST_SECONDS": "29",
        }
        before = Application(tmp_path / "before", (sys.executable,), **shared)
        before.project = release_before
        after = Application(tmp_path / "after", (sys.executable,), **shared)
        stop, written = threading.Event(), {"before": 0, "after": 0}

        def write(name: str, caller: Callable[[], Caller], conversations: list[str]) -> None:
            number = 0
            while not stop.wait(0.25):
                for conversation in conversations:
                    message = {
                        "external_id": f"{name}-{number}",
                        "role": "user",
                        "content": f"Decided: port {8000 + number} it is, {name}.",
                    }
                    once(caller(), "POST", f"/conversations/{conversation}/messages", {"messages": [message]})
                    written[name] += 1
                number += 1

        try:
            before.start(LONG_SECONDS)
            old = Caller(before.port, key_of(before))
            new = Caller(after.port, old.key)
            blue = old.conversation("blue")
            with ThreadPoolExecutor(2) as pool:
                with ExitStack() as always:
                    always.callback(stop.set)  # Before the pool waits for its writers.
                    writing = [pool.submit(write, "before", lambda: old, [blue])]
                    assert eventually(lambda: written["before"] > 3)
                    after.start(LONG_SECONDS)  # It migrates while the other one serves.
                    green = new.conversation("green")
                    writing.append(pool.submit(write, "after", lambda: new, [blue, green]))
                    target = written["before"] + 30
                    assert eventually(
                        lambda: any(each.done() for each in writing) or (written["before"] > target and written["after"] > 30), LONG_SECONDS
                    )
                    for caller in (old, new):
                        for conversation in (blue, green):
                            assert len(caller.stored(conversation)) > 10
                            once(caller, "GET", f"/conversations/{conversation}/decision")
                            once(caller, "GET", f"/conversations/{conversation}/anchors")
                    said = {"events": [{"topic": "task:done", "payload": {"n": 1}, "conversation_id": green}]}
                    published: Any = once(new, "POST", "/events", said)["items"]
                    prepared = once(new, "POST", f"/conversations/{blue}/handoffs", {})
                    assert once(old, "GET", f"/handoffs/{prepared['id']}")["id"] == prepared["id"]
                assert [each.result() for each in writing] == [None] * len(writing)
            assert old.stored(blue) == new.stored(blue)
            assert eventually(lambda: settled(old, new)), "each lists the events of both"
            assert published[0]["id"] in {each[1] for each in told(old)}
            for conversation in (blue, green):
                assert eventually(partial(same_anchors, old, new, conversation))
            for each in (before, after):
                assert "ProgrammingError" not in each.log.read_text() and "IntegrityError" not in each.log.read_text()
            before.stop()
            assert once(new, "GET", f"/conversations/{green}")["id"] == green
        finally:
            stop.set()
            before.end()
            after.end()
