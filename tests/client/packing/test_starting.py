"""What prepares packs is one process at a time, for live sessions only, and is ended when it takes too long."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from continuity.client.light import packs
from continuity.client.recording import pack_starter
from continuity.client.recording.pack_starter import PackStarter

NOTE = "import sys, pathlib; pathlib.Path(sys.argv[2]).open('a').write(sys.argv[3] + '\\n')"


def wish(path: str) -> None:
    packs.wish({"cwd": "/srv/tides", "prompt": "x"}, path, begun=True)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(pack_starter, "LOOK_SECONDS", 0.0)
    yield


def looked(starter: PackStarter, until: Path) -> None:
    for _ in range(400):
        starter.look()
        if until.exists():
            return
        time.sleep(0.02)


def test_it_works(tmp_path: Path) -> None:
    told, live = tmp_path / "told", tmp_path / "s1.jsonl"
    starter = PackStarter({live}, print, command=(sys.executable, "-IS", "-c", NOTE, "x", str(told)))
    wish(str(live))
    wish("/of/another/recorder.jsonl")
    looked(starter, told)
    starter.look()
    starter.close()
    assert told.read_text() == f"{live}\n"


def test_one_that_hangs_is_ended_and_others_have_their_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    first, second = tmp_path / "s1.jsonl", tmp_path / "s2.jsonl"
    hang = "import sys, time, pathlib; pathlib.Path(sys.argv[-1] + '.began').touch(); time.sleep(600)"
    starter = PackStarter({first, second}, said.append, command=(sys.executable, "-IS", "-c", hang))
    wish(str(first))
    looked(starter, tmp_path / "s1.jsonl.began")
    wish(str(second))
    starter.look()
    assert not (tmp_path / "s2.jsonl.began").exists()
    monkeypatch.setattr(pack_starter, "LONGEST_SECONDS", 0.0)
    starter.look()
    assert said == ["preparing packs took too long and was ended"]
    monkeypatch.setattr(pack_starter, "LONGEST_SECONDS", 60.0)
    Path(packs.place("wished", str(first))).unlink(missing_ok=True)
    looked(starter, tmp_path / "s2.jsonl.began")
    starter.close()
    assert (tmp_path / "s2.jsonl.began").exists()


def test_a_prompt_is_not_lost_when_more_is_wished_for(tmp_path: Path) -> None:
    path = str(tmp_path / "s1.jsonl")
    packs.wish({"cwd": "/srv", "prompt": "Mend it"}, path, begun=True)
    packs.wish({"cwd": "/srv", "permission_mode": "plan"}, path, emptied=True)
    told = json.loads(Path(packs.place("wished", path)).read_text())
    assert (told["prompt"], told["begun"], told["emptied"], told["mode"]) == ("Mend it", True, True, "plan")
