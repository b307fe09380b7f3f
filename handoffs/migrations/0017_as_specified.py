"""The defaults of CONT-04's tables and its index of roots; a chain's length counts handoffs that continue one another."""

import datetime
import django.contrib.postgres.functions
import django.db.models.deletion
import django.db.models.expressions
import django.utils.timezone
import uuid
from django.db import migrations, models


LENGTHS = """
UPDATE handoff_chains AS chain SET total_handoffs = counted.length
FROM (SELECT chain_id, count(DISTINCT position) AS length FROM session_handoffs GROUP BY chain_id) AS counted
WHERE counted.chain_id = chain.id AND chain.total_handoffs <> counted.length
"""


class Migration(migrations.Migration):

    dependencies = [
        ('continuity', '0029_context_windows'),
        ('handoffs', '0016_numbers'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='handoffchain',
            name='chain_root_once',
        ),
        migrations.AlterField(
            model_name='handoff',
            name='created_at',
            field=models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow(), default=django.utils.timezone.now, editable=False),
        ),
        migrations.AlterField(
            model_name='handoff',
            name='expires_at',
            field=models.DateTimeField(db_default=django.db.models.expressions.CombinedExpression(django.contrib.postgres.functions.TransactionNow(), '+', models.Value(datetime.timedelta(days=30)))),
        ),
        migrations.AlterField(
            model_name='handoff',
            name='id',
            field=models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
        ),
        migrations.AlterField(
            model_name='handoffchain',
            name='id',
            field=models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
        ),
        migrations.AlterField(
            model_name='handoffchain',
            name='last_activity_at',
            field=models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow()),
        ),
        migrations.AlterField(
            model_name='handoffchain',
            name='root_conversation',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='chains', to='continuity.conversation'),
        ),
        migrations.AlterField(
            model_name='handoffchain',
            name='started_at',
            field=models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow()),
        ),
        migrations.AlterField(
            model_name='handoffchain',
            name='total_handoffs',
            field=models.PositiveIntegerField(db_default=1, default=0),
        ),
        migrations.AddConstraint(
            model_name='handoffchain',
            constraint=models.UniqueConstraint(fields=('root_conversation',), name='idx_chains_root'),
        ),
        migrations.RunSQL(LENGTHS, migrations.RunSQL.noop, elidable=True),
    ]
