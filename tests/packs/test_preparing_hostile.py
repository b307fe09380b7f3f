"""The process that prepares packs beside the hooks, in 240 hostile repositories: it ends, in bounded memory, and gives nothing away."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from continuity.client.light import packs
from continuity.client.main import DONE, main
from continuity.client.recording.pack_starter import LONGEST_SECONDS
from tests.beyond import beyond
from tests.client.conftest import home, server
from tests.client.hooked import PROGRAM, hook, occupy
from tests.client.sessions import CWD, lines
from tests.packs import hostile
from tests.packs.place import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

__all__ = ["home", "server"]

SHORT = 24  # one of each kind
MEMORY = 1_500_000_000  # bytes of addresses
RECORDS = 2


@pytest.fixture
def given(server: LiveServer, team: Team) -> Iterator[None]:
    from tests.packs.server.world import give

    give(team, contents=True)
    claim = occupy()
    yield
    claim.release()


def prepare(path: Path) -> subprocess.CompletedProcess[bytes]:
    """The very process that the recorder starts; killed where it would be."""

    def bounded() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    command = [sys.executable, "-IS", str(PROGRAM), "pack", "--prepare", str(path)]
    return subprocess.run(
        command,
        capture_output=True,
        env=os.environ,
        timeout=10 * LONGEST_SECONDS,
        preexec_fn=bounded,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("each", beyond(SHORT, hostile.repositories()), ids=lambda each: each.name)
def test_it_works(each: hostile.HostileRepository, given: None, tmp_path: Path) -> None:
    tree = hostile.made(tmp_path / "r", each)
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, RECORDS).replace(CWD.encode(), str(tree).encode()))
    assert main(["push", str(path)]) == DONE
    before = git_of(tree)
    hook("UserPromptSubmit", path, cwd=str(tree), prompt=f"Mend parse_header in src/parser.py, large.py and {each.name}")
    ended = prepare(path)
    told = ended.stderr.decode("utf-8", "replace")
    assert ended.returncode in (0, 1) and "Traceback" not in told, told
    assert git_of(tree) == before
    assert not (tmp_path / "ran").exists(), "nothing that the repository configures is run"
    ready = Path(packs.place("ready", str(path)))
    if ready.exists():
        texts = json.loads(ready.read_text())["texts"]
        whole = "".join(texts.values())
        assert hostile.TOKEN[:12] not in whole and "root:x:0" not in whole
        assert all(line.isprintable() for line in whole.split("\n"))
    assert len(hook("PostToolUse", path, cwd=str(tree))) <= packs.LIMIT


def git_of(tree: Path) -> str:
    """Refs, index, settings and all else of git's own, and the files beside; large ones by their size."""
    place = tree / ".git"
    return fingerprint(place) if place.is_dir() else ""


def test_there_are_so_many() -> None:
    assert len({each.name for each in hostile.repositories()}) == 240
