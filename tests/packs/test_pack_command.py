"""`manage.py pack` and `continuity pack`, as somebody runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.packs.place import repository

PROJECT = Path(__file__).parents[2]


def ran(*arguments, given=""):
    env = {**os.environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=PROJECT, env=env, input=given, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def asked(tmp_path):
    file = tmp_path / "prompt.txt"
    file.write_text("parse_header is slow")
    return file


def test_it_works(tmp_path, asked):
    tree = repository(tmp_path / "r")
    ended = ran("manage.py", "pack", "--repository", tree, "--prompt-file", asked, "--json")
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert told["files"][0] == "src/parser.py" and "parse_header" in told["context"]


def test_text_and_standard_input(tmp_path):
    ended = ran("manage.py", "pack", "--repository", repository(tmp_path / "r"), "--prompt-file", "-", given="parse_header")
    assert ended.returncode == 0 and "1. src/parser.py (defines what the request names" in ended.stdout


@pytest.mark.parametrize(
    "wrong", [["--repository", "/nowhere"], ["--sessions", "/nowhere"], ["--prompt-file", "/nowhere"], ["--budget", "0"]]
)
def test_bad_input_is_told(tmp_path, asked, wrong):
    ended = ran("manage.py", "pack", "--repository", tmp_path, "--prompt-file", asked, *wrong)
    assert ended.returncode == 2 and ended.stderr and not ended.stdout


def test_a_folder_that_can_not_be_read_is_bad_input(tmp_path, asked, monkeypatch, capsys):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("handoffs.packs.oneshot.session_files", refuse)
    with pytest.raises(SystemExit) as ended:
        call_command("pack", "--repository", tmp_path, "--prompt-file", asked, "--sessions", tmp_path)
    assert ended.value.code == 2 and "Permission denied" in capsys.readouterr().err


def test_the_client_ranks_without_a_server(tmp_path):
    tree = repository(tmp_path / "r")
    ended = ran("-m", "continuity.client", "pack", "parse_header", "--repository", tree, "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["files"][0] == "src/parser.py"
    assert "1. src/parser.py" in ran("-m", "continuity.client", "pack", "--repository", tree, given="parse_header").stdout
    assert ran("-m", "continuity.client", "pack", "x", "--repository", tmp_path / "none").returncode == 2
    assert ran("-m", "continuity.client", "pack", "x", "--repository", tree, "--budget", "0").returncode == 2
    assert "no file fits" in ran("-m", "continuity.client", "pack", "x", "--repository", tree, "--budget", "9").stderr
