"""The first day of two people who have no repository: the commands of docs/first-day.md with the output that stands there.

One line from the page each; a session recorded in one tool, handed off, and gone on from by somebody else in another tool.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import Client as Browser

from continuity.client.main import DONE
from tests.client.hooked import end_recorders
from tests.client.sessions import lines
from tests.distribution.bare import run
from tests.documented import as_written, written
from tests.platform.running import eventually

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team, User

DOCUMENT = Path(__file__).parents[2] / "docs" / "first-day.md"
ADDRESS, CODE = "http://127.0.0.1:8000", "7K2M-9XQF-3DHT-V0BN"
RULE = "Never publish a tide table in feet, always in metres."
MINUTES = 3

pytestmark = pytest.mark.processes


class Person:
    """A home of their own, with nothing in it but a tool's folder."""

    def __init__(self, home: Path, project: Path, server: LiveServer, user: User, tool: str) -> None:
        self.home, self.project, self.server, self.user = home, project, server, user
        (home / tool).mkdir(parents=True)
        (home / "bin").mkdir()
        (home / "bin" / "python3").symlink_to(sys.executable)

    def path(self) -> str:
        return f"{self.home / '.local' / 'bin'}:{self.home / 'bin'}:/usr/bin:/bin"

    def code(self) -> str:
        """The code in the line that the page makes."""
        browser = Browser()
        browser.force_login(self.user)
        shown = browser.post("/client/", headers={"host": self.server.url.removeprefix("http://")}).content.decode()
        found = re.search(rf"setup {re.escape(self.server.url)} --code (\S+?)</pre>", shown)
        assert found, "the page's line has the address that the browser used, and a code"
        return found[1]

    def does(self, command: str) -> str:
        # Both outputs as a terminal shows them: in their order.
        told = run(self.project, "sh", "-c", f"exec 2>&1; {command}", HOME=str(self.home), PATH=self.path(), CONTINUITY_HOOK_MS="60000")
        assert told.returncode == DONE, f"{command}\n{told.stdout}"
        return told.stdout

    def hook(self, settings: Path, event: str, session: Path) -> str:
        """What the tool's own settings run at this event: what that tells the person, and what it adds to the session."""
        [entry] = json.loads(settings.read_text())["hooks"][event][-1]["hooks"]
        payload = {"hook_event_name": event, "session_id": session.stem, "transcript_path": str(session), "cwd": str(self.project)}
        told = self.does(f"printf %s {shlex.quote(json.dumps(payload))} | {entry['command']}")
        answer = json.loads(told) if "hookSpecificOutput" in told else {"hookSpecificOutput": {"additionalContext": ""}}
        return f"{answer.get('systemMessage', '')}\n{answer['hookSpecificOutput']['additionalContext']}".strip()


def session_of(person: Person) -> Path:
    """What Ada says in Claude Code, as it writes it."""
    path = person.home / ".claude" / "projects" / "tides" / "s1.jsonl"
    path.parent.mkdir(parents=True)
    answers = {"n2": "The page is built, with heights in metres.", "n4": "The README has its first part; the table of harbours is missing."}
    words = lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}", n3="Now the README.", **answers)
    path.write_bytes(words.replace(b"/srv/tides", str(person.project).encode()))
    return path


def test_it_works(transactional_db: None, team: Team, owner: User, teammate: User, live_server: LiveServer, tmp_path: Path) -> None:
    began = time.monotonic()
    project = tmp_path / "tides"
    project.mkdir()
    ada = Person(tmp_path / "ada", project, live_server, owner, ".claude")
    ben = Person(tmp_path / "ben", project, live_server, teammate, ".codex")
    people, doing = {"ada": ada, "ben": ben}, list(written(DOCUMENT))
    assert [who for who, _, _ in doing] == ["ada"] * 4 + ["ben"] * 2
    try:
        for number, (who, command, output) in enumerate(doing):
            person = people[who]
            if number == 1:
                session, settings = session_of(ada), ada.home / ".claude" / "settings.json"
                for event in ("SessionStart", "Stop", "SessionEnd"):
                    ada.hook(settings, event, session)
                assert eventually(lambda: "are with the server" in ada.does("continuity doctor"), seconds=60)
            if number == 5:
                context = ben.hook(ben.home / ".codex" / "hooks.json", "SessionStart", ben.home / "rollout-2026-11-24.jsonl")
                assert RULE in context, "Ben's session begins with what Ada handed over"
                assert f"resumes a handoff of {owner} (" in context, "and he is told from whom it is"
            real = command.replace(ADDRESS, live_server.url).replace(CODE, person.code() if CODE in command else CODE)
            told = person.does(real).replace(live_server.url, ADDRESS).replace(str(project), "/srv/tides")
            if os.environ.get("CONTINUITY_SHOW"):
                sys.stderr.write(f"$ {command}\n{told}")
            else:
                assert as_written(output).fullmatch(told), f"{command}\n{told}"
    finally:
        for person in people.values():
            end_recorders(home=person.home / ".continuity")
    assert time.monotonic() - began < MINUTES * 60
