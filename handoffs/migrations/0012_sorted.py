"""The team's handoffs by loss and by size, as its list sorts them.

The indexes are built beside those who write. One that was interrupted leaves an index that is not valid, which goes first.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.models.functions import Cast

LOSS = Cast((models.Value(1.0) - models.F("fidelity_score")) * models.Value(1_000_000), models.BigIntegerField())


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("handoffs", "0011_each_document_once")]

    operations = [
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS handoff_team_loss", migrations.RunSQL.noop),
        AddIndexConcurrently("handoff", models.Index(models.F("team"), LOSS.desc(), models.F("id").desc(), name="handoff_team_loss")),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS handoff_team_size", migrations.RunSQL.noop),
        AddIndexConcurrently("handoff", models.Index(fields=["team", "-token_count", "-id"], name="handoff_team_size")),
    ]
