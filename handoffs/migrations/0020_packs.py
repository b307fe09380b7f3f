"""Repositories, the caches of packs, their sessions' state, what was captured; a row's team is its repository's and conversation's."""

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
        ('continuity', '0052_checked_out_commits'),
        ('handoffs', '0019_ratings'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Repository',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('key', models.CharField(max_length=48)),
                ('name', models.CharField(max_length=200)),
                ('remote', models.CharField(blank=True, max_length=1000)),
                ('roots', models.JSONField(blank=True, default=list)),
                ('seen_at', models.DateTimeField()),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
            ],
            options={
                'verbose_name_plural': 'repositories',
                'db_table': 'continuity_repository',
                'indexes': [
                    models.Index(fields=['team', '-seen_at'], name='repository_latest'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('team', 'key'), name='repository_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='RankedSearch',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('digest', models.CharField(max_length=48)),
                ('used_at', models.DateTimeField()),
                ('commit', models.CharField(blank=True, max_length=64)),
                ('found', models.JSONField(default=dict)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.conversation')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
                ('repository', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='handoffs.repository')),
            ],
            options={
                'verbose_name_plural': 'ranked searches',
                'db_table': 'continuity_search_cache',
                'indexes': [
                    models.Index(fields=['repository', '-used_at'], name='ranked_search_latest'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('repository', 'digest'), name='ranked_search_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='FileSummary',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('digest', models.CharField(max_length=48)),
                ('used_at', models.DateTimeField()),
                ('path', models.TextField()),
                ('blob', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField(default=0)),
                ('symbols', models.JSONField(blank=True, default=list)),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
                ('repository', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='handoffs.repository')),
            ],
            options={
                'verbose_name_plural': 'file summaries',
                'db_table': 'continuity_file_cache',
                'indexes': [
                    models.Index(fields=['repository', 'used_at'], name='file_summary_oldest'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('repository', 'digest'), name='file_summary_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Artifact',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('kind', models.CharField(choices=[('landmine', 'landmine'), ('adr', 'adr'), ('devlog', 'devlog')], max_length=10)),
                ('trigger', models.CharField(choices=[('direction', 'direction'), ('tests', 'tests'), ('boundary', 'boundary'), ('diff', 'diff')], max_length=10)),
                ('subject', models.CharField(max_length=200)),
                ('title', models.CharField(max_length=200)),
                ('sentences', models.JSONField(default=list)),
                ('files', models.JSONField(blank=True, default=list)),
                ('text', models.TextField(blank=True)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('accepted', 'Accepted'), ('rejected', 'Rejected')], default='draft', max_length=8)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.conversation')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
                ('repository', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='artifacts', to='handoffs.repository')),
            ],
            options={
                'db_table': 'continuity_artifacts',
                'indexes': [
                    models.Index(fields=['repository', 'status', '-created_at'], name='artifact_by_status'),
                    models.Index(fields=['team', '-created_at'], name='artifact_team_recent'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('conversation', 'subject'), name='artifact_subject_once'),
                    models.CheckConstraint(condition=models.Q(('status__in', ['draft', 'accepted', 'rejected'])), name='artifact_status_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='StoredPack',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('digest', models.CharField(max_length=48)),
                ('used_at', models.DateTimeField()),
                ('fingerprint', models.CharField(max_length=48)),
                ('head', models.CharField(blank=True, max_length=64)),
                ('changed', models.CharField(max_length=64)),
                ('provider', models.CharField(blank=True, max_length=40)),
                ('mode', models.CharField(max_length=8)),
                ('profile', models.CharField(max_length=12)),
                ('lessons', models.CharField(max_length=48)),
                ('anchor', models.TextField(blank=True)),
                ('context', models.TextField(blank=True)),
                ('delta', models.TextField(blank=True)),
                ('paths', models.JSONField(blank=True, default=list)),
                ('all_in_delta', models.BooleanField(default=True)),
                ('conversation', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.conversation')),
                ('repository', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='handoffs.repository')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
            ],
            options={
                'db_table': 'continuity_pack_cache',
                'indexes': [
                    models.Index(fields=['repository', '-used_at'], name='stored_pack_latest'),
                    models.Index(fields=['conversation', '-used_at'], name='stored_pack_of_session'),
                ],
                'constraints': [
                    models.UniqueConstraint(fields=('repository', 'digest'), name='stored_pack_once'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PackSession',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('machine', models.CharField(blank=True, max_length=120)),
                ('root', models.TextField(blank=True)),
                ('seen_at', models.DateTimeField()),
                ('turns', models.PositiveIntegerField(default=0)),
                ('hits', models.PositiveIntegerField(default=0)),
                ('built', models.PositiveIntegerField(default=0)),
                ('given_bytes', models.PositiveBigIntegerField(default=0)),
                ('would_bytes', models.PositiveBigIntegerField(default=0)),
                ('baseline_bytes', models.PositiveBigIntegerField(default=0)),
                ('snapshots', models.PositiveIntegerField(default=0)),
                ('snapshot_at', models.DateTimeField(blank=True, null=True)),
                ('snapshot_turns', models.PositiveIntegerField(default=0)),
                ('snapshot_diff', models.PositiveIntegerField(default=0)),
                ('diff_lines', models.PositiveIntegerField(default=0)),
                ('committed_lines', models.PositiveIntegerField(default=0)),
                ('calls', models.JSONField(blank=True, default=list)),
                ('files', models.JSONField(blank=True, default=list)),
                ('arrived', models.JSONField(blank=True, default=dict)),
                ('fingerprint', models.CharField(blank=True, max_length=48)),
                ('wanted', models.CharField(blank=True, max_length=10)),
                ('reasons', models.JSONField(blank=True, default=list)),
                ('low_token', models.BooleanField(default=False)),
                ('captured_seq', models.PositiveIntegerField(default=0)),
                ('conversation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.conversation')),
                ('team', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
                ('repository', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='handoffs.repository')),
                ('last_pack', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='handoffs.storedpack')),
            ],
            options={
                'db_table': 'continuity_state',
                'indexes': [
                    models.Index(fields=['repository', '-seen_at'], name='pack_session_latest'),
                ],
            },
        ),
        migrations.CreateModel(
            name='PackPolicy',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('mode', models.CharField(choices=[('off', 'Off'), ('passive', 'Passive'), ('snapshot', 'Snapshot'), ('rehydrate', 'Rehydrate')], default='passive', max_length=10)),
                ('contents', models.BooleanField(default=False)),
                ('boundaries', models.JSONField(blank=True, default=list)),
                ('diff_lines', models.PositiveIntegerField(default=200)),
                ('drafts_a_day', models.PositiveIntegerField(default=40)),
                ('updated_at', models.DateTimeField(auto_now=True)),
                ('team', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team')),
                ('updated_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'pack policies',
                'constraints': [models.CheckConstraint(condition=models.Q(('mode__in', ['off', 'passive', 'snapshot', 'rehydrate'])), name='pack_mode_known')],
            },
        ),
        migrations.AddConstraint(
            model_name='repository',
            constraint=models.UniqueConstraint(fields=('id', 'team'), name='repository_id_team'),
        ),
        *[
            same_team(table, 'repository_id', 'continuity_repository')
            for table in ('continuity_file_cache', 'continuity_search_cache', 'continuity_pack_cache', 'continuity_state', 'continuity_artifacts')
        ],
        *[
            same_team(table, 'conversation_id', 'continuity_conversation')
            for table in ('continuity_search_cache', 'continuity_pack_cache', 'continuity_state', 'continuity_artifacts')
        ],
    ]
