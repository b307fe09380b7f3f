"""When a conversation is idle, invalidated or erased: what is left to do, and what is left of it."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('continuity', '0007_latest_anchors'),
    ]

    operations = [
        migrations.CreateModel(
            name='Cleanup',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('error', models.CharField(blank=True, max_length=200)),
                ('alerted_at', models.DateTimeField(blank=True, null=True)),
                ('done_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('conversation', models.UUIDField()),
                ('scope', models.CharField(choices=[('conversation', 'A whole conversation'), ('place', 'One span of a message'), ('words', 'Words, wherever they stand')], max_length=12)),
                ('seq', models.PositiveIntegerField(blank=True, null=True)),
                ('part', models.PositiveIntegerField(blank=True, null=True)),
                ('start', models.PositiveIntegerField(blank=True, null=True)),
                ('end', models.PositiveIntegerField(blank=True, null=True)),
                ('source', models.CharField(blank=True, max_length=64)),
                ('erased_as', models.CharField(max_length=200)),
                ('removed', models.JSONField(default=dict)),
                ('completed_at', models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.AddField(
            model_name='conversation',
            name='conflicts',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='conversation',
            name='rewinds',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddIndex(
            model_name='conversation',
            index=models.Index(condition=models.Q(('status', 'active')), fields=['updated_at'], name='conversation_activity'),
        ),
        migrations.AddField(
            model_name='cleanup',
            name='conversation',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='cleanup', to='continuity.conversation'),
        ),
        migrations.AddField(
            model_name='cleanup',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='continuity.team'),
        ),
        migrations.AddField(
            model_name='erasure',
            name='erased_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='erasure',
            name='job',
            field=models.OneToOneField(on_delete=django.db.models.deletion.RESTRICT, related_name='erasure', to='continuity.job'),
        ),
        migrations.AddField(
            model_name='erasure',
            name='team',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='erasures', to='continuity.team'),
        ),
        migrations.AddIndex(
            model_name='cleanup',
            index=models.Index(condition=models.Q(('done_at', None)), fields=['due_at'], name='cleanup_due'),
        ),
        migrations.AddIndex(
            model_name='erasure',
            index=models.Index(condition=models.Q(('completed_at', None)), fields=['created_at'], name='erasure_incomplete'),
        ),
        migrations.AddIndex(
            model_name='erasure',
            index=models.Index(condition=models.Q(('source', ''), _negated=True), fields=['team', 'source'], name='erasure_source'),
        ),
        migrations.AddConstraint(
            model_name='erasure',
            constraint=models.UniqueConstraint(condition=models.Q(('scope', 'conversation')), fields=('conversation',), name='erasure_of_conversation_once'),
        ),
        migrations.AddConstraint(
            model_name='erasure',
            constraint=models.CheckConstraint(condition=models.Q(('scope__in', ['conversation', 'place', 'words'])), name='erasure_scope_known'),
        ),
        migrations.RunSQL(
            "ALTER TABLE continuity_cleanup ADD CONSTRAINT continuity_cleanup_conversation_id_same_team "
            "FOREIGN KEY (conversation_id, team_id) REFERENCES continuity_conversation (id, team_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
            "ALTER TABLE continuity_cleanup DROP CONSTRAINT continuity_cleanup_conversation_id_same_team",
        ),
    ]
