"""Packs reach a session through its hooks: prepared beside them, given once, gone on with deltas; late or never, nothing waits."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client.client import Client
from continuity.client.hooks.dispatch import EVENTS
from continuity.client.light import packs
from continuity.client.main import DONE, main
from continuity.client.packs import preparing
from tests.client.hooked import hook, occupy
from tests.client.sessions import CWD, lines
from tests.packs.place import commit, fingerprint, git, repository, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

RULE = "Never publish a tide table in feet, always in metres."
ASKED = "Mend parse_header in src/parser.py"


class Worked:
    """A session in a repository whose team gives packs; its recorder is this test."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree, self.path = tree, folder / "s1.jsonl"

    def record(self, upto: int = 6, said: str = "Please build the tide page.") -> None:
        self.path.write_bytes(lines(self.path.stem, 1, upto, n1=said).replace(CWD.encode(), str(self.tree).encode()))
        assert main(["push", str(self.path)]) == DONE

    def hook(self, event: str, **fields: Any) -> str:
        return hook(event, self.path, cwd=str(self.tree), **fields)

    def asks(self, prompt: str = ASKED, **fields: Any) -> str:
        """What the prompt is answered with, and what the next tool call is when packs were prepared meanwhile."""
        told = self.hook("UserPromptSubmit", prompt=prompt, **fields)
        preparing.prepare(str(self.path), Client())
        return told + self.hook("PostToolUse")


@pytest.fixture
def worked(server: LiveServer, team: Team, tmp_path: Path) -> Iterator[Worked]:
    from tests.packs.server.world import give

    give(team)
    claim = occupy()
    found = Worked(repository(tmp_path / "r"), tmp_path)
    found.record()
    yield found
    claim.release()


def test_it_works(worked: Worked) -> None:
    before = fingerprint(worked.tree)
    worked.hook("SessionStart", source="startup")
    told = worked.asks()
    assert "About this repository" in told and "1. src/parser.py" in told
    assert worked.hook("PostToolUse") == "", "once"
    assert fingerprint(worked.tree) == before
    write(worked.tree, src__parser_dot_py="def parse_header(line):\n    return line.strip()\n")
    changed = fingerprint(worked.tree)
    again = worked.asks("and strip it")
    assert "What changed" in again and "src/parser.py (changed: +1 -1 lines)" in again
    assert "About this repository" not in again and "Files for this request" not in again
    assert fingerprint(worked.tree) == changed, "whatever hooks do, the repository is only read"


def test_a_session_begins_with_the_anchor_and_a_compacted_one_gets_all_again(worked: Worked) -> None:
    """Each start has an id of its own: the same event of the same session within two seconds is answered once."""
    assert worked.hook("SessionStart", source="startup", session_id="a") == "", "nobody was asked yet whether the team gives any"
    worked.asks()
    assert "About this repository" in worked.hook("SessionStart", source="startup", session_id="b")
    assert "About this repository" in worked.hook("SessionStart", source="compact", session_id="c")
    told = worked.asks()
    assert "Files for this request" in told and "About this repository" not in told, "the Anchor was given as it began anew"


def test_a_handoff_and_the_anchor_share_a_hook(worked: Worked, tmp_path: Path) -> None:
    checked = "before its datum and all readings of it since the storm were checked by two people who know that coast well"
    rules = {f"n{n}": f"Never publish station {n} {checked}, number {7 * n} included." for n in range(1, 240, 2)}
    worked.asks()
    long = tmp_path / "s3.jsonl"
    long.write_bytes(lines("s3", 1, 240, **rules).replace(CWD.encode(), str(worked.tree).encode()))
    assert main(["push", str(long)]) == DONE
    client = Client()
    [conversation] = client.conversations(external_id="s3")
    client.prepare(str(conversation["id"]), budget=12_000)
    told = hook("SessionStart", tmp_path / "s2.jsonl", cwd=str(worked.tree), source="startup")
    assert told.startswith("About this repository"), "the Anchor first"
    assert "--- SESSION CONTINUATION ---" in told and "--- END CONTINUATION ---" in told
    assert "lines did not fit here" in told
    assert 6_500 < len(told) <= packs.LIMIT
    assert "\nAt hand, as told above:\n- The user asked" in told


def test_contents_leave_the_machine_only_where_the_team_lets_them(worked: Worked, team: Team) -> None:
    from tests.packs.server.world import give

    write(worked.tree, src__parser_dot_py="def parse_header(line):\n    return peculiar\n")
    assert "peculiar" not in worked.asks()
    give(team, contents=True)
    assert "+     return peculiar" in worked.asks()
    assert "Never edit generated files" in worked.hook("SessionStart", source="startup", session_id="b")


def test_passive_gives_nothing_and_off_is_not_asked_again(worked: Worked, team: Team) -> None:
    from handoffs.models import PackSession
    from tests.packs.server.world import give

    give(team, "passive")
    assert worked.asks() == ""
    assert PackSession.objects.get().would_bytes > 0
    give(team, "off")
    assert worked.asks() == ""
    assert packs.is_off()
    worked.hook("UserPromptSubmit", prompt=ASKED)
    assert not Path(packs.place("wished", str(worked.path))).exists()


