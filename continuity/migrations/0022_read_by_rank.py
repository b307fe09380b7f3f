"""What preparing reads of long conversations: the anchors that must be told, the most important others, and the files read last.

They are built beside those who write. One that was interrupted leaves an index that is not valid, which goes first.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

BINDING = models.Index(
    condition=models.Q(models.Q(("critical", True), ("pinned", True), _connector="OR"), ("state", "current")),
    fields=["conversation", "-importance", "-source_seq"],
    name="anchor_binding_by_value",
)
OTHERS = models.Index(
    condition=models.Q(("critical", False), ("pinned", False), ("state", "current")),
    fields=["conversation", "-importance", "-source_seq"],
    name="anchor_others_by_value",
)
READS = models.Index(condition=models.Q(("action", "read")), fields=["conversation", "-last_seq"], name="file_touch_reads")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("continuity", "0021_dismissed_jobs")]

    operations = [
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS anchor_binding_by_value", migrations.RunSQL.noop),
        AddIndexConcurrently("anchor", BINDING),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS anchor_others_by_value", migrations.RunSQL.noop),
        AddIndexConcurrently("anchor", OTHERS),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS file_touch_reads", migrations.RunSQL.noop),
        AddIndexConcurrently("filetouch", READS),
    ]
