"""What the models can't say: a child's team is its conversation's, and events are numbered by a sequence."""

from django.db import migrations

CHILDREN = ["message", "anchor", "task", "filetouch", "foldstate", "foldcheckpoint", "segment"]


def same_team(table: str, column: str = "conversation_id", parent: str = "continuity_conversation") -> migrations.RunSQL:
    name = f"{table}_{column}_same_team"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({column}, team_id) REFERENCES {parent} (id, team_id) "
        "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )


class Migration(migrations.Migration):
    dependencies = [("continuity", "0001_initial")]

    operations = [
        migrations.RunSQL("CREATE SEQUENCE continuity_event_position", "DROP SEQUENCE continuity_event_position"),
        *(same_team(f"continuity_{child}") for child in CHILDREN),
    ]
