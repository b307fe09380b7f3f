"""What the demo shows agrees with itself: windows, tokens, words, files, changes, commits, tests and times."""

import itertools
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.db.models import Sum
from django.db.models.expressions import RawSQL
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from continuity.models import Conversation, Event, User
from continuity.transcripts.base.model import Message, PartKind
from diagnostics.demo import sessions
from diagnostics.demo.outputs import cases
from diagnostics.demo.repository import Tree
from diagnostics.demo.schedule import MODELS, SCHEDULE
from diagnostics.demo.scripts import ScriptStep, theme
from diagnostics.demo.stretches import stretch_of
from diagnostics.services import demo

# What a tool's own instructions, its tools' descriptions and a project's rules take of a window, from and to.
UNSAID = (9_000, 20_000)
NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)
EACH = [pytest.param(key, number, id=f"{key}-{number}") for key, planned in SCHEDULE.items() for number in range(len(planned))]
REST = [pytest.param(*each.values, id=each.id, marks=pytest.mark.long) for each in EACH[1:]]
TESTS = "python -m pytest -q"


def stretch(key: str, number: int) -> sessions.Stretch:
    return stretch_of(key, SCHEDULE[key], number, NOW)


def played(key: str, number: int, seen: Callable[[Tree, ScriptStep, str], None]) -> None:
    """Writes a session step by step, and shows each with the files as they stand before it, and what was printed."""
    planned = stretch(key, number)
    for step in planned.steps:
        before = planned.tree.copy()
        *_, last = sessions.write(replace(planned, steps=[step]))
        seen(before, step, last.parts[0].text)


def ran(messages: list[Message]) -> Iterator[tuple[Mapping[str, object], str]]:
    for said, answered in itertools.pairwise(messages):
        for part in said.parts:
            if part.kind is PartKind.TOOL_CALL:
                yield part.input, answered.parts[0].text


@pytest.mark.django_db
def test_it_works(owner: User) -> None:
    """Every page shows as many tokens in a window as its transcript explains, and events in the order of time."""
    now = timezone.now()
    team = demo.load(owner=owner, now=now)
    # Agents in a group say what they say, and nobody knows of their windows.
    rows = Conversation.objects.filter(team=team, group=None).annotate(said=Sum("messages__tokens"))
    assert rows.count() > sum(len(planned) for planned in SCHEDULE.values())
    for row in rows:
        unsaid = row.context_tokens - vars(row)["said"]
        assert UNSAID[0] < unsaid < UNSAID[1], (row.title, row.context_tokens, unsaid)
        assert row.total_tokens == vars(row)["said"]
        assert row.context_tokens < (row.max_context_tokens or 0), row.title
    # Everything is told in the order in which it is said to have happened.
    told = Event.objects.filter(team=team, created_at__lt=now - timedelta(hours=1))
    # They get their positions, in which they were stored, when that is committed.
    times = list(told.order_by(RawSQL("continuity_event.inserted", ())).values_list("created_at", flat=True))
    wrong = [(str(earlier), str(later)) for earlier, later in itertools.pairwise(times) if earlier - later >= timedelta(hours=2)]
    assert not wrong


@pytest.mark.parametrize(("key", "number"), EACH)
def test_a_session_agrees_with_itself(key: str, number: int) -> None:
    planned = stretch(key, number)
    messages = sessions.write(planned)
    reported = [message.usage.context for message in messages if message.usage]
    assert reported == sorted(reported)
    assert reported[-1] < MODELS[planned.model].window
    times = [message.at for message in messages if message.at]
    assert times == sorted(times)
    assert times[0].weekday() < 5
    assert times[0].hour >= 7
    assert times[-1].hour < 18
    assert sessions.write(stretch(key, number)) == messages
    # Whatever was run printed something, but for a status of which there is none.
    silent = [call for call, printed in ran(messages) if not printed and "git status --short" not in call.values()]
    assert not silent


