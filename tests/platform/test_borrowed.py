"""A `manage.py` command finds the servers that run, else starts a pair for its own duration; pure commands start nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from config.embedded import leftovers
from config.supervision.temporary_servers import needs_servers
from tests.platform.running import PROJECT, Application, clean_environment, eventually

group = [pytest.mark.processes]
ASK = "from django.db import connection as c; c.ensure_connection(); print(c.settings_dict['PORT'])"


def start_command(data_dir: Path, *arguments: str) -> subprocess.Popen[str]:
    env = clean_environment(data_dir)
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def meet(reached: Path, awaited: Path) -> str:
    """Code that tells where it is, and goes on when another is where it should be."""
    waits = f"all(time.sleep(0.05) or not Path({str(awaited)!r}).exists() for _ in range(1200))"
    return f"import time; from pathlib import Path; Path({str(reached)!r}).touch(); assert not {waits}"


def finish(command: subprocess.Popen[str]) -> str:
    said, complained = command.communicate(timeout=60)
    assert command.returncode == 0, complained
    return said.strip().splitlines()[-1] if said.strip() else ""


def test_it_works() -> None:
    assert needs_servers(["migrate"])


@pytest.mark.parametrize(
    "line", ["", "help", "handoff file.jsonl", "evaluate", "makemigrations --check", "migrate --help", "--version", "check"]
)
def test_pure_command_needs_no_server(line: str) -> None:
    assert not needs_servers(line.split())


@pytest.mark.parametrize("line", ["shell -c pass", "check --database default", "bench --json", "bootstrap"])
def test_other_command_needs_servers(line: str) -> None:
    assert needs_servers(line.split())


def test_handoff_reads_no_settings(tmp_path: Path) -> None:
    env = clean_environment(tmp_path / "data", PORT="none")
    command = [sys.executable, "manage.py", "handoff", str(tmp_path / "absent.jsonl")]
    ended = subprocess.run(command, cwd=PROJECT, env=env, text=True, capture_output=True, timeout=60, check=False)
    assert ended.returncode == 2
    assert "absent.jsonl" in ended.stderr
    assert "PORT" not in ended.stderr


@pytest.mark.processes
def test_pure_command_makes_no_data_folder(tmp_path: Path) -> None:
    finish(start_command(tmp_path / "data", "help"))
    assert not (tmp_path / "data").exists()


@pytest.mark.processes
def test_two_commands_at_once_share_one_pair_which_ends_with_them(tmp_path: Path) -> None:
    data = tmp_path / "data"
    begun, joined, left = (tmp_path / name for name in ("begun", "joined", "left"))
    first = start_command(data, "shell", "-v0", "-c", f"{ASK}; {meet(begun, joined)}")
    assert eventually(begun.exists)
    second = start_command(data, "shell", "-v0", "-c", f"{ASK}; {meet(joined, left)}; c.close(); {ASK}")
    assert first.stderr is not None
    assert "another command still uses these servers" in first.stderr.readline()
    left.touch()
    assert finish(first) == finish(second)
    assert leftovers.working_in(data / "postgres") == []
    assert leftovers.working_in(data / "valkey") == []


@pytest.mark.processes
def test_command_beside_a_supervisor_uses_its_servers(application: Application) -> None:
    run = application.run()
    assert run is not None
    port = finish(start_command(application.data_dir, "shell", "-v0", "-c", ASK))
    assert f":{port}/" in run.database_url
    assert application.has("postgres", "valkey", "web")
