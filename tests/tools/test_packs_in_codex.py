"""Packs and Codex itself: its calls are answered, however soon they end, and the repository is only read."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client.main import DONE
from tests.packs.place import fingerprint, repository
from tests.tools.conftest import last_words, say
from tests.tools.model import SAID, Model
from tests.tools.test_other_tools import CODEX, TOOLS, codex
from tests.tools.test_packs import ASKED

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

    from continuity.models import Team

pytestmark = [pytest.mark.processes, pytest.mark.long, pytest.mark.skipif(not TOOLS, reason="CONTINUITY_TOOLS names no folder of tools")]


def test_it_works(
    server: LiveServer, team: Team, home: Path, project: Path, model: Model, said: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.packs.server.world import give

    give(team)
    codex(home, model.url, monkeypatch)
    monkeypatch.setenv("PATH", f"{TOOLS}:{os.environ['PATH']}")
    assert said("install", "codex", "--yes")[0] == DONE
    tree = repository(project)
    before = fingerprint(tree)
    assert SAID in say(f"{TOOLS}/codex", *CODEX, ASKED, cwd=tree)
    assert SAID in say(f"{TOOLS}/codex", *CODEX, "resume", "--last", "and strip it", cwd=tree)
    assert ASKED in last_words(model)
    assert fingerprint(tree) == before, "whatever hooks do, the repository is only read"
