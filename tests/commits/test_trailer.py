"""The trailer that names a session: last of the message, whose words stay, as git itself writes and reads it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from continuity.client.commands.tools import trailer
from continuity.client.commands.tools.trailer import MessageReading, with_trailer
from tests.commits.test_why import git, work

__all__ = ["work"]

# What git's hook runs here: the command itself, in a session called x.
HOOK = """#!/bin/sh
exec {python} -c '
import argparse, pathlib, sys
from continuity.client.commands.tools import trailer
trailer._session = lambda: "x"
trailer.run(argparse.Namespace(file=pathlib.Path(sys.argv[1]), rest=sys.argv[2:]))
' "$@"
"""
DONE = f"{trailer.NAME}: x"
HASHES = "#12: fix the tides\n\nIt was late.\n#12 is done\nwith this."


@pytest.fixture
def hooked(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(Path(trailer.__file__).parents[4]))
    monkeypatch.delenv("GIT_EDITOR", raising=False)
    hook = work / ".git" / "hooks" / "prepare-commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.format(python=sys.executable))
    hook.chmod(0o755)
    return work


def message(folder: Path) -> str:
    return git(folder, "log", "-1", "--format=%B")


def test_it_works(hooked: Path) -> None:
    git(hooked, "commit", "-q", "--allow-empty", "-m", HASHES)
    assert message(hooked) == f"{HASHES}\n\n{DONE}"
    read = subprocess.run(["git", "interpret-trailers", "--parse"], input=message(hooked), cwd=hooked, capture_output=True, text=True)
    assert read.stdout == f"{DONE}\n"


@pytest.mark.parametrize(
    ("settings", "given", "written"),
    [
        ([], ["-m", "#12: fix"], "#12: fix"),
        (["core.commentChar=;"], ["-m", "; fix", "-m", "Signed-off-by: Ada"], "; fix\n\nSigned-off-by: Ada"),
        (["commit.cleanup=strip"], ["-m", "Fix\n\n# to be gone"], "Fix"),
        ([], ["-e", "-m", "Fix\n#12 goes\nthe tides"], "Fix\nthe tides"),
        ([], ["-e", "-v", "-m", "Fix"], "Fix"),
        (["core.commentChar=;"], ["-e", "-v", "-m", "#12: fix"], "#12: fix"),
        (["core.commentChar=auto"], ["-e", "-m", "#12: fix"], "#12: fix"),
        (["commit.cleanup=scissors"], ["-e", "-m", "#12: fix\n\n#13 too"], "#12: fix\n\n#13 too"),
        (["commit.status=false", "commit.cleanup=whitespace"], ["-e", "-m", "#12: fix"], "#12: fix"),
    ],
    ids=["subject", "sign", "strip", "editor", "verbose", "sign-verbose", "auto", "scissors", "whitespace"],
)
def test_git_finds_it_last(hooked: Path, monkeypatch: pytest.MonkeyPatch, settings: list[str], given: list[str], written: str) -> None:
    monkeypatch.setenv("GIT_EDITOR", "true")
    (hooked / "table.txt").write_text(f"# {trailer.NAME}: of the diff\n")
    git(hooked, "add", ".")
    for setting in settings:
        git(hooked, "config", *setting.split("="))
    git(hooked, "commit", "-q", *given)
    between = "\n" if "Signed-off-by" in written else "\n\n"
    assert message(hooked) == f"{written}{between}{DONE}"


@pytest.mark.parametrize("given", [[], ["-e", "-m", "#12: goes"], ["-t", "template"]], ids=["nothing", "comments", "template"])
def test_a_commit_that_git_gives_up_is_given_up(hooked: Path, given: list[str]) -> None:
    (hooked / "template").write_text("Subject of the week\n")
    about = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--allow-empty", *given]
    done = subprocess.run(about, cwd=hooked, capture_output=True, text=True, env={**os.environ, "GIT_EDITOR": "true"})
    assert (done.returncode, "Aborting commit" in done.stderr) == (1, True)


MESSAGES = [
    ("Fix it\n", "Fix it\n\nContinuity-Session: x\n"),
    ("Fix it\n\nSigned-off-by: Ada\n", "Fix it\n\nSigned-off-by: Ada\nContinuity-Session: x\n"),
    ("\n\nFix: it\n", "\n\nFix: it\n\nContinuity-Session: x\n"),
    ("\n# Please enter\n# the message\n", "\n# Please enter\n# the message\n"),
    ("Fix it\n# Please enter\n# the message\n", "Fix it\n\nContinuity-Session: x\n\n# Please enter\n# the message\n"),
    ("Fix it\n\nwith words\n", "Fix it\n\nwith words\n\nContinuity-Session: x\n"),
    ("Fix it\n\nContinuity-Session: y\n", "Fix it\n\nContinuity-Session: y\n"),
]


@pytest.mark.parametrize(("before", "after"), MESSAGES, ids=["subject", "trailers", "blank", "empty", "editor", "words", "named"])
def test_the_trailer_stands_behind_the_words(before: str, after: str) -> None:
    assert with_trailer(before, "x") == after


@pytest.mark.parametrize("words", [HASHES, "#12: fix", "; x\n\n# ------------------------ >8 ------------------------\nwords"])
def test_where_no_editor_comes_every_line_is_a_word(words: str) -> None:
    assert with_trailer(f"{words}\n", "x", MessageReading(edited=False)) == f"{words}\n\n{DONE}\n"


def test_words_of_another_encoding_stay(hooked: Path) -> None:
    (hooked / "words").write_bytes(b"Stra\xdfe\n")
    git(hooked, "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-F", "words")
    assert message(hooked) == f"Straße\n\n{DONE}"
