"""Handoff notes with their statements, and the policy's switch to ask agents for them; a row's team is its conversation's."""

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
        ('handoffs', '0017_as_specified'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='handoffpolicy',
            name='ask_for_notes',
            field=models.BooleanField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name='StoredNote',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('agent', 'Agent'), ('person', 'Person'), ('summary', 'Summary'), ('model', 'Model')], max_length=8)),
                ('through_seq', models.PositiveIntegerField()),
                ('total_tokens', models.PositiveBigIntegerField(default=0)),
                ('model', models.CharField(blank=True, max_length=120)),
                ('conversation', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='continuity.conversation')),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('made_with', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='continuity.apikey')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('conversation', 'number'), name='note_numbered_once'),
                    models.UniqueConstraint(condition=models.Q(('kind', 'summary')), fields=('conversation', 'through_seq'), name='note_of_summary_once'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['agent', 'person', 'summary', 'model'])), name='note_kind_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='NoteStatement',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('place', models.PositiveSmallIntegerField()),
                ('key', models.CharField(max_length=24)),
                ('part', models.CharField(choices=[('request', 'request'), ('now', 'now'), ('next', 'next'), ('remaining', 'remaining'), ('rules', 'rules'), ('decisions', 'decisions'), ('broken_approaches', 'broken approaches'), ('history', 'history'), ('files', 'files'), ('lessons', 'lessons')], max_length=20)),
                ('text', models.TextField()),
                ('original', models.TextField(blank=True)),
                ('verdict', models.CharField(choices=[('supported', 'supported'), ('uncontradicted', 'uncontradicted'), ('contradicted', 'contradicted')], max_length=16)),
                ('reason', models.TextField(blank=True)),
                ('unsaid', models.BooleanField(default=False)),
                ('person', models.BooleanField(default=False)),
                ('dismissed', models.BooleanField(default=False)),
                ('changed_at', models.DateTimeField(blank=True, null=True)),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('changed_with', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='continuity.apikey')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
                ('note', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='statements', to='handoffs.storednote')),
            ],
            options={
                'ordering': ['place'],
                'constraints': [
                    models.UniqueConstraint(fields=('note', 'place'), name='note_statement_placed_once'),
                    models.UniqueConstraint(fields=('note', 'key'), name='note_statement_once'),
                    models.CheckConstraint(condition=models.Q(('part__in', ['request', 'now', 'next', 'remaining', 'rules', 'decisions', 'broken_approaches', 'history', 'files', 'lessons'])), name='note_statement_part_known'),
                    models.CheckConstraint(condition=models.Q(('verdict__in', ['supported', 'uncontradicted', 'contradicted'])), name='note_statement_verdict_known'),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name='storednote',
            constraint=models.UniqueConstraint(fields=('id', 'team'), name='note_id_team'),
        ),
        same_team('handoffs_storednote', 'conversation_id', 'continuity_conversation'),
        same_team('handoffs_notestatement', 'note_id', 'handoffs_storednote'),
    ]
