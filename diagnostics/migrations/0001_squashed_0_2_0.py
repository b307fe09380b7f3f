"""All that version 0.2.0 had made of this app's tables, in one step.

A new installation begins with it; one that has all that it replaces takes it as done; one that has a part of that goes on with the rest.
"""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.migrations import CreateModel

from continuity.upgrades.creating import CreateModels


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("diagnostics", "0001_metrics"),
        ("diagnostics", "0002_audits"),
        ("diagnostics", "0003_schedules"),
        ("diagnostics", "0004_alerts"),
        ("diagnostics", "0005_open_alerts"),
    ]
    dependencies = [("continuity", "0001_squashed_0_2_0"), ("handoffs", "0001_squashed_0_2_0")]

    operations = [
        CreateModels(
            CreateModel(
                name="Series",
                fields=[
                    ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                    ("instrument", models.CharField(max_length=80)),
                    ("id_label", models.CharField(blank=True, max_length=20)),
                    ("subject", models.CharField(blank=True, max_length=40)),
                    ("labels", models.JSONField(default=list)),
                    ("count", models.BigIntegerField(default=0)),
                    ("total", models.FloatField(default=0.0)),
                    ("buckets", django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                    ("since", models.DateTimeField()),
                    ("updated_at", models.DateTimeField()),
                ],
                options={
                    "verbose_name_plural": "series",
                    "indexes": [models.Index(fields=["id_label", "updated_at"], name="series_ids")],
                    "constraints": [models.UniqueConstraint(fields=("instrument", "subject", "labels"), name="series_once")],
                },
            ),
            CreateModel(
                name="Attempt",
                fields=[
                    ("id", models.UUIDField(primary_key=True, serialize=False)),
                    ("kind", models.CharField(choices=[("handoff", "Handoff"), ("resumption", "Resumption")], max_length=10)),
                    ("at", models.DateTimeField()),
                    ("succeeded", models.BooleanField()),
                    ("reason", models.CharField(blank=True, max_length=80)),
                    ("duration_ms", models.FloatField()),
                    ("anchor_preservation", models.FloatField(null=True)),
                    ("task_preservation", models.FloatField(null=True)),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                    ("subject", models.UUIDField(null=True)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["team", "kind", "at"], name="attempt_team_kind_at"),
                        models.Index(fields=["at"], name="attempt_at"),
                    ],
                },
            ),
            CreateModel(
                name="AuditReport",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("through_seq", models.PositiveIntegerField()),
                    ("anchors", models.PositiveIntegerField()),
                    ("tasks", models.PositiveIntegerField()),
                    ("files", models.PositiveIntegerField()),
                    ("package_anchors", models.PositiveIntegerField(default=0)),
                    ("differing", models.PositiveIntegerField()),
                    ("differences", models.JSONField(default=list)),
                    ("duration_ms", models.FloatField()),
                    (
                        "conversation",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="audits", to="continuity.conversation"),
                    ),
                    (
                        "handoff",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="audits",
                            to="handoffs.handoff",
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["team", "-created_at", "-id"], name="audit_team_recent")],
                },
            ),
            CreateModel(
                name="ScheduledRun",
                fields=[
                    ("name", models.CharField(max_length=120, primary_key=True, serialize=False)),
                    ("started_at", models.DateTimeField(null=True)),
                    ("finished_at", models.DateTimeField(null=True)),
                    ("seconds", models.FloatField(null=True)),
                    ("runs", models.PositiveBigIntegerField(default=0)),
                    ("failures", models.PositiveBigIntegerField(default=0)),
                    ("failed_at", models.DateTimeField(null=True)),
                    ("error", models.CharField(blank=True, max_length=120)),
                ],
            ),
            CreateModel(
                name="Alert",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("subject_id", models.UUIDField()),
                    ("rule", models.CharField(max_length=40)),
                    ("severity", models.CharField(max_length=10)),
                    ("message", models.CharField(max_length=200)),
                    ("retries", models.PositiveIntegerField()),
                    ("since", models.DateTimeField()),
                    ("raised_at", models.DateTimeField()),
                    ("over_at", models.DateTimeField(null=True)),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["team", "-raised_at", "-id"], name="alert_latest"),
                        models.Index(condition=models.Q(("over_at", None)), fields=["raised_at"], name="alert_open"),
                    ],
                },
            ),
        ),
    ]
