"""The rule for migrations after the release before: they only expand, so that it can go on working on the same tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

from continuity.upgrades.creating import singly

# What takes something away or renames it: the next release may do that, when nothing uses it any more.
CONTRACTS = (operations.RemoveField, operations.DeleteModel, operations.RenameField, operations.RenameModel, operations.AlterModelTable)
BINDING = (operations.AddConstraint,)
SQL = re.compile(r"\b(DROP\s+(TABLE|COLUMN)|RENAME|SET\s+NOT\s+NULL|ALTER\s+COLUMN)\b", re.IGNORECASE)


def breaches(migration: Migration, before: ProjectState, newer: set[tuple[str, str]]) -> Iterator[str]:
    """What of it would break the release before. `newer`: models (app, name) that it doesn't know, where anything goes."""
    state, label = before.clone(), migration.app_label
    for operation in singly(migration.operations):
        model = (label, str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower())
        if isinstance(operation, operations.CreateModel):
            newer.add(model)
        elif model not in newer:
            if isinstance(operation, CONTRACTS):
                yield f"{operation.describe()}: take it away in the release after this one"
            elif isinstance(operation, BINDING):
                yield f"{operation.describe()}: the release before doesn't keep to it"
            elif isinstance(operation, operations.AddField) and not _takes_no_value(operation.field):
                yield f"{operation.describe()}: the release before gives it no value; let it be null, or give it a db_default"
            elif isinstance(operation, operations.AlterField) and _narrower(state.models[model].fields[operation.name], operation.field):
                yield f"{operation.describe()}: it holds less than before"
        if isinstance(operation, operations.RunSQL) and SQL.search(str(operation.sql)):
            yield f"SQL that takes away or renames: {operation.sql}"
        operation.state_forwards(label, state)


def _takes_no_value(field: Any) -> bool:
    return bool(field.null or field.many_to_many or field.generated or field.db_default is not NOT_PROVIDED)


def _narrower(before: Any, after: Any) -> bool:
    length = (getattr(before, "max_length", None), getattr(after, "max_length", None))
    shorter = length[1] is not None and (length[0] is None or length[1] < length[0])
    return bool(shorter or (before.null and not after.null) or (after.unique and not before.unique) or type(before) is not type(after))


def text(**more: Any) -> models.CharField[Any, Any]:
    return models.CharField(max_length=20, **more)
