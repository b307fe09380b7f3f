"""What `continuity why` tells of a commit: the request in force when it was made, and the page where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.test import Client as Browser

from continuity.client.commands.tools import trailer
from continuity.client.main import DONE
from tests.client.conftest import client, home, said, server
from tests.client.hooked import record_all
from tests.client.sessions import lines
from tests.commits.test_why import committed, git, work

if TYPE_CHECKING:
    from continuity.client.client import Client
    from continuity.models import User

__all__ = ["client", "home", "said", "server", "work"]

Said = Callable[..., tuple[int, str, str]]
FIRST = "Please sort the harbours. We decided: harbours are sorted from north to south, as the charts are."
SECOND = "Please draw the tides. We decided: tides are drawn in blue, as the charts are."


def session(folder: Path, first: int, last: int, later: float = 0, **words: str) -> bytes:
    """Messages of a session that works there, so many seconds from now."""
    at = {"cwd": str(folder), "timestamp": (datetime.now(UTC) + timedelta(seconds=later)).isoformat()}
    told = [json.loads(line) for line in lines("s1", first, last, **words).splitlines()]
    return b"".join(json.dumps(each | at).encode() + b"\n" for each in told)


@pytest.fixture
def recorded(work: Path, client: Client, tmp_path: Path) -> Path:
    """A session in which two messages were recorded, with a request; what came before is committed."""
    committed(work, "begun.txt", "one\n")
    path = tmp_path / "s1.jsonl"
    path.write_bytes(session(work, 1, 2, n1=FIRST))
    record_all(path)
    return path


def grow(path: Path, data: bytes) -> str:
    with path.open("ab") as stream:
        stream.write(data)
    return record_all(path).conversation


def test_it_works(recorded: Path, work: Path, said: Said, server: str, owner: User) -> None:
    committed(work, "table.txt", "one\n")
    conversation = grow(recorded, session(work, 3, 4, later=5, n3=SECOND))
    status, told, errors = said("why")
    assert (status, errors) == (DONE, "")
    assert "Please sort the harbours" in told
    assert "north to south" in told
    assert "draw" not in told, "that was asked for after the commit"
    [address] = re.findall(r"http\S+", told)
    assert address.partition("/conversations/")[2] == f"{conversation}/messages?at=1#m1"
    browser = Browser()
    browser.force_login(owner)
    assert 'id="m1"' in browser.get(f"/conversations/{conversation}/messages?at=1").content.decode()


def test_a_request_that_was_at_work_is_told(recorded: Path, work: Path, said: Said) -> None:
    grow(recorded, session(work, 3, 4, n3=SECOND))
    committed(work, "table.txt", "one\n")
    grow(recorded, session(work, 5, 6, later=5))
    told = said("why")[1]
    assert "Please draw the tides" in told
    assert "in blue" in told


@pytest.mark.parametrize(("last", "request_told"), [(3, "sort the harbours"), (4, "draw the tides")], ids=["begun", "at-work"])
def test_without_times_a_request_that_nothing_was_done_for_is_later(
    recorded: Path, work: Path, client: Client, last: int, request_told: str
) -> None:
    seen = committed(work, "table.txt", "one\n")
    grow(recorded, session(work, 3, last, n3=SECOND))
    [reason] = client.reasons([seen])
    assert request_told in reason["request"]
    assert all(each["seq"] <= (2 if last == 3 else 4) for each in reason["decisions"])


@pytest.mark.parametrize("named", [str(uuid4()), "f" * 36, "-" * 36, "no-session"], ids=["unknown", "letters", "dashes", "words"])
def test_a_named_session_that_is_not_there_hides_nothing(recorded: Path, work: Path, said: Said, named: str) -> None:
    git(work, "commit", "-q", "--allow-empty", "-m", f"Write it\n\n{trailer.NAME}: {named}")
    grow(recorded, session(work, 3, 4, later=5, n3=SECOND))
    status, told, errors = said("why")
    assert (status, "Please sort the harbours" in told) == (DONE, True)
    assert f"the commit names the session {named}, which is not there" in errors


def test_of_a_named_session_what_it_did_later_is_no_reason(recorded: Path, work: Path, said: Said) -> None:
    conversation = grow(recorded, session(work, 3, 4, later=5, n3=SECOND))
    git(work, "commit", "-q", "--amend", "-m", f"Write it\n\n{trailer.NAME}: {conversation}")
    status, told, errors = said("why")
    assert (status, errors) == (DONE, "")
    assert "Please sort the harbours" in told
    assert "draw" not in told
