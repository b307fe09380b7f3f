"""What a session is begun with where the server was busy, or where several handoffs of the folder are ready."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from continuity.client import offers
from continuity.client.client import Client
from continuity.client.recording.finding import FoundSession
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from continuity.client.recording.watching import Watcher
from tests.client.hooked import hook, occupy, record_all
from tests.client.sessions import CWD, grow, lines

RULE = "Never publish a tide table in feet, always in metres."
NOBODY = "http://127.0.0.1:9"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}"))
    return path


@pytest.fixture
def new(tmp_path: Path, client: Client) -> Iterator[Path]:
    """A session that somebody records already, so that no hook starts a recorder that outlives the test."""
    claims = [occupy(), occupy(NOBODY)]
    yield tmp_path / "s2.jsonl"
    for claim in claims:
        claim.release()


def test_it_works(old: Path, new: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.prepare(record_all(old).conversation)
    with monkeypatch.context() as away:
        away.setenv("CONTINUITY_URL", NOBODY)
        assert hook("SessionStart", new, source="startup") == ""
    told = hook("UserPromptSubmit", new, prompt="Go on")
    assert told.startswith("--- SESSION CONTINUATION ---")
    assert RULE in told
    [handoff] = client.handoffs(cwd=CWD)
    assert handoff["status"] == "resumed"
    assert f"`continuity expand a12 --handoff {handoff['id']}`" in told
    assert [each["cwd"] for each in client.conversations(external_id="s2")] == [CWD], "the session goes on from it"


def test_the_first_prompt_asks_only_once(old: Path, new: Path, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.prepare(record_all(old).conversation)
    with monkeypatch.context() as away:
        away.setenv("CONTINUITY_URL", NOBODY)
        hook("SessionStart", new, source="startup")
        assert hook("UserPromptSubmit", new, prompt="Go on") == ""
    assert hook("UserPromptSubmit", new, prompt="Go on") == ""
    assert client.handoffs(cwd=CWD)[0]["status"] == "ready"


def test_a_handoff_that_a_later_session_overtook_is_not_resumed(old: Path, new: Path, client: Client) -> None:
    conversation = record_all(old).conversation
    first = client.prepare(conversation)
    second = client.prepare(conversation)
    Sender(client, Spool(), print).fetch_offers([CWD])
    assert RULE in hook("SessionStart", new, source="startup")
    assert {each["id"]: each["status"] for each in client.handoffs(cwd=CWD)} == {first["id"]: "ready", second["id"]: "resumed"}
    assert client.handoffs(status="ready", cwd=CWD) == []
    assert hook("UserPromptSubmit", new, prompt="Go on") == "", "nor is it offered"
    assert hook("SessionStart", new.with_name("s3.jsonl"), source="startup") == ""


def test_what_was_handed_over_after_that_is(old: Path, new: Path, client: Client) -> None:
    client.prepare(record_all(old).conversation)
    hook("SessionStart", new, source="startup")
    grow(old, lines("s1", 5, 6, n5="And sort the harbours from north to south."))
    made = client.prepare(record_all(old).conversation)
    assert [each["id"] for each in client.handoffs(status="ready", cwd=CWD)] == [made["id"]]


def test_offers_are_fetched_as_soon_as_the_folder_is_known(old: Path, new: Path, client: Client) -> None:
    made = client.prepare(record_all(old).conversation)
    with closing(Watcher(lambda: [FoundSession(new, "claude-code")], Sender(client, Spool(), print), print)) as watcher:
        watcher.look()
        assert offers.known(CWD) == []
        new.write_bytes(lines("s2", 1, 2))
        while watcher.look():
            pass
        watcher._asking.join()  # It asks beside all else.
    assert [each["id"] for each in offers.known(CWD)] == [made["id"]]
