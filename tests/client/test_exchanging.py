"""A handoff goes to another installation as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client.main import DONE, FAILED, main
from tests.client.sessions import lines

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

RULE = "Never publish a tide table in feet, always in metres."


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*words: str) -> tuple[int, str]:
        code = main(words)
        return code, capsys.readouterr().out

    return run


@pytest.fixture
def file(tmp_path: Path, server: LiveServer, said: Any) -> Path:
    session = tmp_path / "s1.jsonl"
    session.write_bytes(lines("s1", 1, 6, n1=f"Please build the tide page. {RULE}").replace(b"/srv/tides", str(Path.cwd()).encode()))
    said("push", str(session))
    said("handoff")
    path = tmp_path / "package.json"
    assert said("export", "-o", str(path))[0] == DONE
    return path


def test_it_works(file: Path, said: Any) -> None:
    code, told = said("import-package", str(file), "--json")
    assert (code, json.loads(told)["status"]) == (DONE, "ready")
    assert RULE in said("resume", json.loads(told)["id"])[1]


def test_a_changed_file_is_refused(file: Path, said: Any) -> None:
    file.write_text(file.read_text(encoding="utf-8").replace(RULE, RULE.upper()), encoding="utf-8")
    assert said("import-package", str(file))[0] == FAILED
    file.write_text("{", encoding="utf-8")
    assert said("import-package", str(file))[0] == FAILED
