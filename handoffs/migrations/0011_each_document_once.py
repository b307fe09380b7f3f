"""What a package holds in columns of its own is not kept in its whole form a second time.

Older rows stay as they are: a column is read over what they have of it in `rest`, so no table is written anew while it is locked.
"""

from django.db import migrations

COLUMNS = {
    "compactedSummary": "compacted_summary",
    "preservedAnchors": "anchors",
    "unfinishedWork": "pending_tasks",
    "state": "session_state",
    "metadata": "metadata",
    "directive": "continuation_directive",
    "fidelity": "fidelity",
}
TOGETHER = ", ".join(f"'{name}', {column}" for name, column in COLUMNS.items())


class Migration(migrations.Migration):
    dependencies = [("handoffs", "0010_recent")]

    operations = [
        migrations.RenameField("handoff", "package", "rest"),
        migrations.RunSQL(
            migrations.RunSQL.noop,
            f"UPDATE session_handoffs SET rest = rest || jsonb_build_object({TOGETHER})",  # noqa: S608  our own names
        ),
    ]
