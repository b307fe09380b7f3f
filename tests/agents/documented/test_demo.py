"""`make agents-demo` with real processes: what is killed, hangs and is replaced is told as it happens."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from diagnostics.agents_demo.__main__ import Stage, tell
from tests.platform.running import PROJECT, Application, key_of

pytestmark = pytest.mark.processes


def in_order(told: str, *wanted: str) -> None:
    """Each of these patterns, one after the other."""
    place = 0
    for each in wanted:
        found = re.compile(each).search(told, place)
        assert found, f"{each!r} is missing after:\n{told[:place]}\n--- in ---\n{told[place:]}"
        place = found.end()


def check(told: str) -> None:
    in_order(
        told,
        "billing is ready",
        "search is ready",
        "writer is ready",
        "counter is ready",
        "then billing is killed",
        r"task 1, the 1\. that I have done",
        r"task 2, the 2\. that I have done",
        "billing is recovering: killed",
        r"task 3, the 3\. that I have done",  # it goes on counting: its state outlived it
        "billing is ready",
        "A person orders a restart",
        "counter is recovering: ordered",
        "counter is ready",
        "search hangs",
        "search is recovering: zombie",
        "search is ready",
        "writer is killed",
        "writer is recovering: killed",
    )
    end = told[told.index("writer is recovering: killed") :]
    assert "writer is stopped: replaced" in end
    in_order(end, "search: I go on for writer", "The user asked: .*Please write the invoices of November", r"Next is Jones\.")
    assert re.search(r"^ +- Never send an invoice twice\. \[a\d+!\]$", end, re.MULTILINE), "the rule binds whoever goes on"


def test_it_works(for_agents: Callable[[], Application], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The story, on the Continuity of the other tests."""
    application = for_agents()
    stage = Stage(f"http://127.0.0.1:{application.port}", key_of(application), tmp_path)
    try:
        tell(stage)
    finally:
        stage.end()
    told = capfd.readouterr()
    sys.stderr.write(told.err)  # Shown beside what was told where that is not as it should be.
    check(told.out)
    assert "search does not answer: it is ended" in told.err


@pytest.mark.long
def test_all_of_it() -> None:
    """As `make agents-demo ARGS=--once` runs it, with a Continuity of its own."""
    command = [sys.executable, "-m", "diagnostics.agents_demo", "--once"]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        told, _ = process.communicate(timeout=600)
    assert process.returncode == 0, told
    assert "sign in as owner@example.com" in told
    check(told)
    assert "search does not answer: it is ended" in told
