"""The disk under the embedded Postgres is full, and then has room again."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.faults.calling import Caller
from tests.platform.running import Application, eventually

SIZE_MB = 400
LEFT_BYTES = 600_000
LONG = "The tide table of harbour 7 is kept in tide_7.py. " * 6_000  # 300 KB

pytestmark = [pytest.mark.processes]


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system of its own with little room."""
    folder = tmp_path_factory.mktemp("small")
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m,mode=0755", "tmpfs", str(folder)]
    if sys.platform != "linux" or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small file system can only be mounted by root on Linux")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(scope="module")
def application(small_disk: Path) -> Iterator[Application]:
    running = Application(small_disk / "data")
    running.log = small_disk.with_name("small.log")
    running.start()
    yield running
    running.end()


def fill(ballast: Path, left: int) -> None:
    """Leave so many bytes free on the ballast's file system."""
    with ballast.open("wb", buffering=0) as stream:
        piece = bytes(65_536)
        stat = os.statvfs(ballast.parent)
        for _ in range(max(0, stat.f_bavail * stat.f_frsize - left) // len(piece)):
            stream.write(piece)


def try_append(caller: Caller, conversation: str, number: int) -> int:
    """The status of one try; 0 where no answer came."""
    said = {"messages": [{"external_id": f"m{number}", "role": "user", "content": f"{number}. {LONG}"}]}
    try:
        answer = caller.once("POST", f"/conversations/{conversation}/messages", said)
    except (OSError, http.client.HTTPException):
        return 0
    if answer.status >= 400:
        assert answer.status == 503, answer
        assert answer.body["code"] == "unavailable", answer
    return answer.status


def appended(caller: Caller, conversation: str, number: int) -> bool:
    return try_append(caller, conversation, number) in (200, 201)


def test_it_works(application: Application, caller: Caller, small_disk: Path) -> None:
    conversation = caller.conversation("full disk")
    assert try_append(caller, conversation, 1) in (200, 201)
    ballast = small_disk / "ballast"
    fill(ballast, LEFT_BYTES)
    statuses: dict[int, int] = {}
    for number in range(2, 302):
        statuses[number] = try_append(caller, conversation, number)
        if statuses[number] not in (200, 201):
            break
    refused = [number for number, status in statuses.items() if status not in (200, 201)]
    assert refused, "the disk was never full"
    ballast.unlink()
    assert eventually(partial(appended, caller, conversation, 1000)), application.output()
    stored = caller.stored(conversation)
    acknowledged = ["m1", *(f"m{number}" for number in statuses if number not in refused), "m1000"]
    assert set(acknowledged) <= set(stored), "what was acknowledged is there"
    assert len(set(stored)) == len(stored)
    for number in refused:
        assert eventually(partial(appended, caller, conversation, number))
    assert sorted(caller.stored(conversation)) == sorted({*acknowledged, *(f"m{number}" for number in refused)})
