"""The latest anchors of a team, which a search goes back through before it asks the index of words."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("continuity", "0019_files_before_the_beginning")]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX anchor_latest ON continuity_anchor (team_id, created_at DESC, found_seq DESC)", "DROP INDEX anchor_latest"
        ),
    ]
