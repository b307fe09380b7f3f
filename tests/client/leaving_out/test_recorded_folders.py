"""`continuity status` says which folders are recorded, and each line that excludes one here or beneath."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from continuity.client.commands.access import recorded_folders
from continuity.client.light import exclusions

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a server that is away: none of this asks it."""
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")


@pytest.fixture
def work(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with others in it, in which one is."""
    folder = home / "code"
    for name in ("secret", "security", "tides/src", "node_modules/theirs"):
        (folder / name).mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def shown(said: Said, word: str) -> list[str]:
    return [line.removeprefix(word).strip() for line in said("status")[1].splitlines() if line.startswith(word)]


def test_it_works(work: Path, said: Said) -> None:
    assert (shown(said, "Records"), shown(said, "Excluded")) == (["every folder"], [])
    (work / exclusions.IGNORE).write_text("sec*\ntides/src\n")
    expected = ["sec* (~/code/.continuityignore)", "tides/src (~/code/.continuityignore)"]
    assert shown(said, "Excluded") == expected
    told = json.loads(said("status", "--json")[1])
    assert (told["records"], [each["line"] for each in told["exclusions"]]) == ("every folder", ["sec*", "tides/src"])


def test_limits_are_told(work: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(exclusions.ONLY, f"{work}:/srv/tides")
    assert shown(said, "Records") == ["only ~/code, /srv/tides"]
    monkeypatch.setenv(exclusions.SWITCH, "off")
    assert (shown(said, "Records"), shown(said, "Excluded")) == (["nothing: CONTINUITY_RECORD is off"], [])


def test_only_lines_that_count_here_or_beneath_are_named(work: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / exclusions.IGNORE).write_text("sec*\n*/src\n**/deep\n")
    monkeypatch.chdir(work / "tides")
    assert [line.partition(" ")[0] for line in shown(said, "Excluded")] == ["*/src", "**/deep"]
    monkeypatch.chdir(work / "tides" / "src")
    assert shown(said, "Excluded")[0] == "this folder: ~/code/.continuityignore says so"


def test_files_beneath_are_found_and_not_those_of_others(work: Path, said: Said) -> None:
    (work / "tides" / "src" / exclusions.IGNORE).write_text("")
    (work / "node_modules" / "theirs" / exclusions.IGNORE).write_text("")
    assert shown(said, "Excluded") == ["~/code/tides/src and all beneath it (~/code/tides/src/.continuityignore is empty)"]


def test_looking_beneath_has_an_end(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded_folders, "MOST_FOLDERS", 3)
    (work / "tides" / "src" / exclusions.IGNORE).write_text("")
    assert recorded_folders.exclusion_lines(str(work)) == []
