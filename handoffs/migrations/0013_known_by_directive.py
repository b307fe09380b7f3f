"""By what a session was told it is known which resumption it goes on from. The index is built beside those who write."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("handoffs", "0012_sorted")]

    operations = [
        migrations.AddField("resumption", "directive_digest", models.CharField(blank=True, max_length=64, default=""), preserve_default=False),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS resumption_directive", migrations.RunSQL.noop),
        AddIndexConcurrently(
            "resumption",
            models.Index(fields=["team", "directive_digest"], condition=~models.Q(directive_digest=""), name="resumption_directive"),
        ),
    ]
