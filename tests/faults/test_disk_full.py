"""The disk under the embedded Postgres is full, and then has room again."""

from __future__ import annotations

import http.client
import os
from functools import partial
from pathlib import Path

import pytest

from tests.faults.calling import Caller
from tests.platform.running import Application, eventually

LEFT_BYTES = 600_000
LONG = "The tide table of harbour 7 is kept in tide_7.py. " * 6_000  # 300 KB

pytestmark = [pytest.mark.processes]


@pytest.fixture
def started(impatient: Application) -> Application:
    return impatient


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
        assert answer.body["code"] in ("unavailable", "took_too_long"), answer
    return answer.status


def appended(caller: Caller, conversation: str, number: int) -> bool:
    return try_append(caller, conversation, number) in (200, 201)


def test_it_works(application: Application, caller: Caller, small_disk: Path | None) -> None:
    if small_disk is None:
        pytest.skip("a small file system can only be mounted by root on Linux")
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
