"""Forgetting one session: nothing more of it is sent, and what the server has is erased, where one may."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from continuity.client import offers
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.hooks import session
from continuity.client.main import AWAY, DONE, FAILED
from continuity.client.recording import progress
from continuity.client.recording.spool import Spool
from continuity.models import Conversation, Membership, Role, Team, User
from continuity.services.accounts import accounts, apikeys, client_codes
from tests.cast import person
from tests.client.hooked import record_all
from tests.client.sessions import grow, lines
from tests.factories import ConversationFactory

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

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


@pytest.mark.parametrize("named", ["00000000-0000-4000-8000-000000000000", "nonsense", "a b", "?", "../handoffs"])
def test_what_never_was_a_session_is_not_said_to_be_forgotten(client: Client, said: Said, named: str) -> None:
    for words in (("--yes",), ("--yes", "--here")):
        status, told, errors = said("forget", named, *words)
        assert (status, told) == (FAILED, "")
        assert f"there is no session {named}" in errors


def test_what_somebody_else_recorded_in_this_folder_has_to_be_named(client: Client, said: Said) -> None:
    other = client.open(source_tool="codex", external_id="of-others", cwd=str(Path.cwd()))
    status, _, told = said("forget", "--yes")
    assert (status, "no session of this folder was recorded here" in told) == (FAILED, True)
    assert client.conversation(other)
    assert said("forget", other, "--yes")[0] == DONE
    assert client.conversations() == []


def test_a_session_that_the_server_never_had_is_forgotten_too(
    client: Client, said: Said, tide_session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = os.environ["CONTINUITY_URL"]
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    record_all(tide_session)
    assert Spool().count() == 1
    status, told, _ = said("forget", "--yes")
    assert status == DONE
    assert told.splitlines()[-1].startswith("“Please build the tide page. Never publish a tide table in feet")
    assert told.endswith("” is forgotten here; nothing of it was sent. The tool's own file of the session stays.\n")
    monkeypatch.setenv("CONTINUITY_URL", url)
    record_all(tide_session)
    assert (Spool().count(), client.conversations()) == (0, [])


def test_a_server_that_is_away_is_told_and_asked_again(
    conversation: str, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = os.environ["CONTINUITY_URL"]
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    status, _, told = said("forget", "--yes")
    assert (status, f"`continuity forget {conversation}` tries again" in told) == (AWAY, True)
    assert progress.everything() == []
    monkeypatch.setenv("CONTINUITY_URL", url)
    assert said("forget", conversation, "--yes")[0] == DONE
    assert client.conversations() == []


def test_none_of_its_words_stay_here(conversation: str, client: Client, said: Said, tide_session: Path, home: Path) -> None:
    agents = tide_session.with_suffix("") / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-1.jsonl").write_bytes(lines("s1", 20, 22))
    record_all(agents / "agent-1.jsonl")
    words = "Never publish a tide table in feet"
    Path(session.package_lines_path(str(tide_session))).write_text(words)
    Path(offers.file_of(str(Path.cwd()))).write_text(words)
    assert said("forget", "--yes")[0] == DONE
    kept = [path for path in (home / ".continuity").rglob("*") if path.is_file()]
    assert not [path for path in kept if words in path.read_text() or "build the tide page" in path.read_text()]


@pytest.mark.parametrize(("role", "ends"), [(Role.OWNER, DONE), (Role.OPERATOR, DONE), (Role.MEMBER, FAILED)])
def test_a_key_of_the_page_erases_what_its_maker_recorded_where_they_may(
    role: Role, ends: int, server: LiveServer, said: Said, team: Team, owner: User, tide_session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = ConversationFactory.create(team=team, title="Somebody else's")
    if role != Role.OWNER:
        accounts.add_member(team=team, user=person("second"), role=Role.OWNER)  # A team always has one.
        Membership.objects.filter(team=team, user=owner).update(role=role)
    code = client_codes.create(team=team, by=owner, now=timezone.now())[1]
    monkeypatch.delenv("CONTINUITY_API_KEY")
    assert said("login", server.url, "--code", code)[0] == DONE
    conversation = record_all(tide_session).conversation
    status, told, errors = said("forget", "--yes")
    assert (status, Conversation.objects.filter(id=conversation).exists()) == (ends, ends == FAILED), told + errors
    if ends == DONE:
        assert said("forget", conversation, "--yes")[0] == FAILED, "there is none of it any more"
    assert said("forget", str(other.id), "--yes")[0] == FAILED, "the key of somebody who only records"
    assert Conversation.objects.filter(id=other.id).exists()
