"""What the models can't say: a handoff's team is its conversation's and its chain's."""

from django.db import migrations

REFERENCES = [
    ("session_handoffs", "conversation_id", "continuity_conversation"),
    ("session_handoffs", "chain_id", "handoff_chains"),
    ("handoff_chains", "root_conversation_id", "continuity_conversation"),
    ("handoffs_resumption", "handoff_id", "session_handoffs"),
    ("handoffs_resumption", "conversation_id", "continuity_conversation"),
]


def same_team(table: str, column: str, parent: str) -> migrations.RunSQL:
    name = f"{table}_{column}_same_team"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({column}, team_id) REFERENCES {parent} (id, team_id) "
        "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )


class Migration(migrations.Migration):
    dependencies = [("handoffs", "0001_initial"), ("continuity", "0002_integrity")]

    operations = [same_team(*reference) for reference in REFERENCES]
