"""Hooks put into a tool's settings and taken out again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from continuity.client import installing
from continuity.client.main import main

THEIRS = '{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}'


@pytest.fixture
def settings(home: Path) -> Path:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    return path


def test_it_works(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text(THEIRS)
    assert main(["install", "claude-code", "--yes"]) == 0
    assert '+    "SessionStart"' in capsys.readouterr().out
    written = json.loads(settings.read_text())
    assert written["model"] == "opus"
    assert written["hooks"]["Stop"][0]["hooks"][0]["command"] == "say done"
    assert set(written["hooks"]) == set(installing.EVENTS["claude-code"])
    assert all(groups[-1]["hooks"][0]["command"].endswith(" hook") for groups in written["hooks"].values())

    assert main(["uninstall", "claude-code", "--yes"]) == 0
    assert settings.read_text() == THEIRS


def test_installing_twice_is_installing_once(settings: Path) -> None:
    main(["install", "claude-code", "--yes"])
    first = settings.read_text()
    assert main(["install", "claude-code", "--yes"]) == 0
    assert settings.read_text() == first
    main(["uninstall", "claude-code", "--yes"])
    assert not settings.exists(), "there was no file before"


def test_what_was_changed_since_stays(settings: Path) -> None:
    settings.write_text(THEIRS)
    main(["install", "claude-code", "--yes"])
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"theme": "dark"}))
    main(["uninstall", "claude-code", "--yes"])
    assert json.loads(settings.read_text()) == json.loads(THEIRS) | {"theme": "dark"}


def test_nothing_is_written_without_a_yes(settings: Path) -> None:
    settings.write_text(THEIRS)
    assert main(["install", "claude-code"]) == 1
    assert settings.read_text() == THEIRS


@pytest.mark.parametrize("broken", ["{", "[]", '{"hooks": []}'])
def test_settings_that_can_t_be_read_are_left_alone(settings: Path, broken: str) -> None:
    settings.write_text(broken)
    assert main(["install", "claude-code", "--yes"]) == 1
    assert settings.read_text() == broken


def test_codex_and_projects_have_files_of_their_own(home: Path) -> None:
    main(["install", "codex", "--yes"])
    hooks = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] == 3, "Codex warns of more"
    main(["install", "claude-code", "--project", "--yes"])
    assert (Path.cwd() / ".claude" / "settings.json").exists()
    assert not (home / ".claude").exists()


def test_hooks_go_also_where_the_file_was_changed_between_two_installations(settings: Path) -> None:
    settings.write_text(THEIRS)
    main(["install", "claude-code", "--yes"])
    older = json.loads(settings.read_text())
    del older["hooks"]["SessionEnd"]  # as an older version installed them
    settings.write_text(json.dumps(older | {"theme": "dark"}))
    main(["install", "claude-code", "--yes"])
    main(["uninstall", "claude-code", "--yes"])
    assert json.loads(settings.read_text()) == json.loads(THEIRS) | {"theme": "dark"}
