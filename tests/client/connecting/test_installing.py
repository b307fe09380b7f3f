"""Hooks put into a tool's settings and taken out again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from continuity.client.main import main
from continuity.client.setup import hook_settings, launching

THEIRS = '{\n    "model": "opus",\n    "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}\n}'


@pytest.fixture
def settings(home: Path) -> Path:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    return path


def test_it_works(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text(THEIRS)
    assert main(["install", "claude-code", "--yes", "--diff"]) == 0
    assert '"SessionStart"' in capsys.readouterr().out
    written = json.loads(settings.read_text())
    assert written["model"] == "opus"
    assert written["hooks"]["Stop"][0]["hooks"][0]["command"] == "say done"
    assert set(written["hooks"]) == set(hook_settings.EVENTS["claude-code"])
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


BROKEN = [
    ("{", "no JSON"),
    ("[]", "no JSON object"),
    ('{"hooks": []}', '"hooks" is no object'),
    ('{"hooks": {"Stop": "x"}}', '"hooks" → "Stop" is no list'),
    ('{"hooks": {"Stop": ["x"]}}', '"hooks" → "Stop" holds what is no group of hooks'),
    ('{"hooks": {"Stop": [{"hooks": null}]}}', '"hooks" → "Stop" holds what is no group of hooks'),
]


@pytest.mark.parametrize(("broken", "said"), BROKEN)
@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_settings_that_can_t_be_read_are_left_alone(
    settings: Path, broken: str, said: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.write_text(broken)
    assert main([command, "claude-code", "--yes"]) == 1
    assert settings.read_text() == broken
    assert said in capsys.readouterr().err


def test_settings_that_are_no_utf8_are_left_alone(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_bytes(b'{"a": "\xff"}')
    assert main(["install", "claude-code", "--yes"]) == 1
    assert "not UTF-8 at byte 7" in capsys.readouterr().err


# Files as people and other programs write them: what is not ours stays to the byte, with its line ends, mark and spaces.
FORMS = {
    "windows": b'\xef\xbb\xbf{\r\n\t"model" : "opus",\r\n\t"hooks": {\r\n\t\t"Stop": [ {"hooks": [{"command": "x"}]} ]\r\n\t}\r\n}',
    "one line": b'{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}',
    "four spaces": b'{\n    "b": [1,2,   3],\n    "a": {"x": "\\u00e9"}\n}\n',
    "hooks are empty": b'{\n  "hooks": {},\n  "z": 1\n}',
    "a list is empty": b'{\n"hooks": {\n"Stop": []\n}, "z": 1}',
    "empty": b"",
    "theirs behind ours": b'{\n  "hooks": {\n    "Stop": [\n      {\n        "matcher": "",\n        "hooks": []\n      }\n    ]\n  }\n}\n',
}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_ours_stays_to_the_byte(settings: Path, form: str) -> None:
    before = FORMS[form]
    settings.write_bytes(before)
    main(["install", "claude-code", "--yes"])
    written = settings.read_bytes()
    for line in before.replace(b"\r", b"").split(b"\n"):
        assert line.strip(b" \t{}[],\xef\xbb\xbf") in written
    assert (b"\r\n" in before) is (b"\r\n" in written) and b"\n" not in written.replace(b"\r\n", b"") * (b"\r\n" in before)
    assert written.startswith(before[:3])
    groups = json.loads(written.decode("utf-8-sig"))["hooks"]
    assert all(groups[event][-1]["hooks"][0]["command"].endswith(" hook") for event in hook_settings.EVENTS["claude-code"])

    # Without what was remembered, only what is ours goes.
    for memory in (settings.parents[1] / ".continuity" / "installed").iterdir():
        memory.unlink()
    main(["uninstall", "claude-code", "--yes"])
    theirs = json.loads(before.decode("utf-8-sig") or "{}")
    left = json.loads(settings.read_bytes().decode("utf-8-sig"))
    assert left == theirs or {**left, "hooks": {}} == {**theirs, "hooks": {}}

    main(["install", "claude-code", "--yes"])
    main(["uninstall", "claude-code", "--yes"])
    assert b"hook" not in settings.read_bytes().replace(b'"hooks"', b"")


def test_a_project_s_shared_file_is_freed_of_what_older_versions_wrote(home: Path) -> None:
    shared = Path.cwd() / ".claude" / "settings.json"
    shared.parent.mkdir()
    entry = {"type": "command", "command": launching.command(), "timeout": 10}
    shared.write_text(json.dumps({"model": "opus", "hooks": {"Stop": [{"hooks": [entry]}]}}, indent=2))

    assert main(["install", "claude-code", "--project", "--yes"]) == 0

    assert json.loads(shared.read_text()) == {"model": "opus"}
    assert (shared.parent / "settings.local.json").exists()


def test_codex_has_no_project_settings_of_one_s_own(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["install", "codex", "--project", "--yes"]) == 1
    assert "everybody who clones the project shares" in capsys.readouterr().err
    assert not (Path.cwd() / ".codex").exists()


def test_codex_and_projects_have_files_of_their_own(home: Path) -> None:
    main(["install", "codex", "--yes"])
    hooks = json.loads((home / ".codex" / "hooks.json").read_text())["hooks"]
    assert hooks["SessionEnd"][0]["hooks"][0]["timeout"] == 3, "Codex warns of more"
    main(["install", "claude-code", "--project", "--yes"])
    assert (Path.cwd() / ".claude" / "settings.local.json").exists()
    assert not (Path.cwd() / ".claude" / "settings.json").exists(), "teams commit that one"
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
