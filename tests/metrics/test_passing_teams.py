"""Teams of measurements go away again: beside workers, after a kill, and a folder never prepared is told of in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import IntegrityError, connection
from django.db.models.signals import pre_delete

from continuity.models import Conversation, Job, Team
from continuity.services.jobs import jobs
from continuity.services.recording import conversations
from diagnostics.services import temporary_teams
from tests.words import said

KIND = "bench", "Benchmark"

pytestmark = pytest.mark.django_db(transaction=True)


def slugs() -> set[str]:
    return set(Team.objects.filter(slug__startswith="bench-").values_list("slug", flat=True))


def test_it_works() -> None:
    with temporary_teams.passing_team(*KIND) as team:
        conversation = conversations.create(team=team)
        conversations.append(team=team, conversation_id=conversation.id, messages=[said("Never write to the table harbour.")])
        jobs.submit(team=team, kind="distil", arguments={}, conversation=conversation)
        assert slugs() == {team.slug}
    assert slugs() == set()
    assert not Conversation.objects.filter(id=conversation.id).exists()


def test_what_a_worker_adds_while_the_team_is_removed_does_not_keep_it(request: pytest.FixtureRequest) -> None:
    """Django looks first for what refers to the team, and then deletes: a row that comes in between would be left without its team."""
    with temporary_teams.passing_team(*KIND) as team:
        conversation = conversations.create(team=team)

        def write() -> None:
            with suppress(IntegrityError):
                Job.objects.create(team=team, kind="distil", conversation=conversation)
            connection.close()

        worker = threading.Thread(target=write)

        def in_between(**_: Any) -> None:
            worker.start()
            worker.join(2)

        pre_delete.connect(in_between, sender=Team)
        request.addfinalizer(lambda: pre_delete.disconnect(in_between, sender=Team))
    worker.join()
    assert slugs() == set()
    assert not Job.objects.filter(conversation_id=conversation.id).exists()


def test_what_a_killed_run_left_is_removed_by_the_next_and_a_living_one_is_not() -> None:
    code = (
        "import django, os, signal; django.setup()\n"
        "from diagnostics.services import temporary_teams\n"
        "with temporary_teams.passing_team('bench', 'Benchmark') as team: os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "DATABASE_URL": url}, cwd=settings.BASE_DIR, timeout=120, check=False)
    (left,) = slugs()
    named_alike = Team.objects.create(slug="bench-press", name="Benchmark")
    with temporary_teams.passing_team(*KIND) as living:
        assert temporary_teams.remove_leftovers(*KIND) == 1
        assert slugs() == {living.slug, named_alike.slug}
    assert left not in slugs()


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The address of a database in which nothing is."""
    name = f"empty_{uuid4().hex[:8]}"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as asking:
        asking.execute(f'CREATE DATABASE "{name}"')
        yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
        asking.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


OTHERS = [pytest.param(["bench", "--soak", "1"], marks=pytest.mark.long), pytest.param(["seed"], marks=pytest.mark.long)]


@pytest.mark.parametrize("command", [["bench", "-n", "1"], *OTHERS], ids=lambda command: " ".join(command))
def test_a_folder_never_prepared_is_told_of_in_one_line(empty_database: str, command: list[str]) -> None:
    told = subprocess.run(
        [sys.executable, "manage.py", *command],
        env={**os.environ, "DATABASE_URL": empty_database},
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert told.stderr.splitlines()[-1].startswith("continuity: the database is not prepared yet")
