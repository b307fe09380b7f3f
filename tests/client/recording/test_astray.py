"""Where another program answers at the server's address, and where there is neither a server nor room on the disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from continuity.client.main import AWAY, FAILED, main
from tests.client.sessions import lines


class Another(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"data": []}).encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def another(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a program that answers everything with some JSON."""
    with HTTPServer(("127.0.0.1", 0), Another) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("CONTINUITY_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    return path


def test_it_works(another: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == FAILED
    assert "the address is not the server's" in capsys.readouterr().out
    assert main(["status"]) == AWAY
    assert "the address is not the server's" in capsys.readouterr().out
    assert main(["login", another, "--key", "cont_x"]) == AWAY


def test_what_is_recorded_then_is_kept(another: str, session: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", str(session)]) == AWAY
    assert "kept on disk until the server is back" in capsys.readouterr().out


def test_without_a_server_and_without_room_a_push_fails(
    session: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    monkeypatch.setenv("CONTINUITY_SPOOL_MB", "0")
    assert main(["push", str(session)]) == FAILED
    assert "there is no room" in capsys.readouterr().out


@pytest.mark.parametrize("taken", [".continuity", ".continuity/spool"])
def test_a_folder_that_cannot_be_used_is_named(taken: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / taken).parent.mkdir(exist_ok=True)
    (home / taken).write_text("a file stands where the folder should")
    assert main(["doctor"]) == FAILED
    assert f"~/{taken} can't be written" in capsys.readouterr().out
