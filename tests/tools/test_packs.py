"""Packs in Claude Code itself, in repositories of all kinds: Anchor and Context, then what changed. Nothing waits, nothing is written.

It runs where `CONTINUITY_CLAUDE` names a `claude`, as for `test_claude_code`.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client import places
from continuity.client.main import DONE
from tests.packs.place import commit, fingerprint, git, repository, write
from tests.platform.running import eventually
from tests.tools.conftest import last_words
from tests.tools.model import Model

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

CLAUDE = os.environ.get("CONTINUITY_CLAUDE", "")

pytestmark = [
    pytest.mark.processes,
    pytest.mark.long,
    pytest.mark.skipif(not CLAUDE, reason="CONTINUITY_CLAUDE names no claude"),
]
ASKED = "Mend parse_header in src/parser.py"
MENDED = "def parse_header(line):\n    return line.strip()\n"
QUIET = ("DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_ERROR_REPORTING")
ANCHOR, CONTEXT, DELTA = "About this repository", "Files for this request", "What changed"


class Talk:
    """One session of Claude Code, prompt after prompt."""

    def __init__(self, tree: Path, *how: str) -> None:
        streamed = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
        self._tool = subprocess.Popen(
            [CLAUDE, "-p", *how, *streamed], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=tree
        )

    def say(self, words: str) -> None:
        assert self._tool.stdin and self._tool.stdout
        self._tool.stdin.write(json.dumps({"type": "user", "message": {"role": "user", "content": words}}) + "\n")
        self._tool.stdin.flush()
        for line in self._tool.stdout:
            if json.loads(line).get("type") == "result":
                return
        raise AssertionError("it ended")

    def end(self) -> None:
        assert self._tool.stdin and self._tool.stdout
        self._tool.stdin.close()
        self._tool.wait(60)
        self._tool.stdout.close()


@pytest.fixture
def talk(
    model: Model, server: LiveServer, team: Team, home: Path, project: Path, said: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[Path], Talk]]:
    from tests.packs.server.world import give

    give(team)
    (home / ".claude").mkdir()
    monkeypatch.setenv("PATH", f"{Path(CLAUDE).absolute().parent}:{os.environ['PATH']}")
    for name, value in {**dict.fromkeys(QUIET, "1"), "ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "sk-ant-none"}.items():
        monkeypatch.setenv(name, value)
    assert said("install", "claude-code", "--yes")[0] == DONE
    begun: list[Talk] = []

    def begin(tree: Path, *how: str) -> Talk:
        begun.append(Talk(tree, *how))
        return begun[-1]

    yield begin
    for each in begun:
        each.end()


def is_prepared(since: float = 0.0) -> bool:
    return any(path.stat().st_mtime >= since for path in places.folder("packs/ready").glob("*.json"))


def no_git(tree: Path) -> Path:
    write(tree, src__parser_dot_py=MENDED)
    return tree


def no_commit(tree: Path) -> Path:
    git(tree, "init", "-q", "-b", "main")
    return no_git(tree)


def submodule(tree: Path) -> Path:
    inner = repository(tree.parent / "inner")
    git(repository(tree), "submodule", "add", "-q", str(inner), "inner")
    commit(tree, "Take in the other one")
    return tree


def within_submodule(tree: Path) -> Path:
    return submodule(tree) / "inner"


def worktree(tree: Path) -> Path:
    other = tree.parent / "other"
    git(repository(tree), "worktree", "add", "-q", "-b", "aside", str(other))
    return other


KINDS = [repository, no_git, no_commit, submodule, within_submodule, worktree]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_it_works(kind: Callable[[Path], Path], talk: Callable[[Path], Talk], project: Path, model: Model) -> None:
    tree = kind(project)
    before = fingerprint(tree)
    session = talk(tree)
    session.say(ASKED)
    assert CONTEXT not in last_words(model), "nothing waits for them"
    assert eventually(is_prepared, seconds=60)
    session.say("and strip it")
    told = last_words(model)
    assert CONTEXT in told and "1. src/parser.py" in told
    assert fingerprint(tree) == before, "whatever hooks do, the repository is only read"


def dirty(tree: Path) -> None:
    write(tree, src__parser_dot_py=MENDED)


def branch(tree: Path) -> None:
    git(tree, "checkout", "-q", "-b", "topic")
    dirty(tree)
    commit(tree, "Strip headers")


def rebase(tree: Path) -> None:
    git(tree, "checkout", "-q", "-b", "topic", "HEAD~1")
    dirty(tree)
    commit(tree, "Strip headers")
    git(tree, "rebase", "-q", "main")


@pytest.mark.parametrize("change", [dirty, branch, rebase], ids=lambda change: change.__name__)
def test_what_changes_meanwhile_is_told(change: Callable[[Path], None], talk: Callable[[Path], Talk], project: Path, model: Model) -> None:
    tree = repository(project)
    session = talk(tree)
    session.say(ASKED)
    assert eventually(is_prepared, seconds=60)
    session.say("and strip it")
    assert last_words(model).count(CONTEXT) == 1
    change(tree)
    after = fingerprint(tree)
    at = time.time()
    session.say("go on")
    assert eventually(lambda: is_prepared(at), seconds=60)
    session.say("go on, please")
    told = last_words(model)
    assert DELTA in told and told.count(ANCHOR) == 1, "the Anchor stands in the window"
    assert told.count(CONTEXT) == (1 if change is dirty else 2), "another head needs its files again"
    assert fingerprint(tree) == after


def test_one_that_ended_and_is_resumed_goes_on_with_what_its_window_holds(talk: Callable[..., Talk], project: Path, model: Model) -> None:
    tree = repository(project)
    session = talk(tree)
    session.say(ASKED)
    assert eventually(is_prepared, seconds=60)
    session.say("and strip it")
    assert last_words(model).count(CONTEXT) == 1
    session.end()
    dirty(tree)
    at = time.time()
    resumed = talk(tree, "--continue")
    resumed.say("go on")
    assert eventually(lambda: is_prepared(at), seconds=60)
    resumed.say("go on, please")
    told = last_words(model)
    assert told.count(ANCHOR) == 1 and told.count(CONTEXT) == 1, "both came back with the window"
    assert "src/parser.py (changed" in told


def test_a_server_that_is_away_stops_nobody(
    talk: Callable[[Path], Talk], project: Path, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    session = talk(repository(project))
    session.say(ASKED)
    session.say("and strip it")
    assert ASKED in last_words(model) and ANCHOR not in last_words(model)
    assert not is_prepared()
