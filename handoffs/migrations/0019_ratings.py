"""Ratings of received handoffs; a row's team is its handoff's."""


import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


def same_team(table, column, parent):
    name = f"{table}_{column}_same_team"
    return migrations.RunSQL(
        f"ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ({column}, team_id) REFERENCES {parent} (id, team_id) "
        "ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
        f"ALTER TABLE {table} DROP CONSTRAINT {name}",
    )


class Migration(migrations.Migration):

    dependencies = [
        ('continuity', '0030_replies_by_path'),
        ('handoffs', '0018_handoff_notes'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HandoffRating',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('kind', models.CharField(choices=[('useful', 'Useful'), ('wrong_line', 'Wrong Line'), ('missing', 'Missing')], max_length=12)),
                ('useful', models.BooleanField(blank=True, null=True)),
                ('key', models.CharField(blank=True, max_length=32)),
                ('line', models.PositiveIntegerField(default=0)),
                ('reference', models.CharField(blank=True, max_length=12)),
                ('excerpt', models.TextField(blank=True)),
                ('text', models.TextField(blank=True)),
                ('version', models.PositiveIntegerField()),
                ('handoff', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='handoffs.handoff')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_with', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='continuity.apikey')),
                ('resumption', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='handoffs.resumption')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
            ],
            options={
                'indexes': [models.Index(fields=['handoff', 'created_at'], name='handoff_rating_order'), models.Index(fields=['team', '-created_at'], name='handoff_rating_team_recent')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind__in', ['useful', 'wrong_line', 'missing'])), name='handoff_rating_kind_known'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'useful'), ('useful__isnull', False)), models.Q(models.Q(('kind', 'useful'), _negated=True), ('useful', None)), _connector='OR'), name='handoff_rating_useful'), models.UniqueConstraint(condition=models.Q(('made_with', None)), fields=('handoff', 'made_by', 'kind', 'key'), name='handoff_rating_once_by_person'), models.UniqueConstraint(fields=('handoff', 'made_with', 'kind', 'key'), name='handoff_rating_once_by_key')],
            },
        ),
        same_team('handoffs_handoffrating', 'handoff_id', 'session_handoffs'),
    ]