@pytest.mark.parametrize(("key", "number"), EACH)
def test_tests_that_fail_and_pass_are_as_many_as_there_are(key: str, number: int) -> None:
    def seen(tree: Tree, step: ScriptStep, printed: str) -> None:
        if step.what.startswith(TESTS):
            counted = re.findall(r"(\d+) (?:passed|failed)", printed.splitlines()[-1])
            assert sum(map(int, counted)) == cases(tree, shlex.split(step.what)[4:]), (step.what, printed[-200:])
            assert ("failed" in printed.splitlines()[-1]) is bool(step.code)

    played(key, number, seen)


def _in_folder(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


@pytest.mark.parametrize(("key", "number"), [EACH[0], *REST])
def test_what_a_session_says_of_its_tests_is_what_they_say(key: str, number: int, tmp_path: Path) -> None:
    """The made-up program is a program: its tests are run as often as the session says that they were."""
    numbers = itertools.count()
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "80", "PYTEST_ADDOPTS": "-p no:randomly -p no:cacheprovider"}
    env = {name: value for name, value in env.items() if not name.startswith(("PYTEST_XDIST", "DJANGO"))}

    def seen(tree: Tree, step: ScriptStep, printed: str) -> None:
        if not step.what.startswith(TESTS):
            return
        folder = tmp_path / str(next(numbers))
        _in_folder(tree.files, folder)
        command = [sys.executable, *shlex.split(step.what)[1:]]
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=120)
        assert done.returncode == step.code, (step.what, done.stdout[-1000:])
        assert _result(done.stdout) == _result(printed)

    played(key, number, seen)


def _result(printed: str) -> tuple[str, list[str]]:
    """How many failed and passed, and which failed."""
    lines = printed.strip().splitlines()
    return lines[-1].split(" in ")[0], [line.split(" - ")[0] for line in lines if line.startswith("FAILED")]


@pytest.mark.parametrize(("key", "number"), EACH)
def test_what_git_shows_as_changed_makes_the_files_of_it(key: str, number: int, tmp_path: Path) -> None:
    numbers = itertools.count()

    def seen(tree: Tree, step: ScriptStep, printed: str) -> None:
        if step.what == "git diff":
            folder = tmp_path / str(next(numbers))
            _in_folder(tree.committed, folder)
            subprocess.run(["git", "apply", "-"], cwd=folder, input=f"{printed}\n", text=True, check=True)
            changed = {path: (folder / path).read_text("utf-8") for path in tree.committed}
            assert changed == {path: tree.files[path] for path in tree.committed}

    played(key, number, seen)


def test_a_commit_counts_what_was_changed() -> None:
    planned = stretch("clock-change", 0)
    committed = [printed for _, printed in ran(sessions.write(planned)) if printed.startswith("[fix/clock-change ")]
    assert committed == [
        f"[fix/clock-change {planned.tree.head[:7]}] Measure days by their real length\n 2 files changed, 16 insertions(+), 5 deletions(-)"
    ]
    assert not planned.tree.dirty


def test_the_next_session_finds_the_files_as_the_last_one_left_them() -> None:
    first, second = stretch("partitions", 0), stretch("partitions", 1)
    sessions.write(first)
    assert second.tree == first.tree
    assert "tidewatch/archive.py" in second.tree.files


def test_a_piece_of_work_begins_with_what_was_merged_before_it() -> None:
    tree = stretch("clock-change", 0).tree
    assert [str(commit) for commit in tree.log[:2]] == ["4c1e9ab Add station import", "91d0f3e Retry gateway timeouts"]
    assert {"tidewatch/feed.py", "tests/test_retries.py"} <= set(tree.files)


def test_every_session_has_its_script() -> None:
    assert {key: len(planned) for key, planned in SCHEDULE.items()} == {key: len(theme(key).sessions) for key in SCHEDULE}


@given(st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC)))  # noqa: DTZ001
def test_whenever_it_is_loaded_it_is_a_fortnight_of_working_days(now: datetime) -> None:
    begins = [session.begin(now) for planned in SCHEDULE.values() for session in planned]
    assert all(begin.weekday() < 5 for begin in begins)
    assert len(set(begins)) == len(begins)
    assert timedelta(hours=9) < now - max(begins) + timedelta(hours=14)
    assert timedelta(days=11) < now - min(begins) < timedelta(days=15)
