"""Which folders are recorded: all but those that say no, or those alone that were named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.light import exclusions
from continuity.client.main import DONE, FAILED
from tests.client.hooked import EVENTS, hook, occupy, record_all
from tests.client.sessions import grow, lines

Said = Callable[..., tuple[int, str, str]]
WHOLE = {  # A session as OpenCode exports it.
    "info": {"id": "w1", "title": "Tides", "directory": "/srv/tides", "version": "1.0"},
    "messages": [
        {
            "info": {"id": "m1", "sessionID": "w1", "role": "user", "time": {"created": 1767323045000}},
            "parts": [{"type": "text", "text": "Hm"}],
        }
    ],
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "tides" / "src"
    folder.mkdir(parents=True)
    return folder


def session(tmp_path: Path, folder: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4).replace(b"/srv/tides", str(folder).encode()))
    return path


def test_it_works(tmp_path: Path, project: Path, client: Client, said: Said) -> None:
    path = session(tmp_path, project)
    (project.parent / exclusions.IGNORE).write_text("")
    assert record_all(path).conversation == ""
    assert client.conversations() == []
    status, told, _ = said("push", str(path))
    assert (status, f"not recorded: {project.parent / exclusions.IGNORE} says so" in told) == (FAILED, True)


def test_what_is_no_longer_left_out_is_recorded_from_its_beginning(tmp_path: Path, project: Path, client: Client) -> None:
    path = session(tmp_path, project)
    (project / exclusions.IGNORE).write_text("")
    recorder = record_all(path)
    (project / exclusions.IGNORE).unlink()
    recorder.finish()
    assert client.conversation(recorder.conversation)["message_count"] == 4


def test_a_folder_that_is_left_out_later_is_recorded_no_further(tmp_path: Path, project: Path, client: Client) -> None:
    path = session(tmp_path, project)
    recorder = record_all(path)
    (project / exclusions.IGNORE).write_text("")
    grow(path, lines("s1", 5, 8))
    recorder.finish()
    assert client.conversation(recorder.conversation)["message_count"] == 4


@pytest.mark.parametrize("event", EVENTS)
def test_hooks_name_nothing_of_it(event: str, tmp_path: Path, project: Path, client: Client, home: Path) -> None:
    path = session(tmp_path, project)
    (project / exclusions.IGNORE).write_text("")
    claim = occupy()
    assert hook(event, path, cwd=str(project), source="startup", trigger="auto", prompt="Go on", tool_name="Bash") == ""
    claim.release()
    [place] = (home / ".continuity" / "live").iterdir()
    assert list(place.glob("*.json")) == []


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("", True),
        ("# a remark\n\n", True),
        ("tides\n", True),
        ("/tides/\n", True),
        ("tides/src", True),
        ("tide\n", False),
        ("src\n", False),
        ("other\ntides/src/deeper\n", False),
        ("../tides\n", False),
        ("*" * 1000, True),
        ("tid*\n", True),
        ("/t?des/", True),
        ("[st]ides/s*", True),
        ("./*/src", True),
        ("**/src", True),
        ("**/tides/**/src/**", True),
        ("TID*\n*/s\n*/src/*\n[!t]*\n?\n**/tide", False),
    ],
)
def test_a_file_names_folders_below_it(project: Path, words: str, left: bool) -> None:
    (project.parent.parent / exclusions.IGNORE).write_text(words)
    assert bool(exclusions.folder_reason(str(project))) is left


def test_wildcards_are_of_what_is_below_the_file(project: Path) -> None:
    (project / exclusions.IGNORE).write_text("*\n")
    assert exclusions.folder_reason(str(project)) == ""
    (project / ".hidden").mkdir()
    assert exclusions.folder_reason(str(project / ".hidden"))
    (project / "a[1]").mkdir()
    (project / exclusions.IGNORE).write_text("a[1]\n")
    assert exclusions.folder_reason(str(project / "a[1]")), "as it is called, too"


def test_status_names_the_lines_that_leave_nothing_out(project: Path, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    ignore = project.parent / exclusions.IGNORE
    ignore.write_text("# remark\nsr*\nsrc\n**/deep\npriv*\n!src\n/srv/tides\n")
    told = said("status")[1]
    idle = [line.split(" of ")[0].rpartition(" ")[2] for line in told.splitlines() if "Excluded nothing" in line]
    assert (idle, str(ignore) in told) == (["priv*", "!src", "/srv/tides"], True)
    assert [each["line"] for each in json.loads(said("status", "--json")[1])["leaves_nothing_out"]] == idle
    (project.parent / "private").mkdir()
    assert "priv*" not in said("status")[1]


def test_a_file_that_cannot_be_read_leaves_out(project: Path) -> None:
    (project / exclusions.IGNORE).write_text("other\n")
    (project / exclusions.IGNORE).chmod(0)
    if os.access(project / exclusions.IGNORE, os.R_OK):
        pytest.skip("this user may read everything")
    assert exclusions.folder_reason(str(project))


def test_a_path_without_end_is_looked_at_for_a_while_only() -> None:
    assert exclusions.folder_reason("/" + "a/" * 5000) == ""


def test_only_some_folders(project: Path, said: Said, home: Path) -> None:
    (home / ".claude").mkdir()
    status, told, _ = said("install", "claude-code", "--yes", "--only", str(project.parent))
    assert (status, told.splitlines()[-1]) == (DONE, f"From now on nothing is recorded, in any tool, but what is done in {project.parent}.")
    assert exclusions.folder_reason(str(project)) == ""
    assert "outside of" in exclusions.folder_reason(str(project.parent.parent))
    assert "outside of" in exclusions.folder_reason(str(project.parent) + "-of-others")
    status, told, _ = said("install", "claude-code", "--yes", "--everywhere")
    assert (status, told.splitlines()[-1]) == (DONE, "Recording is no longer limited to some folders, in any tool.")
    assert exclusions.folder_reason(str(project.parent.parent)) == ""


def test_the_doctor_says_that_the_folder_is_left_out(project: Path, said: Said, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / exclusions.IGNORE).write_text("")
    monkeypatch.chdir(project)
    assert f"this folder: is not recorded: {project / exclusions.IGNORE} says so" in said("doctor")[1]
    monkeypatch.chdir(project.parent)
    assert "this folder" not in said("doctor")[1]


def test_a_folder_that_is_not_there_is_no_limit(project: Path, said: Said, home: Path) -> None:
    (home / ".claude").mkdir()
    status, _, errors = said("install", "claude-code", "--yes", "--only", str(project / "mistyped"))
    assert (status, "there is no folder" in errors) == (FAILED, True)
    assert exclusions.folder_reason(str(project)) == ""
    assert not (home / ".claude" / "settings.json").exists()


def test_variables_go_before_what_is_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(exclusions.ONLY, f"/nowhere{os.pathsep}{project}")
    assert exclusions.folder_reason(str(project)) == ""
    assert exclusions.folder_reason("/elsewhere")
    monkeypatch.setenv(exclusions.SWITCH, "off")
    assert exclusions.folder_reason(str(project)) == "CONTINUITY_RECORD is off"


def test_status_says_what_is_left_out(client: Client, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(exclusions.ONLY, str(Path.cwd()))
    assert f"Records  only {Path.cwd()}\n" in said("status")[1]
    Path(exclusions.IGNORE).write_text("")
    assert f"Excluded this folder: {Path.cwd() / exclusions.IGNORE} says so" in said("status")[1]


def test_a_link_leads_to_what_is_left_out(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(project)
    (project.parent / exclusions.IGNORE).write_text("")
    assert exclusions.folder_reason(str(tmp_path / "link"))
    (project.parent / exclusions.IGNORE).rename(tmp_path / exclusions.IGNORE)
    (tmp_path / exclusions.IGNORE).write_text("link\n")
    assert exclusions.folder_reason(str(tmp_path / "link"))


def test_a_link_to_what_alone_is_recorded_is_no_other_folder(tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(project.parent)
    monkeypatch.setenv(exclusions.ONLY, str(tmp_path / "link"))
    assert exclusions.folder_reason(str(project)) == ""
    assert exclusions.folder_reason(str(tmp_path))


def test_a_file_that_is_sent_whole_is_left_out_too(tmp_path: Path, project: Path, client: Client, said: Said) -> None:
    path = tmp_path / "session.json"
    path.write_text(json.dumps(WHOLE).replace("/srv/tides", str(project)))
    (project / exclusions.IGNORE).write_text("")
    status, told, _ = said("push", str(path))
    assert (status, f"not recorded: {project / exclusions.IGNORE} says so" in told) == (FAILED, True)
    assert client.conversations() == []
    (project / exclusions.IGNORE).unlink()
    assert said("push", str(path))[0] == DONE
    assert len(client.conversations()) == 1
