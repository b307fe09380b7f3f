"""What a package holds in columns of its own is not kept in its whole form a second time."""

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
WITHOUT = " ".join(f"- '{name}'" for name in COLUMNS)
TOGETHER = ", ".join(f"'{name}', {column}" for name, column in COLUMNS.items())


class Migration(migrations.Migration):
    dependencies = [("handoffs", "0010_recent")]

    operations = [
        migrations.RenameField("handoff", "package", "rest"),
        migrations.RunSQL(
            f"UPDATE session_handoffs SET rest = rest {WITHOUT}",
            f"UPDATE session_handoffs SET rest = rest || jsonb_build_object({TOGETHER})",  # noqa: S608  our own names
        ),
    ]
