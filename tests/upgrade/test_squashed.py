"""One migration of each app stands for all that the release before had: it makes the same tables, on whichever way a folder comes here."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import psycopg
import pytest
from django.db import connection
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.graph import MigrationGraph
from django.db.migrations.loader import MigrationLoader

from config.embedded.binaries import postgres_binaries
from continuity.upgrades.release_before import LAST_MIGRATIONS, number_of
from tests.platform.running import PROJECT
from tests.upgrade.databases import a_database
from tests.upgrade.unsquashed import unsquashed

NAME = "0001_squashed_0_2_0"
# What every dump has anew, and how Postgres 18 calls a constraint after the first name of its column: nothing refers to that.
BESIDE = re.compile(r"^\\(un)?restrict .*\n| CONSTRAINT \w+_not_null(?= NOT NULL)", re.MULTILINE)
Step = tuple[str, ...]
OLD, NEW = ("-m", "tests.upgrade.unsquashed", "migrate"), ("manage.py", "migrate")
# Where a folder was left by an earlier release, before `make run` of this one migrates it.
BEFORE: dict[str, list[Step]] = {
    "the release before": [(*OLD, app, str(number).zfill(4)) for app, number in reversed(LAST_MIGRATIONS.items())],
    "one that is older": [(*OLD, "handoffs", "0009"), (*OLD, "continuity", "0020")],
    "one that came after it": [OLD],
}


def named(number: int, app: str, loader: MigrationLoader) -> tuple[str, str]:
    return next(key for key in loader.disk_migrations if key[0] == app and number_of(key[1]) == number)


def test_it_works() -> None:
    """Each replaces all that there were, in their order, and leads to the same models."""
    squashed = MigrationLoader(None)
    with unsquashed():
        before = MigrationLoader(None)
    for app, last in LAST_MIGRATIONS.items():
        replaced = squashed.disk_migrations[app, NAME].replaces
        assert replaced == sorted(key for key in before.disk_migrations if key[0] == app and number_of(key[1]) <= last)
    states = (
        before.project_state([named(last, app, before) for app, last in LAST_MIGRATIONS.items()]),
        squashed.project_state([(app, NAME) for app in LAST_MIGRATIONS]),
    )
    assert {key for key in states[0].models if key[0] in LAST_MIGRATIONS} == {key for key in states[1].models if key[0] in LAST_MIGRATIONS}
    for one, other in (states, states[::-1]):
        assert MigrationAutodetector(one, other).changes(graph=MigrationGraph()) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("app", LAST_MIGRATIONS)
def test_it_is_noted_as_applied_in_the_transaction_that_makes_the_tables(app: str) -> None:
    loader = MigrationLoader(None)
    state = loader.project_state((app, NAME), at_end=False)
    with connection.schema_editor(collect_sql=True, atomic=False) as editor:
        loader.disk_migrations[app, NAME].apply(state, editor, collect_sql=True)
        assert editor.collected_sql
        assert editor.deferred_sql == []


def run(database: str, step: Step) -> None:
    command = [sys.executable, *step, "--skip-checks", "--verbosity", "0"]
    done = subprocess.run(command, cwd=PROJECT, env={**os.environ, "DATABASE_URL": database}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def made_by(*steps: Step) -> tuple[str, list[tuple[str, str]]]:
    """All tables, functions, triggers, indexes and names, and the migrations that count as applied."""
    with a_database() as database:
        for step in steps:
            run(database, step)
        dump = [str(postgres_binaries() / "pg_dump"), "--schema-only", database]
        tables = subprocess.run(dump, capture_output=True, text=True, check=True).stdout
        with psycopg.connect(database) as server:
            applied = server.execute("SELECT app, name FROM django_migrations ORDER BY app, name").fetchall()
    return BESIDE.sub("", tables), applied


@pytest.fixture(scope="module")
def fresh() -> tuple[str, list[tuple[str, str]]]:
    return made_by(NEW)


@pytest.mark.long  # the models are compared in the short run
@pytest.mark.parametrize("before", BEFORE)
def test_every_way_leads_to_the_same_tables(fresh: tuple[str, list[tuple[str, str]]], before: str) -> None:
    tables, applied = made_by(*BEFORE[before], NEW)
    assert tables == fresh[0]
    assert applied == fresh[1]
    assert ("continuity", NAME) in applied


@pytest.mark.long  # nobody goes back behind a release that is replaced
def test_it_is_taken_back_whole() -> None:
    with a_database() as database:
        run(database, NEW)
        for app in reversed(LAST_MIGRATIONS):
            run(database, (*NEW, app, "zero"))
        with psycopg.connect(database) as server:
            left = "SELECT proname FROM pg_proc WHERE proname ~ '^continuity' UNION SELECT relname FROM pg_class WHERE relname ~ %s"
            assert server.execute(left, ["^(continuity|handoff|session_handoffs|diagnostics)"]).fetchall() == []
