"""The latest anchors of a team, which a search goes back through before it asks the index of words.

It is built beside those who write. One that was interrupted leaves an index that is not valid, which goes first.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("continuity", "0019_files_before_the_beginning")]

    operations = [
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS anchor_latest", migrations.RunSQL.noop),
        AddIndexConcurrently("anchor", models.Index(fields=["team", "-created_at", "-found_seq"], name="anchor_latest")),
    ]