def test_what_is_late_or_names_a_file_that_went_is_not_given(worked: Worked) -> None:
    worked.hook("UserPromptSubmit", prompt=ASKED)
    assert worked.hook("PostToolUse") == "", "not prepared yet"
    preparing.prepare(str(worked.path), Client())
    (worked.tree / "src" / "parser.py").unlink()
    assert worked.hook("PostToolUse") == ""
    assert "src/parser.py (" not in worked.asks("again")


def test_a_server_that_is_away_breaks_nothing(worked: Worked, monkeypatch: pytest.MonkeyPatch) -> None:
    from continuity.client.connection import Away

    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    assert worked.hook("UserPromptSubmit", prompt=ASKED) == ""
    with pytest.raises(Away):
        preparing.prepare(str(worked.path), Client())
    assert worked.hook("PostToolUse") == ""


def test_no_hook_of_any_tool_writes_to_the_repository(worked: Worked, tmp_path: Path) -> None:
    """Refs, index, settings, work tree, those of a module and of another work tree: every byte, and when it was last changed."""
    tree = worked.tree
    git(tree, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository(tmp_path / "inner")), "below")
    git(tree, "worktree", "add", "-q", str(tmp_path / "w"), "HEAD~1")
    git(tree, "stash", "push", "-q", "--include-untracked")
    write(tree, src__printer_dot_py="changed = 1\n", new_dot_py="x = 1\n")
    git(tree, "add", "new.py")
    (tree / "src" / "parser.py").touch()  # Git would refresh its index, were it asked for a status.
    before = fingerprint(tree), fingerprint(tmp_path / "w")
    places = (tree, tree / "below", tree / "src", tmp_path / "w")
    for number, event in enumerate((*EVENTS, *["UserPromptSubmit", "PostToolUse"] * 3)):
        place = places[number % 4] if number < len(EVENTS) else places[1 + (number - len(EVENTS)) // 2]
        fields = {"prompt": ASKED, "source": "startup", "trigger": "auto", "session_id": f"{number}"}
        hook(event, worked.path, cwd=str(place), tool_name="Bash", **fields)
        preparing.prepare(str(worked.path), Client())
        assert (fingerprint(tree), fingerprint(tmp_path / "w")) == before, (event, place.name)


def test_every_state_of_a_repository_is_answered(worked: Worked, tmp_path: Path) -> None:
    worked.asks()
    tree = worked.tree
    git(tree, "checkout", "-q", "-b", "other")
    assert worked.asks("on a branch") is not None
    write(tree, src__new_dot_py="def fresh():\n    pass\n")
    assert "src/new.py" in worked.asks("a new file")
    commit(tree, "Add a fresh file")
    git(tree, "checkout", "-q", "main")
    write(tree, src__side_dot_py="side = 1\n")
    commit(tree, "Go another way")
    git(tree, "rebase", "-q", "main", "other")
    assert "Add a fresh file" in worked.asks("after a rebase") or "src/new.py" in worked.asks("after it")
    git(tree, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tree), "below")
    git(tree, "worktree", "add", "-q", str(tmp_path / "w"), "main")
    before = fingerprint(tree)
    for place in (tree, tmp_path / "w", tree / "below", tree / "src"):
        _asks_in(worked, place)
    assert fingerprint(tree) == before
    for name in ("bare", "empty"):
        (tmp_path / name).mkdir()
    git(tmp_path / "empty", "init", "-q")
    write(tmp_path / "bare", a_dot_py="def parse_header():\n    pass\n")
    for name in ("bare", "empty"):
        _asks_in(worked, tmp_path / name)


def _asks_in(worked: Worked, place: Path) -> None:
    hook("UserPromptSubmit", worked.path, cwd=str(place), prompt=ASKED)
    preparing.prepare(str(worked.path), Client())
    hook("PostToolUse", worked.path, cwd=str(place))


def test_what_the_team_erased_leaves_the_disk(worked: Worked, team: Team) -> None:
    worked.hook("UserPromptSubmit", prompt=ASKED)
    preparing.prepare(str(worked.path), Client())
    other = str(worked.path.with_name("s2.jsonl"))
    shutil.copy(packs.place("ready", str(worked.path)), packs.place("ready", other))
    from continuity.models import Conversation
    from handoffs.services.erasure import erasing

    session = Conversation.objects.get(external_id="s1")
    erasing.erase_words(team=team, conversation_id=session.id, words="tide page", by=erasing.By("x"))
    worked.hook("UserPromptSubmit", prompt="more")
    preparing.prepare(str(worked.path), Client())
    assert not Path(packs.place("ready", other)).exists()


def test_a_limit_of_the_provider_saves_tokens(worked: Worked) -> None:
    refused = {
        "type": "assistant",
        "isApiErrorMessage": True,
        "message": {"content": [{"type": "text", "text": "API Error: 529 overloaded"}]},
    }
    assert not preparing.is_limited(str(worked.path))
    with worked.path.open("a") as stream:
        stream.write(json.dumps(refused) + "\n")
    assert preparing.is_limited(str(worked.path))
    worked.asks()
    from handoffs.models import PackSession

    assert PackSession.objects.get().low_token
