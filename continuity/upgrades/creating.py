"""Many new tables in one step, for a migration that stands for all of a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateModels(Operation):
    """Creates the models in their order; they may refer to each other. Django builds all related classes anew after each single
    `CreateModel`, here once: dozens of tables that all lead to a few took most of a first start.
    """

    def __init__(self, *created: CreateModel) -> None:
        self.created: Sequence[CreateModel] = created

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # Whoever asks for it next has it built of all models.
        for each in self.created:
            each.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in self.created:
            each.database_forwards(app_label, schema_editor, from_state, to_state)
        # Constraints and indexes now, not at the end of the transaction: only where nothing is left for that does Django note the migration
        # as applied inside of the transaction. A start that was killed between the two found tables that nobody had noted.
        left, schema_editor.deferred_sql = list(schema_editor.deferred_sql), []
        for statement in left:
            schema_editor.execute(statement)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in reversed(self.created):
            each.database_backwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:
        return f"Create models {', '.join(each.name for each in self.created)}"


def singly(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations with each `CreateModel` by itself."""
    for each in operations:
        yield from each.created if isinstance(each, CreateModels) else (each,)
