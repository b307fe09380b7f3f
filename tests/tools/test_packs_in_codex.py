"""Packs in Codex itself: given with what its tools answered, gone on with after a resumption; its repository is only read."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client import places
from continuity.client.main import DONE
from tests.packs.place import commit, fingerprint, git, repository
from tests.tools.conftest import last_words, say
from tests.tools.model import SAID, Model
from tests.tools.test_other_tools import CODEX, TOOLS, codex
from tests.tools.test_packs import ANCHOR, ASKED, CONTEXT, DELTA, dirty, no_commit, no_git, worktree

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.skipif(not TOOLS, reason="CONTINUITY_TOOLS names no folder of tools")]
Exec = Callable[..., str]
# What the model has run: it lasts until the packs are there, as work does.
UNTIL_READY = 'for i in $(seq 300); do for f in "{}"/*.json; do [ -e "$f" ] && exit; done; sleep 0.2; done'


@pytest.fixture
def told(
    server: LiveServer, team: Team, home: Path, project: Path, model: Model, said: Any, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Says something to `codex exec` in a folder; answers all that the model was given last."""
    from tests.packs.server.world import give

    give(team)
    codex(home, model.url, monkeypatch)
    monkeypatch.setenv("PATH", f"{TOOLS}:{os.environ['PATH']}")
    assert said("install", "codex", "--yes")[0] == DONE

    def run(tree: Path, words: str, *, again: bool = False, waits: bool = True) -> str:
        model.command = UNTIL_READY.format(places.folder("packs/ready")) if waits else ""
        how = ("resume", "--last") if again else ()
        assert SAID in say(f"{TOOLS}/codex", *CODEX, "--dangerously-bypass-approvals-and-sandbox", *how, words, cwd=tree)
        return last_words(model)

    return run


@pytest.mark.parametrize("kind", [repository, no_git, no_commit, worktree], ids=lambda kind: kind.__name__)
def test_it_works(kind: Callable[[Path], Path], told: Exec, project: Path, model: Model) -> None:
    tree = kind(project)
    before = fingerprint(tree)
    first = told(tree, ASKED)
    assert ANCHOR in first and CONTEXT in first and "1. src/parser.py" in first
    assert fingerprint(tree) == before, "whatever hooks do, the repository is only read"
    (tree / "src" / "parser.py").write_text("def parse_header(line):\n    return line.strip()\n")
    again = told(tree, "and strip it", again=True)
    assert (again.count(ANCHOR), again.count(CONTEXT)) == (1, 1), "both stand in the window"
    assert again.count(DELTA) == (2 if DELTA in first else 1)


def branch(tree: Path) -> None:
    git(tree, "checkout", "-q", "-b", "topic")
    dirty(tree)
    commit(tree, "Strip headers")


def test_another_branch_needs_its_files_again(told: Exec, project: Path) -> None:
    tree = repository(project)
    told(tree, ASKED)
    branch(tree)
    after = fingerprint(tree)
    again = told(tree, "go on", again=True)
    assert (again.count(ANCHOR), again.count(CONTEXT)) == (1, 2)
    assert "Strip headers" in again
    assert fingerprint(tree) == after


def test_the_next_session_begins_with_the_anchor(told: Exec, project: Path, model: Model) -> None:
    tree = repository(project)
    told(tree, ASKED)
    asked = len(model.asked)
    told(tree, "Print the header", waits=False)
    assert ANCHOR in str(model.asked[asked:]), "at its very start"


def test_a_server_that_is_away_stops_nobody(told: Exec, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    tree = repository(project)
    before = fingerprint(tree)
    for again in (False, True):
        words = told(tree, ASKED, again=again, waits=False)
        assert ASKED in words and ANCHOR not in words
    assert fingerprint(tree) == before
    assert not list(places.folder("packs/ready").iterdir())
