"""Tables that an older release does not know: what it deletes must take their rows along, or its delete would fail.

Django deletes the rows that refer to a row by itself, in the models it knows. While two releases work on one database, the older one knows
nothing of the newer one's tables; so the database does there what Django would: `ON DELETE CASCADE` or `SET NULL`, as the model says.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.apps import AppConfig
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import CreateModel
from django.db.migrations.loader import MigrationLoader

from continuity.upgrades.creating import singly
from continuity.upgrades.release_before import LAST_MIGRATIONS, number_of

ACTIONS: dict[Any, str] = {models.CASCADE: "CASCADE", models.SET_NULL: "SET NULL"}
_WITHOUT = """
SELECT t.relname, a.attname, c.conname
FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_attribute a ON a.attrelid = c.conrelid AND ARRAY[a.attnum] = c.conkey
WHERE c.contype = 'f' AND c.confdeltype = 'a' AND t.relnamespace = 'public'::regnamespace
"""


def follow_models(app_config: AppConfig, using: str = DEFAULT_DB_ALIAS, **_: Any) -> None:
    """Called after migrating: gives the app's newer tables what their models say about deleting. Doing it twice changes nothing."""
    connection = connections[using]
    with connection.cursor() as cursor:
        cursor.execute(_WITHOUT)
        without = {(table, column): name for table, column, name in cursor.fetchall()}
    newer = {
        model for model in app_config.get_models(include_auto_created=True) if model._meta.model_name in _newer_models(app_config.label)
    }
    for model in newer:
        for field in model._meta.local_concrete_fields:
            action = ACTIONS.get(getattr(field.remote_field, "on_delete", None))
            name = without.get((model._meta.db_table, field.column))
            if action is not None and name is not None:
                _follow(connection, field, name, action)


def _follow(connection: BaseDatabaseWrapper, field: Any, name: str, action: str) -> None:
    quote = connection.ops.quote_name
    table, parent = field.model._meta.db_table, field.remote_field.model._meta
    refers = f"FOREIGN KEY ({quote(field.column)}) REFERENCES {quote(parent.db_table)} ({quote(field.target_field.column)})"
    again = f"ADD CONSTRAINT {quote(name)} {refers} ON DELETE {action} DEFERRABLE INITIALLY DEFERRED NOT VALID"
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {quote(table)} DROP CONSTRAINT {quote(name)}, {again}")
        # By itself, since it reads the table: nobody who writes waits for that.
        cursor.execute(f"ALTER TABLE {quote(table)} VALIDATE CONSTRAINT {quote(name)}")


@cache
def _newer_models(app: str) -> set[str]:
    """The names of the models that migrations made after the release before."""
    last = LAST_MIGRATIONS.get(app)
    if last is None:
        return set()
    found: set[str] = set()
    for (label, name), migration in MigrationLoader(None).disk_migrations.items():
        if label == app and number_of(name) > last:
            found |= {each.name.lower() for each in singly(migration.operations) if isinstance(each, CreateModel)}
    return found
