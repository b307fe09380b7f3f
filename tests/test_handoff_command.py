"""`manage.py handoff` as a person or a script runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from handoffs.contract.package_json import from_contract
from handoffs.management.commands.handoff import BAD_INPUT, BELOW_THRESHOLD, FAILED, PASSED, Command
from tests.packages.sessions import MESSAGES, call, said, write
from tests.poison import POISON, QUOTED, poison_knowledge, poison_probes, poison_segments

PROJECT = Path(__file__).resolve().parent.parent
SECRET = "ghp_" + "R4nd0mLetters" * 3


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    return write(tmp_path / "chat.json")


def run(*arguments: object) -> int:
    """The exit code of the command in this process."""
    with pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "handoff", *map(str, arguments)])
    return int(ended.value.code or 0)


def test_it_works(chat: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat) == PASSED

    told = capfd.readouterr()
    assert told.out.startswith("--- SESSION CONTINUATION ---\n")
    assert told.out.endswith("--- END CONTINUATION ---\n")
    assert told.err.startswith("Fidelity 1.00 passes: ")
    assert told.err.count("\n") == 1


def test_quiet_says_nothing_but_the_directive(chat: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--quiet") == PASSED

    assert capfd.readouterr().err == ""


def test_json_is_the_whole_package_with_its_check(chat: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--json", "--quiet") == PASSED

    document = json.loads(capfd.readouterr().out)
    assert from_contract(document).through_seq == len(MESSAGES)
    assert document["fidelity"]["passesThreshold"] is True
    assert document["directive"]["text"].startswith("--- SESSION CONTINUATION ---")


@pytest.mark.parametrize(("style", "sign"), [("structured", "## Now"), ("concise", "Now:"), ("narrative", "The user asked for this:")])
def test_each_style_can_be_asked_for(chat: Path, style: str, sign: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--style", style) == PASSED

    assert sign in capfd.readouterr().out


def test_a_cut_and_a_format_can_be_given(chat: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, "--cut", 2, "--format", "openai-chat", "--json") == PASSED

    assert json.loads(capfd.readouterr().out)["throughSeq"] == 2


def test_secrets_are_masked_unless_asked_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "chat.json", [*MESSAGES, said("user", f"Always push with the token {SECRET} and never with mine.")])

    run(path, "--json")
    masked = capfd.readouterr()
    run(path, "--show-secrets")
    shown = capfd.readouterr()

    assert SECRET not in masked.out + masked.err
    assert "[secret: github-token]" in masked.out
    assert SECRET in shown.out


def test_below_the_threshold_is_code_3_and_says_what_is_missing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    todos = [{"content": f"Rework part {n} of the importer for customers abroad", "status": "pending", "activeForm": ""} for n in range(40)]
    path = write(tmp_path / "chat.json", [said("user", "Please rework the importer."), call("TodoWrite", 1, todos=todos)])

    assert run(path, "--budget", 200) == BELOW_THRESHOLD

    told = capfd.readouterr().err
    assert "remaining steps not preserved of" in told
    assert "is below the threshold" in told


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--budget", "149"], "argument --budget: must be from 150 to 200000, not 149"),
        (["--budget", "200001"], "argument --budget: must be from 150 to 200000"),
        (["--budget", "many"], "argument --budget: must be a whole number"),
        (["--cut", "0"], "argument --cut: must be at least 1"),
        (["--cut", "x"], "argument --cut: must be a whole number"),
        (["--style", "loud"], "argument --style: invalid choice"),
        (["--format", "papyrus"], "argument --format: invalid choice"),
    ],
)
def test_a_bad_option_is_code_2_and_named(chat: Path, options: list[str], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(chat, *options) == BAD_INPUT

    told = capfd.readouterr()
    assert words in told.err
    assert told.out == ""


@pytest.mark.parametrize("kind", ["missing", "directory", "empty", "binary", "prose"])
def test_a_bad_file_is_code_2_with_one_clear_line(tmp_path: Path, kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "input"
    if kind == "directory":
        path.mkdir()
    elif kind != "missing":
        path.write_bytes({"empty": b"", "binary": bytes(range(256)) * 8, "prose": b"Dear all,\nthis is no transcript.\n"}[kind])

    assert run(path, "--quiet") == BAD_INPUT

    told = capfd.readouterr()
    assert told.out == ""
    assert str(path) in told.err
    assert told.err.strip().count("\n") == 0


def test_it_needs_neither_database_nor_server(chat: Path) -> None:
    nowhere = {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/none", "REDIS_URL": "redis://127.0.0.1:9/0", "SECRET_KEY": "only for this test"}
    command = [sys.executable, "manage.py", "handoff", str(chat)]
    ended = subprocess.run(command, cwd=PROJECT, env={**os.environ, **nowhere}, capture_output=True, check=False)

    assert ended.returncode == PASSED
    assert ended.stdout.startswith(b"--- SESSION CONTINUATION ---")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = write(tmp_path / "chat.json", [said("user", f"Never touch folder number {n}, it belongs to team {n * 7}.") for n in range(800)])
    command = [sys.executable, "manage.py", "handoff", str(path), "--budget", "200000", "--json", "--quiet"]
    process = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()

    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() in (PASSED, BELOW_THRESHOLD)


def test_a_message_that_cannot_be_read_is_told_of(chat: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [*MESSAGES[:2], said("user", f"Never ask {POISON}."), *MESSAGES[2:]]
    write(chat, messages)
    for poison in (poison_knowledge, poison_segments, poison_probes):
        poison(monkeypatch)
    assert run(chat) == PASSED
    told = capfd.readouterr()
    assert "Message 3 could not be read (ValueError at poison.py:" in told.err
    assert "nothing was taken from it." in told.err
    assert "Traceback" not in told.err
    assert POISON not in told.err
    assert "production database" in told.out


def test_a_fault_of_ours_is_no_traceback(chat: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise KeyError(QUOTED)

    monkeypatch.setattr("handoffs.building.oneshot.questions", broken)
    assert run(chat) == FAILED
    told = capfd.readouterr()
    assert told.err.startswith("This transcript can't be handed off: KeyError at test_handoff_command.py:")
    assert POISON not in told.err
    assert told.out == ""
