"""Migrations of tables that grow: nobody who writes waits while they are gone through."""

import io

import pytest
from django.core.management import call_command
from django.db import connection

from continuity.models import FoldState
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from tests.upgrade.unsquashed import forget_squashed, unsquashed

pytestmark = pytest.mark.django_db(transaction=True)  # what may not run in a transaction is not shown in one either


def statements(app: str, number: str) -> str:
    out = io.StringIO()
    call_command("sqlmigrate", app, number, stdout=out, no_color=True)
    return out.getvalue()


BUILT = [("continuity", "0020", "anchor_latest"), ("handoffs", "0012", "handoff_team_loss"), ("handoffs", "0012", "handoff_team_size")]


@pytest.mark.parametrize(("app", "number", "index"), BUILT)
def test_it_works(app, number, index):
    built = statements(app, number)
    assert f'CREATE INDEX CONCURRENTLY "{index}"' in built
    assert "BEGIN" not in built


@pytest.mark.parametrize(("app", "number", "index"), BUILT)
def test_an_interrupted_index_is_built_again(app, number, index):
    built = statements(app, number)
    assert 0 <= built.find(f"DROP INDEX CONCURRENTLY IF EXISTS {index}") < built.find(f'CREATE INDEX CONCURRENTLY "{index}"')


def test_packages_are_not_written_anew():
    renamed = statements("handoffs", "0011")
    assert "RENAME COLUMN" in renamed
    assert "UPDATE" not in renamed


@pytest.mark.parametrize("index", [index for _app, _number, index in BUILT])
def test_the_index_is_there_and_valid(index):
    with connection.cursor() as cursor:
        cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = %s::regclass", [index])
        assert cursor.fetchall() == [(True,)]


@pytest.mark.parametrize(("app", "number"), [("continuity", "0026"), ("handoffs", "0015")])
def test_versions_become_numbers_without_writing_tables_anew(app, number):
    built = statements(app, number)
    assert 'ADD COLUMN "rules_version" integer DEFAULT 0 NOT NULL' in built
    assert " TYPE " not in built and "UPDATE" not in built


def test_what_has_the_number_that_older_releases_get_is_folded_anew(team):
    conversation = conversations.create(team=team)
    FoldState.objects.create(team=team, conversation=conversation, state={"rules_version": "13"}, rules_version=0)
    assert fold_runner.catch_up(conversation_id=conversation.id).newer is None


@pytest.mark.long  # thirty migrations back and forth
def test_what_older_releases_folded_is_older_than_every_number(team):
    conversation = conversations.create(team=team)
    FoldState.objects.create(team=team, conversation=conversation, state={"rules_version": "13"}, rules_version=13)
    with unsquashed():
        call_command("migrate", "continuity", "0025", verbosity=0)
    forget_squashed()
    call_command("migrate", verbosity=0)  # those of other apps stand on it
    assert FoldState.objects.get().rules_version == 0
    assert fold_runner.catch_up(conversation_id=conversation.id).newer is None
