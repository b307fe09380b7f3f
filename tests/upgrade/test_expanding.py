"""Migrations since the release before leave its tables usable: for what it writes, and for what it deletes."""

import uuid
from functools import cache

import pytest
from django.apps import apps
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from continuity.models import Event
from continuity.services.recording import conversations
from continuity.upgrades import release_before
from continuity.upgrades.foreign_keys import ACTIONS, _newer_models, follow_models
from tests.upgrade.expanding import breaches, text


@cache
def loader():
    return MigrationLoader(None)


def later():
    """Migrations of ours after the release before, in an order in which they can be applied."""
    plan = [node for leaf in sorted(loader().graph.leaf_nodes()) for node in loader().graph.forwards_plan(leaf)]
    return [
        key
        for key in dict.fromkeys(plan)
        if key[0] in release_before.LAST_MIGRATIONS and release_before.number_of(key[1]) > release_before.LAST_MIGRATIONS[key[0]]
    ]


def test_it_works():
    newer: set[tuple[str, str]] = set()
    found: list[str] = []
    for key in later():
        before = loader().project_state(key, at_end=False)
        found += [f"{key[0]}.{key[1]}: {breach}" for breach in breaches(loader().disk_migrations[key], before, newer)]
    assert found == []
    assert ("continuity", "agent") in newer


def migration(*operations):
    return type("Migration", (migrations.Migration,), {"operations": list(operations)})("0099_made_up", "app")


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        (migrations.AddField("old", "new", text(default="")), "gives it no value"),
        (migrations.AddField("old", "new", text(null=True)), ""),
        (migrations.AddField("old", "new", text(db_default="")), ""),
        (migrations.RemoveField("old", "name"), "release after"),
        (migrations.RenameField("old", "name", "other"), "release after"),
        (migrations.DeleteModel("old"), "release after"),
        (migrations.AlterField("old", "name", models.CharField(max_length=5)), "holds less"),
        (migrations.AlterField("old", "name", models.CharField(max_length=50)), ""),
        (migrations.AlterField("old", "name", models.CharField(max_length=20, choices=[("a", "a")])), ""),
        (migrations.AddConstraint("old", models.UniqueConstraint(fields=["name"], name="once")), "doesn't keep to it"),
        (migrations.AddIndex("old", models.Index(fields=["name"], name="quick")), ""),
        (migrations.RunSQL("ALTER TABLE old DROP COLUMN name"), "takes away"),
        (migrations.RunSQL("UPDATE old SET name = ''"), ""),
    ],
    ids=lambda each: type(each).__name__ if not isinstance(each, str) else each or "fine",
)
def test_the_rule_finds_what_breaks_the_release_before(operation, told):
    state = ProjectState()
    state.add_model(ModelState("app", "Old", [("id", models.BigAutoField(primary_key=True)), ("name", text())]))
    found = list(breaches(migration(operation), state, set()))
    assert [told in each for each in found] == ([True] if told else [])


def test_a_model_that_the_release_before_does_not_know_may_have_anything():
    made = migrations.CreateModel("New", [("id", models.BigAutoField(primary_key=True))])
    assert not list(breaches(migration(made, migrations.AddField("new", "must", text())), ProjectState(), set()))


@pytest.mark.django_db
def test_newer_tables_follow_what_older_ones_lose():
    """Every foreign key of a newer table does in the database what its model says."""
    wrong, seen = [], 0
    for app in release_before.LAST_MIGRATIONS:
        for model in apps.get_app_config(app).get_models(include_auto_created=True):
            for field in model._meta.local_concrete_fields if model._meta.model_name in _newer_models(app) else []:
                action = ACTIONS.get(getattr(field.remote_field, "on_delete", None))
                wanted = {"CASCADE": "c", "SET NULL": "n", None: None}[action]
                if wanted is not None:
                    seen += 1
                    wrong += [(model.__name__, field.name, found) for found in actions(model._meta.db_table, field.column) - {wanted}]
    assert wrong == []
    assert seen > 20


def actions(table, column):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.confdeltype FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attname = %s"
            " WHERE c.contype = 'f' AND c.conrelid = to_regclass(%s) AND c.conkey = ARRAY[a.attnum]",
            [column, table],
        )
        return {action for (action,) in cursor.fetchall()}


@pytest.mark.django_db(transaction=True)
def test_what_an_older_release_deletes_takes_newer_rows_along(team):
    made = conversations.create(team=team)
    event = Event.objects.filter(team=team).latest("created_at")
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO continuity_storedstate (kind, key, team_id, conversation_id, state, epoch, encoding, body, saved_at)"
            " VALUES ('session', %s, %s, %s, 'active', 1, 'plain', '', now())",
            [uuid.uuid4().hex, team.id, made.id],
        )
        cursor.execute("INSERT INTO continuity_publishedpayload (event_id, team_id, body) VALUES (%s, %s, '{}')", [event.id, team.id])
        cursor.execute("DELETE FROM continuity_event WHERE id = %s", [event.id])
        cursor.execute("SELECT count(*) FROM continuity_publishedpayload")
        assert cursor.fetchone() == (0,)


@pytest.mark.django_db(transaction=True)
def test_following_twice_changes_nothing():
    before = {
        (table, column): actions(table, column)
        for table, column in [("continuity_agent", "team_id"), ("continuity_agent", "working_on_id")]
    }
    follow_models(apps.get_app_config("continuity"))
    assert (
        {key: actions(*key) for key in before}
        == before
        == {("continuity_agent", "team_id"): {"c"}, ("continuity_agent", "working_on_id"): {"n"}}
    )
