"""`manage.py evaluate` as a person or a script runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from diagnostics.management.commands.evaluate import BAD_INPUT, Command
from tests.evaluation.compactions import BEFORE, claude_call, claude_session
from tests.evaluation.labelled import NIGHTLY, folder_of

PROJECT = Path(__file__).resolve().parents[2]


def run(*arguments: object) -> int:
    """The exit code of the command in this process."""
    try:
        Command().run_from_argv(["manage.py", "evaluate", *map(str, arguments)])
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    return folder_of(tmp_path, nightly=NIGHTLY, other=NIGHTLY)


def cells(output: str, first: str) -> list[str]:
    """The cells of the first row that begins with the word."""
    row = next(line for line in output.splitlines() if line.startswith(f"| {first} "))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_it_works(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(labels / "nightly.json", labels / "other.json", "--budget", "2000") == 0

    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.startswith("## Budget 2000\n")
    assert cells(told.out, "nightly")[:8] == ["nightly", "1.000", "0.667", "–", "1.000", "–", "–", "0.500"]
    assert cells(told.out, "pooled")[1:3] == ["1.000", "0.667"]
    assert cells(told.out, "fact") == ["fact", "0.000", "0.000", "0.000", "2"]
    assert cells(told.out, "artifact") == ["artifact", "1.000", "1.000", "1.000", "2"]


def test_each_budget_has_its_tables(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(labels / "nightly.json", "--budget", "150,4000") == 0

    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("## ")] == ["## Budget 150", "## Budget 4000"]


def test_what_a_hook_delivers_is_measured_by_characters(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(labels / "nightly.json", "--hook", "1000,9900") == 0

    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("## ")] == ["## 1000 characters of a hook", "## 9900 characters of a hook"]


def test_json_is_one_document_under_the_names_of_the_measure(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(labels / "nightly.json", "--json") == 0

    budgets = json.loads(capsys.readouterr().out)["budgets"]
    assert [each["budget"] for each in budgets] == [2000, 4000, 8000]
    session = budgets[0]["sessions"][0]
    assert session["name"] == "nightly"
    assert session["critical"] == 1.0
    assert session["files"] is None
    assert session["anchors_by_type"] == {"constraint": 1.0, "decision": 1.0, "fact": 0.0}
    assert session["probes_by_dimension"] == {"artifact": 1.0, "recall": 0.0}
    assert 0 < session["used"] <= 2000
    assert session["seconds"] > 0


def test_a_rule_can_be_left_out(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def anchors(*more: str) -> float:
        assert run(labels / "nightly.json", "--budget", "150", "--json", *more) == 0
        return float(json.loads(capsys.readouterr().out)["budgets"][0]["pooled"]["anchors_by_type"]["decision"])

    assert anchors() > anchors("--without", "decision, fact")


def test_continuation_recall_stands_beside_the_summary_and_the_tail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = claude_session(tmp_path / "s.jsonl", [claude_call(f"c{n}", name) for n, name in enumerate(BEFORE[:12])])

    assert run("--boundaries", session) == 0
    out = capsys.readouterr().out
    assert out.startswith("## Continuation recall\n")
    assert cells(out, "s.jsonl:2")[3:5] == ["24", "24"]
    assert cells(out, "mean of 1")[6] == "0.167"

    assert run("--boundaries", session, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert list(document) == ["continuation"]
    assert document["continuation"]["boundaries"][0]["needed"] == 24
    assert set(document["continuation"]["mean"]) == {"ours", "summary", "tail"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["gone.json"], "gone.json cannot be read (no such file or directory)."),
        (["--boundaries", "gone.jsonl"], "There is no file gone.jsonl."),
        (["--budget", "149"], "argument --budget: must be from 150 to 200000, not 149"),
        (["--budget", "many"], "argument --budget: must be whole numbers with commas between, not “many”"),
        (["--hook", "20000"], "argument --hook: must be from 1000 to 9900, not 20000"),
        (["--without", "luck"], "argument --without: there is no rule “luck”; the families are correction, constraint, "),
    ],
)
def test_bad_input_is_code_2_and_named(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == BAD_INPUT

    told = capsys.readouterr()
    assert words in told.err
    assert told.out == ""


def test_a_session_that_cannot_be_read_is_code_2_with_one_line(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = labels.parent / "transcripts" / "openai-chat" / "chat.json"
    session.write_bytes(b"")

    assert run(labels / "nightly.json") == BAD_INPUT

    told = capsys.readouterr().err.strip()
    assert told == f"{session} is empty."


def test_without_label_files_it_says_where_it_looked(settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.BASE_DIR = tmp_path / "project"

    assert run() == BAD_INPUT

    looked = tmp_path / "shared" / "evaluation" / "labels"
    assert capsys.readouterr().err == f"There are no label files: none was named, and {looked} holds none.\n"


def test_it_needs_neither_database_nor_server(labels: Path) -> None:
    nowhere = {"DATABASE_URL": "postgres://u:p@127.0.0.1:9/none", "REDIS_URL": "redis://127.0.0.1:9/0", "SECRET_KEY": "only for this test"}
    command = [sys.executable, "manage.py", "evaluate", str(labels / "nightly.json"), "--budget", "400"]
    ended = subprocess.run(command, cwd=PROJECT, env={**os.environ, **nowhere}, capture_output=True, check=False)

    assert ended.returncode == 0
    assert ended.stdout.startswith(b"## Budget 400\n")
