"""What a hook loads, what it asks, and how long it remembers that nobody answered."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continuity.client import credentials
from continuity.client.client import Client
from continuity.client.hooks import full_client
from continuity.client.light import fast_json, files, requests
from tests.client.hooked import EVENTS, PROGRAM, occupy, record_all
from tests.client.sessions import CWD, lines

# Each takes as long as Python's own start, or loads one that does.
HEAVY = {"json", "re", "typing", "pathlib", "socket", "hashlib", "collections", "enum", "urllib.parse", "http.client", "subprocess"}


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv("CONTINUITY_URL", f"http://127.0.0.1:{listening.getsockname()[1]}")
        monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
        monkeypatch.setenv("CONTINUITY_HOOK_MS", "50")
        yield listening


def loaded(event: str, path: Path, **more: Any) -> tuple[set[str], str]:
    """The modules that Python loads for a hook, and what it answers."""
    payload = {"session_id": path.stem, "transcript_path": str(path), "cwd": CWD, "hook_event_name": event, **more}
    command = [sys.executable, "-IS", "-X", "importtime", str(PROGRAM), "hook"]
    ended = subprocess.run(command, input=json.dumps(payload), text=True, capture_output=True, env=os.environ, check=True)
    return {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}, ended.stdout


def test_it_works(tmp_path: Path, client: Client) -> None:
    path, old = tmp_path / "s1.jsonl", tmp_path / "s0.jsonl"
    old.write_bytes(lines("s0", 1, 4, n1="Please build the tide page, never in feet."))
    client.prepare(record_all(old).conversation)
    claim = occupy()
    modules, told = loaded("SessionStart", path, source="startup")
    claim.release()
    assert "never in feet" in told
    assert not modules & HEAVY


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_that_finds_nobody_loads_little(event: str, tmp_path: Path, silent: socket.socket) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 2))
    claim = occupy()
    modules, told = loaded(event, path, source="startup", trigger="auto")
    claim.release()
    assert not modules & HEAVY
    assert "hookSpecificOutput" not in told


def test_who_let_a_hook_wait_in_vain_is_not_asked_again_for_some_seconds(silent: socket.socket, home: Path) -> None:
    for _ in range(2):
        with pytest.raises(requests.NoAnswer):
            requests.ready(CWD, 5)
    silent.setblocking(False)
    silent.accept()[0].close()
    with pytest.raises(BlockingIOError):
        silent.accept()
    [sign] = (home / ".continuity" / "away").iterdir()
    for moment in (time.time() - requests.AWAY_SECONDS, time.time() + 3600):
        os.utime(sign, (moment, moment))
        with pytest.raises(requests.NoAnswer):
            requests.ready(CWD, 5)
        silent.accept()[0].close()


def test_one_that_refuses_connections_is_asked_each_time(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    monkeypatch.setenv("CONTINUITY_URL", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    with pytest.raises(requests.NoAnswer, match="refused"):
        requests.ready(CWD, 5)
    assert list((home / ".continuity" / "away").iterdir()) == []


@pytest.mark.parametrize("call", [requests.call, full_client.call])
def test_the_light_question_and_the_whole_clients_get_the_same(call: Any, client: Client) -> None:
    assert call("GET", "/handoffs?status=ready", None, 10.0)["items"] == []
    with pytest.raises(requests.Refusal) as refused:
        call("POST", "/handoffs/00000000-0000-4000-8000-000000000000/resume", {"source_tool": "codex"}, 10.0)
    assert refused.value.code == "not_found"


def test_folders_with_any_name_are_asked_for(tmp_path: Path, client: Client) -> None:
    cwd, path = "/srv/größe & mehr?#%/[x]", tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4).replace(CWD.encode(), cwd.encode()))
    made = client.prepare(record_all(path).conversation)
    assert [each["id"] for each in requests.ready(cwd, 5)] == [made["id"]]
    assert requests.ready("/srv/other", 5) == []


@pytest.mark.parametrize("url", ["https://127.0.0.1:1", "http://user@127.0.0.1:1", "http://[::1]:1"])
def test_an_address_that_a_bare_socket_does_not_understand_is_left_to_the_whole_client(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "find", lambda: credentials.Credentials(url, "cont_x"))
    with pytest.raises(requests.NoAnswer):
        requests.call("GET", "/handoffs", None, 1.0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_texts_are_read_as_json_reads_them(value: Any) -> None:
    for sent in (json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1) + "\n"):
        assert fast_json.parse(sent.encode("utf-8", "replace")) == json.loads(sent.encode("utf-8", "replace"))


@given(st.binary(max_size=40) | st.text('{}[],:"\\0aeu1tn ', max_size=12).map(str.encode))
def test_what_json_refuses_is_refused(sent: bytes) -> None:
    try:
        expected = json.loads(sent.decode())
    except ValueError:
        with pytest.raises(ValueError):
            fast_json.parse(sent)
    else:
        assert fast_json.parse(sent) == expected


@given(st.dictionaries(st.text(), st.text()))
def test_what_is_written_is_read_back(said: dict[str, str]) -> None:
    assert json.loads(fast_json.write(said)) == said


def test_keys_are_those_of_sha256() -> None:
    assert files.key_of("/srv/größe\udcff") == "b76991789ada83125c4da9cf"


def test_a_limit_that_is_set_counts_instead_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    assert requests.patience(requests.ANSWER_SECONDS) == 2.0
    monkeypatch.setenv("CONTINUITY_HOOK_MS", "250")
    assert requests.patience(requests.ANSWER_SECONDS) == requests.patience(requests.HERE_SECONDS) == 0.25
