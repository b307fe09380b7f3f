"""The disk of the data folder takes nothing any more, as in a real full file system: uploads say so, and so does /ready."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.test import Client
from pytest_django import Settings

from config.middleware.time_limit import Site
from continuity.core import disk
from continuity.models import Job, Team, User
from tests.api.caller import Caller
from tests.faults.test_disk_full import fill
from tests.small_disks import small_disk
from tests.web.world import browser

SIZE_MB = 4


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A file system without a free block."""
    folder = tmp_path / "full"
    folder.mkdir()
    with small_disk(folder, f"{SIZE_MB}m"):
        (folder / "uploads").mkdir()
        fill(folder / "ballast", 0)
        yield folder


@pytest.fixture
def uploads(full: Path, settings: Settings) -> Path:
    settings.MEDIA_ROOT = full / "uploads"
    return full / "uploads"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    from diagnostics import health_probe

    monkeypatch.setattr(health_probe, "SEEN_FOR", 0.0)


@pytest.mark.django_db
def test_it_works(uploads: Path, team: Team) -> None:
    refused = Caller.of(team).upload(b'{"type": "user"}\n' * 10_000)
    assert (refused.status_code, refused["Content-Type"], refused.json()["code"]) == (507, "application/problem+json", "no_room")
    assert "data folder" in refused.json()["detail"]
    assert list(uploads.iterdir()) == [], "nothing of it is left"
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_a_person_is_told_on_the_page(uploads: Path, team: Team, owner: User) -> None:
    answer = browser(owner).post("/conversations/import", {"text": "hello " * 10_000, "format": "auto"})
    assert answer.status_code == 507
    assert b"No room left" in answer.content


@pytest.mark.django_db
def test_ready_says_so_until_there_is_room(uploads: Path, full: Path, client: Client) -> None:
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["checks"]["storage"]) == (503, "failed")
    assert client.get("/health").json()["status"] == "unhealthy"
    (full / "ballast").unlink()
    assert client.get("/ready").status_code == 200
    assert list(uploads.iterdir()) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_request_that_cannot_be_kept_on_its_way_is_told_so(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Django writes what is large to the folder for temporary files before anything looks at it."""
    sent: list[Any] = []
    parts = [b"x" * 1_000_000] * 4

    async def receive() -> dict[str, Any]:
        part = parts.pop()
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    async def send(message: Any) -> None:
        sent.append(message)

    monkeypatch.setattr("tempfile.tempdir", str(full))
    scope = {"type": "http", "method": "POST", "path": "/api/v1/conversations/import", "headers": [], "query_string": b""}
    asyncio.run(Site(get_asgi_application())(scope, receive, send))
    assert (sent[0]["status"], json.loads(sent[1]["body"])["code"]) == (507, "no_room")
    # Django leaves the half-written body to the garbage collector, which would tell of it in whatever test runs then.
    gc.collect()


def test_a_disk_that_does_not_answer_keeps_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    answered = threading.Event()
    monkeypatch.setattr(disk, "LONGEST_SECONDS", 0.1)
    monkeypatch.setattr(disk, "_write", lambda folder: answered.wait(30))
    assert not disk.takes_writes(tmp_path)
    assert not disk.takes_writes(tmp_path), "and no second one waits behind it"
    assert sum(thread.name == "try-disk" for thread in threading.enumerate()) == 1
    answered.set()
