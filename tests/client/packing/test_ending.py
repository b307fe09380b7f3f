"""What stays of a session that ended, and how one goes on that is resumed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.connection import Away
from continuity.client.light import git_head, packs
from continuity.client.packs import memory, preparing
from tests.client.packing.test_giving import Worked, worked
from tests.packs.place import write

__all__ = ["worked"]


def test_it_works(worked: Worked) -> None:
    """No words stay, and old wishes go."""
    worked.asks()
    worked.hook("UserPromptSubmit", prompt="more of the peculiar")
    worked.hook("SessionEnd")
    kept = [Path(packs.place(kind, str(worked.path))) for kind in memory.KINDS]
    assert [path.exists() for path in kept] == [False, False, True, True]
    words = "".join(path.read_text() for path in kept if path.exists())
    assert not [word for word in ("parse", "peculiar", "parser.py", "this repository") if word in words]
    old = Path(packs.place("wished", "/elsewhere"))
    old.write_text("{}")
    os.utime(old, (time.time() - 7_200,) * 2)
    memory.forget_old()
    assert not old.exists()


def test_one_that_ends_after_each_turn_and_is_resumed_goes_on_with_deltas(worked: Worked) -> None:
    """As tools do that a script calls: the window holds what was given before."""
    worked.hook("SessionStart", source="startup", session_id="a")
    assert "1. src/parser.py" in worked.asks()
    worked.hook("SessionEnd")
    write(worked.tree, src__parser_dot_py="def parse_header(line):\n    return line.strip()\n")
    assert worked.hook("SessionStart", source="resume", session_id="b") == "", "the Anchor stands in the window"
    told = worked.asks("and strip it")
    assert "What changed" in told and "src/parser.py (changed: +1 -1 lines)" in told
    assert "About this repository" not in told and "Files for this request" not in told
    worked.hook("SessionEnd")
    assert "About this repository" in worked.hook("SessionStart", source="clear", session_id="c")
    assert "Files for this request" in worked.asks("and strip it"), "emptied, it gets all again"


def test_that_the_window_was_emptied_is_told_also_where_the_session_ended_before_anybody_asked(worked: Worked) -> None:
    worked.hook("SessionStart", source="startup", session_id="a")
    assert "Files for this request" in worked.asks()
    worked.hook("SessionStart", source="compact", session_id="a2")
    worked.hook("SessionEnd")
    worked.hook("SessionStart", source="resume", session_id="b")
    assert "Files for this request" in worked.asks("and strip it")


def test_a_server_that_is_away_costs_no_wish(worked: Worked, monkeypatch: pytest.MonkeyPatch) -> None:
    worked.hook("SessionStart", source="startup", session_id="a")
    assert "Files for this request" in worked.asks()
    worked.hook("SessionStart", source="compact", session_id="a2")

    def away(*_: object) -> None:
        raise Away("nobody answers")

    with monkeypatch.context() as patched, pytest.raises(Away):
        patched.setattr(Client, "ask_packs", away)
        preparing.prepare(str(worked.path), Client())
    assert "Files for this request" in worked.asks("and strip it")


def test_a_head_that_names_no_path_is_none(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_bytes(b"ref: refs/heads/a\0b\n")
    assert git_head.of(str(tmp_path)) == ""
