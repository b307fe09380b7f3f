"""What preparing reads past thousands of others: the open tasks, the open segment, the anchors of the last messages.

They are built beside those who write. One that was interrupted leaves an index that is not valid, which goes first.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

OPEN_TASKS = models.Index(
    condition=models.Q(models.Q(("status", 5), _negated=True), ("dismissed", False)),
    fields=["conversation", "-last_seq"],
    name="task_open",
)
OPEN_SEGMENT = models.Index(condition=models.Q(("closed", False)), fields=["conversation"], name="segment_open")
IN_MESSAGES = models.Index(
    condition=models.Q(("origin_conversation", None)), fields=["conversation", "source_seq"], name="anchor_in_its_messages"
)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("continuity", "0022_read_by_rank")]

    operations = [
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS task_open", migrations.RunSQL.noop),
        AddIndexConcurrently("task", OPEN_TASKS),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS segment_open", migrations.RunSQL.noop),
        AddIndexConcurrently("segment", OPEN_SEGMENT),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS anchor_in_its_messages", migrations.RunSQL.noop),
        AddIndexConcurrently("anchor", IN_MESSAGES),
    ]
