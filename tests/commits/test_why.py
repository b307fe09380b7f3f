"""Work tied to commits: which session made one, from the files of git alone up to `continuity why` and the page."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import Client as Browser

from continuity.client.commands.tools import trailer
from continuity.client.light import git_head
from continuity.client.main import DONE, FAILED
from continuity.client.setup import commit_hook, launching
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations, heads
from tests import words
from tests.client.conftest import client, home, said, server
from tests.client.hooked import hook, occupy, record_all
from tests.client.sessions import lines
from tests.factories import ConversationFactory

if TYPE_CHECKING:
    from continuity.client.client import Client
    from continuity.models import Team, User

__all__ = ["client", "home", "said", "server"]

Said = Callable[..., tuple[int, str, str]]
REQUEST = "Please sort the harbours. We decided: harbours are sorted from north to south, as the charts are."


def git(folder: Path, *words: str) -> str:
    about = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *about, *words], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def committed(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    git(folder, "add", name)
    git(folder, "commit", "-q", "-m", f"Write {name}")
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tides"
    folder.mkdir()
    git(folder, "init", "-q")
    monkeypatch.chdir(folder)
    return folder


def session(folder: Path, first: int, last: int, **words: str) -> bytes:
    """Messages of a session that works there now."""
    now = datetime.now(UTC)
    told = [json.loads(line) for line in lines("s1", first, last, **words).splitlines()]
    return b"".join(json.dumps({**each, "cwd": str(folder), "timestamp": now.isoformat()}).encode() + b"\n" for each in told)


def test_it_works(work: Path, client: Client, said: Said, tmp_path: Path) -> None:
    begun = committed(work, "table.txt", "one\n")
    path = tmp_path / "s1.jsonl"
    path.write_bytes(session(work, 1, 3, n1=REQUEST))
    record_all(path)
    unseen = committed(work, "harbours.txt", "north\nsouth\n")
    seen = committed(work, "table.txt", "one\ntwo\n")
    with path.open("ab") as stream:
        stream.write(session(work, 4, 6))
    recorded = record_all(path)
    later = committed(work, "later.txt", "three\n")

    found = client.reasons([seen])
    assert [(each["commit"], each["before"], each["conversation_id"]) for each in found] == [(seen, begun, recorded.conversation)]
    for asked in (seen, seen[:10], unseen, "harbours.txt", "harbours.txt:2", "table.txt:2"):
        status, told, errors = said("why", asked)
        assert (status, errors) == (DONE, ""), asked
        assert "Please sort the harbours" in told
        assert recorded.conversation in told
    for outside in (begun, later, "table.txt:1"):
        status, _, errors = said("why", outside)
        assert (status, "no recorded session" in errors) == (FAILED, True), outside
    status, _, errors = said("why", "nothing.txt")
    assert (status, "no commit is called nothing.txt" in errors) == (FAILED, True)


def test_a_commit_that_names_its_session_tells_it(work: Path, client: Client, said: Said, tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(session(work, 1, 2, n1=REQUEST))
    conversation = record_all(path).conversation
    committed(work, "table.txt", "one\n")
    git(work, "commit", "-q", "--amend", "-m", f"Write it\n\n{trailer.NAME}: {conversation}")
    status, told, _ = said("why", "HEAD", "--json")
    assert status == DONE
    [reason] = json.loads(told)["reasons"]
    assert reason["conversation_id"] == conversation
    assert "Please sort the harbours" in reason["request"]


def test_the_hook_stands_in_no_commit_s_way_and_goes_as_it_came(work: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "PROGRAM", "continuity-of-no-environment")
    path = work / ".git" / "hooks" / "prepare-commit-msg"
    theirs = '#!/bin/sh\n# mine\necho "Team: harbour" >> "$1"\nexit 0\n'
    path.write_text(theirs)
    path.chmod(0o755)
    assert said("install", "git", "--yes")[0] == DONE
    assert said("install", "git", "--yes")[1].endswith("nothing to change.\n")
    assert committed(work, "a.txt", "a\n"), "no session is live, no server is there: the commit is made"
    assert "Team: harbour" in git(work, "log", "-1", "--format=%B"), "theirs still runs"
    assert said("uninstall", "git", "--yes")[0] == DONE
    assert path.read_text() == theirs
    path.unlink()
    assert said("install", "git", "--yes")[0] == DONE
    monkeypatch.setattr(commit_hook, "_line", lambda: '/nowhere/continuity trailer "$@" >/dev/null 2>&1 </dev/null || :')
    assert said("install", "git", "--yes")[0] == DONE
    assert committed(work, "b.txt", "b\n"), "not even where the client is gone"
    assert said("uninstall", "git", "--yes")[0] == DONE
    assert not path.exists()


def test_head_is_read_as_git_reads_it(work: Path) -> None:
    assert git_head.of(str(work)) == ""
    first = committed(work, "a.txt", "a\n")
    (work / "deep").mkdir()
    assert git_head.of(str(work / "deep")) == first
    git(work, "pack-refs", "--all")
    assert git_head.of(str(work)) == first
    git(work, "worktree", "add", "-q", "../other", "-b", "other")
    second = committed(work.parent / "other", "b.txt", "b\n")
    assert (git_head.of(str(work.parent / "other")), git_head.of(str(work))) == (second, first)
    git(work, "checkout", "-q", "--detach")
    assert git_head.of(str(work)) == first
    assert git_head.of("/") == ""
    (work / ".git" / "HEAD").write_text("ref: refs/../../../etc/passwd\n")
    assert git_head.of(str(work)) == ""
    (work / ".git" / "HEAD").unlink()
    os.mkfifo(work / ".git" / "HEAD")
    assert git_head.of(str(work)) == "", "nobody waits for a pipe"


def test_the_page_of_a_conversation_lists_them(work: Path, client: Client, tmp_path: Path, owner: User) -> None:
    committed(work, "table.txt", "one\n")
    path = tmp_path / "s1.jsonl"
    path.write_bytes(session(work, 1, 2, n1=REQUEST))
    record_all(path)
    seen = committed(work, "table.txt", "two\n")
    with path.open("ab") as stream:
        stream.write(session(work, 3, 4))
    browser = Browser()
    browser.force_login(owner)
    conversation = record_all(path).conversation
    shown = browser.get(f"/conversations/{conversation}").content.decode()
    assert f"<code>{seen[:12]}</code>" in shown
    assert "when recording began" in shown
    why = f"/conversations/{conversation}/commits/{seen}"
    assert f'hx-get="{why}"' in shown
    [reason] = client.reasons([seen])
    assert reason["request"]
    for answer in (browser.get(why), browser.get(why, headers={"HX-Request": "true"})):
        told = answer.content.decode()
        assert reason["request"] in told
        assert f'<a href="/conversations/{conversation}/messages?at=' in told
    assert browser.get(f"/conversations/{conversation}/commits/{'0' * 40}").status_code == 404

    for typed, finds in ((seen[:7], True), (seen.upper(), True), (seen[:6], False), ("0" * 40, False)):
        for page in (browser.get("/search/", {"q": typed}), browser.get("/conversations", {"q": typed})):
            assert (f'href="/conversations/{conversation}' in page.content.decode()) is finds, typed


def test_a_commit_is_listed_with_its_subject_where_the_session_told_it(team: Team, owner: User) -> None:
    conversation = ConversationFactory.create(team=team)
    call = words.called("Bash", {"command": "git commit -m 'Sort the harbours'"}, call_id="c1")
    made = words.resulted("[main c0ffee1] Sort the harbours\n 1 file changed, 1 insertion(+)", call_id="c1")
    conversations.append(team=team, conversation_id=conversation.id, messages=[words.said("Please sort them."), call, made])
    heads.note(conversation=conversation, commit="c0ffee1" * 5)
    fold_runner.catch_up(conversation_id=conversation.id)
    browser = Browser()
    browser.force_login(owner)
    shown = browser.get(f"/conversations/{conversation.id}").content.decode()
    assert f"<code>{'c0ffee1' * 5:.12}</code> Sort the harbours<" in shown


def test_a_commit_of_a_live_session_names_it(
    work: Path, client: Client, said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launching, "PROGRAM", "continuity-of-no-environment")
    path = tmp_path / "s1.jsonl"
    path.write_bytes(session(work, 1, 2, n1=REQUEST))
    holding = occupy()
    hook("Stop", path, cwd=str(work))  # Its tool is whoever runs these tests, and so is the commit's.
    conversation = record_all(path).conversation
    holding.release()
    assert said("install", "git", "--yes")[0] == DONE
    committed(work, "table.txt", "one\n")
    assert f"Write table.txt\n\n{trailer.NAME}: {conversation}" in git(work, "log", "-1", "--format=%B")
