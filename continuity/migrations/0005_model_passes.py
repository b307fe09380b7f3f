"""What a model was asked about, in the same team as its conversation."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('continuity', '0004_segments'),
    ]

    operations = [
        migrations.CreateModel(
            name='ModelPass',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('first_seq', models.PositiveIntegerField()),
                ('last_seq', models.PositiveIntegerField()),
                ('model', models.CharField(blank=True, max_length=120)),
                ('unusable', models.CharField(blank=True, max_length=60)),
                ('summary', models.TextField(blank=True)),
                ('anchors', models.PositiveIntegerField(default=0)),
                ('tasks', models.PositiveIntegerField(default=0)),
                ('rejected', models.JSONField(default=dict)),
                ('input_tokens', models.PositiveIntegerField(default=0)),
                ('output_tokens', models.PositiveIntegerField(default=0)),
                ('conversation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='model_passes', to='continuity.conversation')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
            ],
            options={
                'verbose_name_plural': 'model passes',
                'constraints': [models.UniqueConstraint(fields=('conversation', 'first_seq'), name='model_pass_once'), models.CheckConstraint(condition=models.Q(('last_seq__gte', models.F('first_seq'))), name='model_pass_in_order')],
            },
        ),
        migrations.RunSQL(
            "ALTER TABLE continuity_modelpass ADD CONSTRAINT continuity_modelpass_conversation_id_same_team "
            "FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
            "ALTER TABLE continuity_modelpass DROP CONSTRAINT continuity_modelpass_conversation_id_same_team",
        ),
    ]
