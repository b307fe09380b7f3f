"""Forgetting one session: nothing more of it is sent, and what the server has is erased, where one may."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.main import DONE, FAILED
from continuity.client.recording import progress
from continuity.client.recording.spool import Spool
from continuity.models import Team
from continuity.services.accounts import apikeys
from tests.client.hooked import record_all
from tests.client.sessions import grow, lines

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def conversation(client: Client, tide_session: Path) -> str:
    return record_all(tide_session).conversation


def test_it_works(conversation: str, client: Client, said: Said, tide_session: Path) -> None:
    assert said("forget", "--yes")[0] == DONE
    with pytest.raises(Refused) as refused:
        client.conversation(conversation)
    assert refused.value.status in (404, 410)
    grow(tide_session, lines("s1", 7, 8))
    record_all(tide_session)
    assert client.conversations() == []
    assert Spool().count() == 0
    assert "Never publish" in tide_session.read_text(), "the tool's own file is the person's"


def test_it_asks_first(conversation: str, client: Client, said: Said) -> None:
    status, _, told = said("forget")
    assert (status, "nothing was forgotten" in told) == (FAILED, True)
    assert client.conversation(conversation)


def test_only_here(conversation: str, client: Client, said: Said, tide_session: Path) -> None:
    before = client.conversation(conversation)["message_count"]
    assert said("forget", "--here", "--yes")[0] == DONE
    grow(tide_session, lines("s1", 7, 8))
    record_all(tide_session)
    assert client.conversation(conversation)["message_count"] == before
    assert progress.everything() == []


def test_who_may_not_erase_is_told_who_may(
    conversation: str, client: Client, said: Said, team: Team, monkeypatch: pytest.MonkeyPatch, tide_session: Path
) -> None:
    monkeypatch.setenv("CONTINUITY_API_KEY", apikeys.issue(team=team, name="member", scopes=["read", "write"])[1])
    status, _, told = said("forget", conversation, "--yes")
    assert status == FAILED
    assert "nothing more of it is sent, but the server keeps what it has" in told
    assert f"/conversations/{conversation}" in told
    grow(tide_session, lines("s1", 7, 8))
    before = client.conversation(conversation)["message_count"]
    record_all(tide_session)
    assert client.conversation(conversation)["message_count"] == before


def test_its_agents_files_are_forgotten_with_it(conversation: str, client: Client, said: Said, tide_session: Path) -> None:
    agents = tide_session.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-1.jsonl").write_bytes(lines("s1", 20, 22))
    assert json.loads(said("forget", "--yes", "--json")[1])["left"] == ""
    record_all(agents / "agent-1.jsonl")
    assert client.conversations() == []
