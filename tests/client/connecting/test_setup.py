"""From nothing to a client that records: with a code, with a key, and out again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from continuity import releases
from continuity.client import connection, credentials
from continuity.client.client import Client
from continuity.client.connection import Refused, ServerTooOld
from continuity.client.main import DONE, FAILED, NO_KEY
from continuity.models import ApiKey
from continuity.services.accounts import client_codes
from tests.client.hooked import record_all
from tests.distribution.bare import run

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team, User

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def stranger(transactional_db: None, team: Team, live_server: LiveServer) -> LiveServer:
    """The server, of which this home knows nothing yet."""
    return live_server


@pytest.fixture
def code(stranger: LiveServer, team: Team, teammate: User) -> str:
    return client_codes.create(team=team, by=teammate, now=timezone.now())[1]


def test_it_works(code: str, stranger: LiveServer, team: Team, home: Path, tmp_path: Path) -> None:
    """The line of the page, run by a shell in a home where nothing is but a tool."""
    (home / ".claude").mkdir()
    (home / "bin").mkdir()
    (home / "bin" / "python3").symlink_to(sys.executable)
    fetched = f"{sys.executable} -c \"import urllib.request as u; u.urlretrieve('{stranger.url}/client/continuity.pyz', 'continuity.pyz')\""
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    done = run(home, "sh", "-c", f"{fetched} && python3 continuity.pyz setup {stranger.url} --code {code} --yes", PATH=path)
    assert (done.returncode, done.stderr) == (DONE, "")
    assert f"Logged in to {stranger.url} as " in done.stdout
    assert f'export PATH="{home / ".local" / "bin"}:$PATH"' in done.stdout
    assert json.loads((home / ".claude" / "settings.json").read_text())["hooks"]["Stop"]
    (home / "continuity.pyz").unlink()
    told = run(home, home / ".local" / "bin" / "continuity", "doctor")
    assert "the key (from login) is good" in told.stdout
    assert "claude-code: hooks installed" in told.stdout
    assert "open to others" not in told.stdout
    assert (home / ".continuity" / "credentials.json").stat().st_mode & 0o777 == 0o600


def test_a_code_is_of_no_use_again_and_the_first_key_stays(code: str, stranger: LiveServer, said: Said) -> None:
    assert said("login", stranger.url, "--code", code)[0] == DONE
    before = credentials.find().key
    status, _, told = said("login", stranger.url, "--code", code)
    assert (status, "Make another on the page /client/" in told) == (FAILED, True)
    assert credentials.find().key == before


def test_the_line_that_is_pasted_once_more_goes_on_with_the_key_that_it_brought(
    code: str, stranger: LiveServer, said: Said, home: Path
) -> None:
    """Also where the first time put in no hooks: nobody was asked, or somebody said no."""
    (home / ".claude").mkdir()
    assert "Nothing was written" in said("setup", stranger.url, "--code", code)[1]
    before = credentials.find().key
    status, told, errors = said("setup", stranger.url, "--code", code, "--yes")
    assert (status, "The key that is here already is good" in errors) == (DONE, True)
    assert f"Logged in to {stranger.url}" in told
    assert credentials.find().key == before
    assert (home / ".claude" / "settings.json").exists()
    said("logout", "--revoke")
    assert said("setup", stranger.url, "--code", code, "--yes")[0] != DONE, "there is no key that it could go on with"


def test_the_address_of_the_page_is_taken_for_the_server_s(code: str, stranger: LiveServer, said: Said) -> None:
    assert said("login", f"{stranger.url}/client/", "--code", code)[0] == DONE
    assert credentials.find().url == stranger.url


def test_setup_with_a_key(server: LiveServer, said: Said) -> None:
    status, told, _ = said("setup", server.url, "--key", os.environ["CONTINUITY_API_KEY"], "--no-hooks")
    assert status == DONE
    assert "CONTINUITY_API_KEY is set, and goes before it." in told


def test_what_is_refused_by_one_tool_is_told_and_keeps_nothing_else_back(code: str, stranger: LiveServer, home: Path, said: Said) -> None:
    for name in (".claude", ".codex"):
        (home / name).mkdir()
    (home / ".claude" / "settings.json").write_text("{")
    status, _, errors = said("setup", stranger.url, "--code", code, "--yes")
    assert status == DONE
    assert "is no JSON" in errors
    assert (home / ".codex" / "hooks.json").exists()


def test_logout_forgets_the_key(code: str, stranger: LiveServer, said: Said, home: Path) -> None:
    said("login", stranger.url, "--code", code)
    key = credentials.find().key
    status, told, _ = said("logout")
    assert (status, "it still works" in told) == (DONE, True)
    assert not (home / ".continuity" / credentials.FILE).exists()
    assert Client(stranger.url, key).conversations() == []
    assert said("status")[0] == NO_KEY
    assert said("logout")[0] == FAILED


def test_logout_ends_the_key_where_asked(code: str, stranger: LiveServer, said: Said) -> None:
    said("login", stranger.url, "--code", code)
    assert said("logout", "--revoke")[0] == DONE
    assert ApiKey.objects.get().revoked_at


def test_a_client_that_is_too_old_keeps_what_it_has_and_is_told(
    server: LiveServer, said: Said, monkeypatch: pytest.MonkeyPatch, tide_session: Path
) -> None:
    monkeypatch.setattr(connection, "AGENT", f"{releases.AGENT}/0.0.9")
    with pytest.raises(Refused) as refused:
        Client().conversations()
    assert refused.value.code == "client_too_old"
    record_all(tide_session)
    _, told, _ = said("doctor")
    assert f"versions: This client has version 0.0.9, and this server understands {releases.OLDEST_CLIENT} and newer ones" in told
    assert f"get the present client from {server.url}/client/" in told
    assert "1 batch waiting" in told
    monkeypatch.undo()


def test_a_server_that_is_too_old_is_told_as_such(server: LiveServer, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(releases, "OLDEST_SERVER", "99.0.0")
    with pytest.raises(ServerTooOld):
        Client().conversations()
    status, told, _ = said("doctor")
    assert status == FAILED
    assert "and this client needs 99.0.0 or a newer one" in told


def test_other_programs_are_let_in_whatever_they_call_themselves(server: LiveServer) -> None:
    asked = ["-H", f"Authorization: Bearer {os.environ['CONTINUITY_API_KEY']}", f"{server.url}/api/v1/conversations"]
    for agent in ("curl/8", "continuity-client", "continuity-client/", "continuity-client/zero"):
        ended = subprocess.run(["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", "-A", agent, *asked], capture_output=True, check=True)
        assert ended.stdout == b"200"


def test_setup_for_programs_puts_the_hooks_in_where_it_was_told_to(code: str, stranger: LiveServer, home: Path, said: Said) -> None:
    (home / ".claude").mkdir()
    told = json.loads(said("setup", stranger.url, "--code", code, "--json", "--yes")[1])
    assert (told["tools"], told["hooks_in"]) == (["claude-code"], ["claude-code"])
    assert json.loads((home / ".claude" / "settings.json").read_text())["hooks"]["Stop"]


def test_doctor_tells_of_a_latest_session_that_was_erased(server: LiveServer, said: Said, tide_session: Path) -> None:
    conversation = record_all(tide_session).conversation
    assert "6 messages of the latest session" in said("doctor")[1]
    Client().erase(conversation)
    assert "is no longer with the server: it was erased there" in said("doctor")[1]
