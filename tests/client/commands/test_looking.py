"""`sessions` and `open`; examples, and what a mistyped command is answered with."""

from __future__ import annotations

import json
import shlex
import webbrowser
from collections.abc import Callable
from pathlib import Path

import pytest

from continuity.client import running
from continuity.client.client import Client
from continuity.client.commands.examples import EXAMPLES
from continuity.client.main import COMMANDS, DONE, FAILED, USAGE, main
from tests.client.hooked import record_all
from tests.client.sessions import lines

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def conversation(client: Client, tide_session: Path) -> str:
    return record_all(tide_session).conversation


def test_it_works(conversation: str, said: Said) -> None:
    status, told, _ = said("sessions")
    assert status == DONE
    assert told.startswith(conversation)
    assert "Please build the tide page." in told
    assert [each["id"] for each in json.loads(said("sessions", "--json")[1])] == [conversation]


def test_sessions_of_other_folders_are_shown_where_asked(conversation: str, tmp_path: Path, said: Said) -> None:
    path = tmp_path / "s2.jsonl"
    path.write_bytes(lines("s2", 1, 2))
    other = record_all(path).conversation
    assert other not in said("sessions")[1]
    everywhere = said("sessions", "--all")[1]
    assert other in everywhere
    assert "/srv/tides" in everywhere
    assert said("sessions", "--all", "--tool", "codex")[2] == "continuity: no session is recorded yet\n"


def test_a_page_is_opened(conversation: str, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")

    def show(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", show)
    made = client.prepare(conversation)
    for words, path in (((), f"/conversations/{conversation}"), ((conversation,), f"/conversations/{conversation}")):
        assert said("open", *words)[:2] == (DONE, f"Opened {client.url}{path}\n")
    assert said("open", made["id"])[1] == f"Opened {client.url}/handoffs/{made['id']}\n"
    assert len(opened) == 3


def test_where_there_is_no_screen_the_address_is_shown(
    conversation: str, client: Client, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert said("open")[1] == f"{client.url}/conversations/{conversation}\n"
    assert said("open", "--print")[1] == f"{client.url}/conversations/{conversation}\n"


@pytest.mark.parametrize("name", ["00000000-0000-4000-8000-000000000000", "nothing"])
def test_what_is_not_there_is_told(name: str, client: Client, said: Said) -> None:
    status, _, told = said("open", name)
    assert (status, told.startswith(f"continuity: there is no session and no handoff {name}")) == (FAILED, True)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "hook"])
def test_each_command_shows_examples_that_it_takes(name: str) -> None:
    for line in EXAMPLES[name]:
        words = shlex.split(line)
        assert words[:2] == ["continuity", name]
        given = words[2 : words.index("--")] if "--" in words else words[2:]
        assert running.parser_of(name).parse_args(given)
    assert f"\n  {EXAMPLES[name][0]}" in running.parser_of(name).format_help()


def test_no_example_is_of_another_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(EXAMPLES) == set(COMMANDS) - {"hook"}
    assert main(["hook", "--help"]) == 0
    assert "examples:\n  continuity hook" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("statu", '"status"'), ("handof", '"handoff"'), ("instal", '"install"'), ("stat", '"status"'), ("x" * 10_000, ""), ("", "")],
)
def test_a_mistyped_command_is_answered_with_the_one_that_was_meant(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([typed]) == USAGE
    told = capsys.readouterr().err
    assert (f"did you mean {meant}?" in told) is bool(meant)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("install codx", '"codex"'), ("start clade", '"claude"'), ("status --jsn", '"--json"'), ("start xyz", ""), ("status --zzzz", "")],
)
def test_so_is_a_mistyped_choice_or_option(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed.split())
    assert ended.value.code == USAGE
    assert (f"did you mean {meant}?" in capsys.readouterr().err) is bool(meant)


@pytest.mark.parametrize("named", ["?", "a b", "#", "../conversations", "é", "\n", "x" * 3000])
def test_what_is_no_id_is_told_as_such(client: Client, said: Said, named: str) -> None:
    status, _, told = said("open", named)
    assert (status, "there is no session and no handoff" in told) == (FAILED, True)
