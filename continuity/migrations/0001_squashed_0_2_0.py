"""All that version 0.2.0 had made of this app's tables, in one step.

A new installation begins with it; one that has all that it replaces takes it as done; one that has a part of that goes on with the rest.
What only older rows needed is not in it: when something was last said in a conversation (0025), and what context window it had (0029).
Columns stand in the order in which they came about: words of messages are older than their placeholders.
"""

import uuid

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.contrib.postgres.operations import BtreeGinExtension
from django.db import migrations, models
from django.db.migrations import CreateModel

from continuity.models.conversations import newest_detectors
from continuity.upgrades.creating import CreateModels
from continuity.upgrades.sql_files import from_file


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("continuity", "0001_initial"),
        ("continuity", "0002_integrity"),
        ("continuity", "0003_relay"),
        ("continuity", "0004_segments"),
        ("continuity", "0005_model_passes"),
        ("continuity", "0006_file_symbols"),
        ("continuity", "0007_latest_anchors"),
        ("continuity", "0008_life_and_erasing"),
        ("continuity", "0009_event_order"),
        ("continuity", "0010_notices"),
        ("continuity", "0011_usage_curve"),
        ("continuity", "0012_search"),
        ("continuity", "0013_demo_team"),
        ("continuity", "0014_people_and_audit"),
        ("continuity", "0015_numbered_once"),
        ("continuity", "0016_outline"),
        ("continuity", "0017_conversation_folder"),
        ("continuity", "0018_waiting_tasks"),
        ("continuity", "0019_files_before_the_beginning"),
        ("continuity", "0020_anchor_latest"),
        ("continuity", "0021_dismissed_jobs"),
        ("continuity", "0022_read_by_rank"),
        ("continuity", "0023_read_in_long_conversations"),
        ("continuity", "0024_placeholder"),
        ("continuity", "0025_active_at"),
        ("continuity", "0026_rules_in_order"),
        ("continuity", "0027_secrets_version"),
        ("continuity", "0028_isolation"),
        ("continuity", "0029_context_windows"),
        ("continuity", "0030_replies_by_path"),
    ]
    dependencies = [("auth", "0012_alter_user_first_name_max_length")]

    operations = [
        BtreeGinExtension(),
        CreateModels(
            CreateModel(
                name="Team",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("slug", models.SlugField(unique=True)),
                    ("name", models.CharField(max_length=120)),
                    (
                        "tier",
                        models.PositiveSmallIntegerField(
                            choices=[(0, "Core"), (1, "Writer Pro"), (2, "Teams"), (3, "Enterprise")], default=2
                        ),
                    ),
                    ("demo", models.BooleanField(default=False)),
                    ("windows", models.JSONField(blank=True, db_default={}, default=dict)),
                ],
                options={
                    "constraints": [models.CheckConstraint(condition=models.Q(("tier__in", [0, 1, 2, 3])), name="team_tier_known")],
                },
            ),
            CreateModel(
                name="User",
                fields=[
                    ("password", models.CharField(max_length=128, verbose_name="password")),
                    ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                    (
                        "is_superuser",
                        models.BooleanField(
                            default=False,
                            help_text="Designates that this user has all permissions without explicitly assigning them.",
                            verbose_name="superuser status",
                        ),
                    ),
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("email", models.EmailField(max_length=254, unique=True)),
                    ("name", models.CharField(blank=True, max_length=120)),
                    ("is_staff", models.BooleanField(default=False)),
                    ("is_active", models.BooleanField(default=True)),
                    (
                        "time_zone",
                        models.CharField(db_default="UTC", default="UTC", help_text="An IANA name, such as Europe/Berlin", max_length=64),
                    ),
                    (
                        "groups",
                        models.ManyToManyField(
                            blank=True,
                            help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                            related_name="user_set",
                            related_query_name="user",
                            to="auth.group",
                            verbose_name="groups",
                        ),
                    ),
                    (
                        "user_permissions",
                        models.ManyToManyField(
                            blank=True,
                            help_text="Specific permissions for this user.",
                            related_name="user_set",
                            related_query_name="user",
                            to="auth.permission",
                            verbose_name="user permissions",
                        ),
                    ),
                ],
                options={
                    "constraints": [models.UniqueConstraint(django.db.models.functions.text.Lower("email"), name="user_email_any_case")],
                },
            ),
            CreateModel(
                name="Cursor",
                fields=[
                    ("consumer", models.CharField(max_length=120, primary_key=True, serialize=False)),
                    ("position", models.BigIntegerField(default=0)),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                ],
            ),
            CreateModel(
                name="Conversation",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("title", models.CharField(blank=True, max_length=300)),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("active", "Active"),
                                ("idle", "Idle"),
                                ("handed_off", "Handed Off"),
                                ("expired", "Expired"),
                                ("invalidated", "Invalidated"),
                                ("invalidated_pending_cleanup", "Invalidated Pending Cleanup"),
                            ],
                            default="active",
                            max_length=28,
                        ),
                    ),
                    ("source_tool", models.CharField(blank=True, max_length=40)),
                    ("external_id", models.CharField(blank=True, max_length=200)),
                    ("provider", models.CharField(blank=True, max_length=40)),
                    ("model", models.CharField(blank=True, max_length=120)),
                    ("max_context_tokens", models.PositiveIntegerField(blank=True, null=True)),
                    ("cwd", models.TextField(blank=True)),
                    ("branch", models.TextField(blank=True)),
                    ("metadata", models.JSONField(blank=True, default=dict)),
                    ("version", models.PositiveIntegerField(default=1)),
                    ("expires_at", models.DateTimeField()),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    ("last_seq", models.PositiveIntegerField(default=0)),
                    ("folded_seq", models.PositiveIntegerField(default=0)),
                    ("refold_from", models.PositiveIntegerField(blank=True, null=True)),
                    ("message_count", models.PositiveIntegerField(default=0)),
                    ("turn_count", models.PositiveIntegerField(default=0)),
                    ("total_tokens", models.PositiveBigIntegerField(default=0)),
                    ("system_tokens", models.PositiveBigIntegerField(default=0)),
                    ("context_tokens", models.PositiveBigIntegerField(default=0)),
                    ("last_message_tokens", models.PositiveIntegerField(default=0)),
                    ("reported_usage_id", models.CharField(blank=True, max_length=200)),
                    (
                        "owner",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="conversations",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "resumed_from",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="successors",
                            to="continuity.conversation",
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="conversations", to="continuity.team"),
                    ),
                    ("conflicts", models.PositiveIntegerField(default=0)),
                    ("rewinds", models.PositiveIntegerField(default=0)),
                    (
                        "active_at",
                        models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now),
                    ),
                    ("secrets_version", models.PositiveSmallIntegerField(db_default=1, default=newest_detectors)),
                    ("window_evidence", models.JSONField(blank=True, db_default={}, default=dict)),
                    (
                        "window_source",
                        models.CharField(
                            blank=True,
                            choices=[
                                ("setting", "setting"),
                                ("team", "team"),
                                ("client", "client"),
                                ("statusline", "statusline"),
                                ("transcript", "transcript"),
                                ("usage", "usage"),
                                ("model", "model"),
                                ("", ""),
                            ],
                            db_default="",
                            default="",
                            max_length=12,
                        ),
                    ),
                    ("given", models.JSONField(blank=True, db_default={}, default=dict)),
                ],
                options={
                    "indexes": [
                        models.Index(
                            condition=models.Q(("last_seq__gt", models.F("folded_seq"))),
                            fields=["updated_at"],
                            name="conversation_unfolded",
                        ),
                        models.Index(
                            condition=models.Q(("status__in", ["active", "idle"])), fields=["expires_at"], name="conversation_expiry"
                        ),
                        models.Index(fields=["team", "created_at"], name="conversation_created"),
                        django.contrib.postgres.indexes.HashIndex(
                            condition=models.Q(("cwd", ""), _negated=True), fields=["cwd"], name="conversation_folder"
                        ),
                        models.Index(fields=["team", "-active_at", "-id"], name="conversation_latest"),
                        models.Index(condition=models.Q(("status", "active")), fields=["active_at"], name="conversation_quiet"),
                        models.Index(
                            condition=models.Q(
                                (
                                    "context_tokens__gte",
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("max_context_tokens"), "/", models.Value(10)
                                        ),
                                        "*",
                                        models.Value(7),
                                    ),
                                )
                            ),
                            fields=["team", "-active_at"],
                            name="conversation_fullest",
                        ),
                        models.Index(fields=["secrets_version"], name="conversation_secrets"),
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("external_id", ""), _negated=True),
                            fields=("team", "source_tool", "external_id"),
                            name="conversation_source_once",
                        ),
                        models.UniqueConstraint(fields=("id", "team"), name="conversation_id_team"),
                        models.CheckConstraint(
                            condition=models.Q(
                                ("status__in", ["active", "idle", "handed_off", "expired", "invalidated", "invalidated_pending_cleanup"])
                            ),
                            name="conversation_status_known",
                        ),
                        models.CheckConstraint(condition=models.Q(("max_context_tokens__gt", 0)), name="conversation_window_positive"),
                    ],
                },
            ),
            CreateModel(
                name="Task",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("key", models.CharField(max_length=24)),
                    ("description", models.TextField()),
                    (
                        "status",
                        models.PositiveSmallIntegerField(
                            choices=[
                                (0, "Not_Started"),
                                (1, "In_Progress"),
                                (2, "Blocked"),
                                (3, "Awaiting_Input"),
                                (4, "Near_Completion"),
                                (5, "Completed"),
                            ]
                        ),
                    ),
                    ("steps_done", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ("steps_left", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ("blocking_reason", models.TextField(blank=True)),
                    ("tool_id", models.CharField(blank=True, max_length=200)),
                    ("method", models.CharField(max_length=60)),
                    ("first_seq", models.PositiveIntegerField()),
                    ("last_seq", models.PositiveIntegerField()),
                    ("dismissed", models.BooleanField(default=False)),
                    ("edited_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="tasks", to="continuity.conversation"
                        ),
                    ),
                    (
                        "edited_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "origin_conversation",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="continuity.conversation",
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
                    "indexes": [
                        models.Index(fields=["conversation", "status", "-last_seq"], name="task_by_status"),
                        models.Index(
                            condition=models.Q(("dismissed", False), ("status__in", (2, 3))), fields=["team"], name="task_waiting"
                        ),
                        models.Index(
                            condition=models.Q(models.Q(("status", 5), _negated=True), ("dismissed", False)),
                            fields=["conversation", "-last_seq"],
                            name="task_open",
                        ),
                    ],
                    "constraints": [models.UniqueConstraint(fields=("conversation", "key"), name="task_once")],
                },
            ),
            CreateModel(
                name="Segment",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("first_seq", models.PositiveIntegerField()),
                    ("last_seq", models.PositiveIntegerField()),
                    ("topic", models.CharField(blank=True, max_length=300)),
                    ("tokens", models.PositiveIntegerField(default=0)),
                    ("closed", models.BooleanField(default=False)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="segments",
                            to="continuity.conversation",
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    ("told_at", models.DateTimeField(blank=True, null=True)),
                ],
                options={
                    "indexes": [
                        models.Index(condition=models.Q(("closed", True), ("told_at", None)), fields=["created_at"], name="segment_untold"),
                        models.Index(condition=models.Q(("closed", False)), fields=["conversation"], name="segment_open"),
                    ],
                    "constraints": [
                        models.UniqueConstraint(fields=("conversation", "first_seq"), name="segment_once"),
                        models.CheckConstraint(condition=models.Q(("last_seq__gte", models.F("first_seq"))), name="segment_in_order"),
                    ],
                },
            ),
            CreateModel(
                name="Message",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("seq", models.PositiveIntegerField()),
                    ("external_id", models.CharField(max_length=200)),
                    (
                        "role",
                        models.CharField(
                            choices=[("user", "user"), ("assistant", "assistant"), ("system", "system"), ("tool", "tool")], max_length=10
                        ),
                    ),
                    ("parts", models.JSONField()),
                    ("tokens", models.PositiveIntegerField(default=0)),
                    ("at", models.DateTimeField(null=True)),
                    ("model", models.CharField(blank=True, max_length=120)),
                    ("usage", models.JSONField(null=True)),
                    ("usage_id", models.CharField(blank=True, max_length=200)),
                    ("agent", models.CharField(blank=True, max_length=200)),
                    ("cwd", models.TextField(blank=True)),
                    ("branch", models.TextField(blank=True)),
                    ("device", models.CharField(blank=True, max_length=120)),
                    ("line", models.PositiveIntegerField(default=0)),
                    ("secrets", models.JSONField(default=list)),
                    ("abandoned", models.BooleanField(default=False)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="messages",
                            to="continuity.conversation",
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
                    "ordering": ["seq"],
                    "constraints": [
                        models.UniqueConstraint(fields=("conversation", "seq"), name="message_seq_once"),
                        models.UniqueConstraint(fields=("conversation", "external_id"), name="message_external_once"),
                    ],
                },
            ),
            CreateModel(
                name="Membership",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    (
                        "role",
                        models.PositiveSmallIntegerField(choices=[(0, "Viewer"), (1, "Member"), (2, "Operator"), (3, "Owner")], default=1),
                    ),
                    (
                        "user",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to=settings.AUTH_USER_MODEL
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="continuity.team"),
                    ),
                ],
                options={
                    "constraints": [
                        models.UniqueConstraint(fields=("user", "team"), name="membership_once"),
                        models.CheckConstraint(condition=models.Q(("role__in", [0, 1, 2, 3])), name="membership_role_known"),
                    ],
                },
            ),
            CreateModel(
                name="Job",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("kind", models.CharField(max_length=40)),
                    ("arguments", models.JSONField(default=dict)),
                    (
                        "status",
                        models.CharField(
                            choices=[("queued", "Queued"), ("running", "Running"), ("done", "Done"), ("failed", "Failed")],
                            default="queued",
                            max_length=10,
                        ),
                    ),
                    ("done", models.BigIntegerField(default=0)),
                    ("total", models.BigIntegerField(default=0)),
                    ("result", models.JSONField(default=dict)),
                    ("error", models.TextField(blank=True)),
                    ("warnings", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), default=list, size=None)),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("lease_until", models.DateTimeField(null=True)),
                    ("lease_token", models.UUIDField(null=True)),
                    ("finished_at", models.DateTimeField(null=True)),
                    (
                        "conversation",
                        models.ForeignKey(
                            null=True, on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="continuity.conversation"
                        ),
                    ),
                    (
                        "created_by",
                        models.ForeignKey(
                            null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="continuity.team")),
                    ("dismissed", models.BooleanField(db_default=False, default=False)),
                ],
                options={
                    "indexes": [
                        models.Index(
                            condition=models.Q(("status__in", ["queued", "running"])), fields=["lease_until"], name="job_unfinished"
                        ),
                        models.Index(fields=["team", "-created_at"], name="job_team_recent"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("status__in", ["queued", "running", "done", "failed"])), name="job_status_known"
                        )
                    ],
                },
            ),
            CreateModel(
                name="IdempotentReply",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("key", models.CharField(max_length=200)),
                    ("request_digest", models.CharField(max_length=64)),
                    ("status", models.PositiveSmallIntegerField(null=True)),
                    ("body", models.JSONField(null=True)),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                    ("path", models.CharField(blank=True, db_default="", default="", max_length=300)),
                ],
                options={
                    "verbose_name_plural": "idempotent replies",
                    "indexes": [models.Index(fields=["created_at"], name="idempotent_reply_age")],
                    "constraints": [models.UniqueConstraint(fields=("team", "key"), name="idempotent_reply_once")],
                },
            ),
            CreateModel(
                name="FoldState",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("through_seq", models.PositiveIntegerField(default=0)),
                    ("state", models.JSONField()),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "conversation",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="fold", to="continuity.conversation"
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    ("segment", models.JSONField(default=dict)),
                    ("curve", models.JSONField(default=dict)),
                    ("outline", models.JSONField(null=True)),
                    ("rules_version", models.PositiveIntegerField()),
                ],
            ),
            CreateModel(
                name="FoldCheckpoint",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("seq", models.PositiveIntegerField()),
                    ("state", models.JSONField()),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="fold_checkpoints",
                            to="continuity.conversation",
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    ("segment", models.JSONField(default=dict)),
                    ("rules_version", models.PositiveIntegerField()),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("conversation", "seq"), name="fold_checkpoint_once")],
                },
            ),
            CreateModel(
                name="FileTouch",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("path", models.TextField()),
                    (
                        "action",
                        models.CharField(
                            choices=[
                                ("created", "created"),
                                ("modified", "modified"),
                                ("deleted", "deleted"),
                                ("renamed", "renamed"),
                                ("read", "read"),
                            ],
                            max_length=10,
                        ),
                    ),
                    ("epoch", models.PositiveIntegerField(default=0)),
                    ("first_seq", models.IntegerField()),
                    ("last_seq", models.IntegerField()),
                    ("count", models.PositiveIntegerField(default=1)),
                    ("note", models.TextField(blank=True)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="files", to="continuity.conversation"
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    ("symbols", models.JSONField(blank=True, default=list)),
                ],
                options={
                    "verbose_name_plural": "file touches",
                    "indexes": [
                        models.Index(
                            condition=models.Q(("action", "read"), _negated=True),
                            fields=["conversation", "-last_seq"],
                            name="file_touch_changes",
                        ),
                        models.Index(condition=models.Q(("action", "read")), fields=["conversation", "-last_seq"], name="file_touch_reads"),
                    ],
                    "constraints": [models.UniqueConstraint(fields=("conversation", "path", "action", "epoch"), name="file_touch_once")],
                },
            ),
            CreateModel(
                name="Event",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("name", models.CharField(max_length=80)),
                    ("subject_id", models.UUIDField(null=True)),
                    ("payload", models.JSONField(default=dict)),
                    ("critical", models.BooleanField(default=False)),
                    ("correlation_id", models.CharField(blank=True, max_length=128)),
                    ("position", models.BigIntegerField(null=True, unique=True)),
                    ("dispatched_at", models.DateTimeField(null=True)),
                    ("relayed_at", models.DateTimeField(null=True)),
                    ("attempts", models.PositiveSmallIntegerField(default=0)),
                    ("retry_at", models.DateTimeField(null=True)),
                    (
                        "team",
                        models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(condition=models.Q(("dispatched_at", None)), fields=["created_at"], name="event_undispatched"),
                        models.Index(condition=models.Q(("relayed_at", None)), fields=["created_at"], name="event_unrelayed"),
                        models.Index(fields=["team", "position"], name="event_team_position"),
                        models.Index(fields=["subject_id", "position"], name="event_subject_position"),
                    ],
                },
            ),
            CreateModel(
                name="CompressedSegment",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    (
                        "level",
                        models.PositiveSmallIntegerField(
                            choices=[(0, "Full"), (1, "Detailed (3:1)"), (2, "Brief (10:1)"), (3, "Tags (50:1)")]
                        ),
                    ),
                    ("content", models.TextField()),
                    ("markers", models.JSONField(default=list)),
                    ("tokens", models.PositiveIntegerField(default=0)),
                    ("expires_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "segment",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="levels", to="continuity.segment"),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["expires_at"], name="compressed_segment_expiry")],
                    "constraints": [models.UniqueConstraint(fields=("segment", "level"), name="compressed_segment_once")],
                },
            ),
            CreateModel(
                name="ApiKey",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("name", models.CharField(max_length=120)),
                    ("kind", models.CharField(default="cont", max_length=16)),
                    ("lookup", models.CharField(max_length=16, unique=True)),
                    ("digest", models.CharField(max_length=64)),
                    (
                        "scopes",
                        django.contrib.postgres.fields.ArrayField(
                            base_field=models.CharField(
                                choices=[
                                    ("read", "Read conversations and handoffs"),
                                    ("write", "Record conversations"),
                                    ("handoff", "Prepare and resume handoffs"),
                                    ("admin", "Invalidate and erase"),
                                ],
                                max_length=16,
                            ),
                            default=list,
                            size=None,
                        ),
                    ),
                    ("expires_at", models.DateTimeField(blank=True, null=True)),
                    ("revoked_at", models.DateTimeField(blank=True, null=True)),
                    ("last_used_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "created_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="api_keys", to="continuity.team")),
                ],
                options={
                    "ordering": ["-created_at"],
                },
            ),
            CreateModel(
                name="Anchor",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("key", models.CharField(max_length=24)),
                    (
                        "type",
                        models.CharField(
                            choices=[
                                ("Commitment", "Commitment"),
                                ("Decision", "Decision"),
                                ("UnresolvedQuestion", "UnresolvedQuestion"),
                                ("CriticalFact", "CriticalFact"),
                                ("Correction", "Correction"),
                                ("UserPreference", "UserPreference"),
                                ("ErrorContext", "ErrorContext"),
                                ("CodeArtifact", "CodeArtifact"),
                                ("Constraint", "Constraint"),
                                ("FailedApproach", "FailedApproach"),
                            ],
                            max_length=24,
                        ),
                    ),
                    ("text", models.TextField()),
                    ("found_seq", models.PositiveIntegerField()),
                    ("source_seq", models.PositiveIntegerField()),
                    ("source_part", models.PositiveIntegerField(default=0)),
                    ("source_start", models.PositiveIntegerField(default=0)),
                    ("source_end", models.PositiveIntegerField(default=0)),
                    ("importance", models.FloatField()),
                    (
                        "truth",
                        models.CharField(choices=[("observed", "observed"), ("claimed", "claimed"), ("stated", "stated")], max_length=10),
                    ),
                    ("method", models.CharField(max_length=60)),
                    ("critical", models.BooleanField(default=False)),
                    (
                        "state",
                        models.CharField(
                            choices=[
                                ("current", "current"),
                                ("superseded", "superseded"),
                                ("resolved", "resolved"),
                                ("dismissed", "dismissed"),
                            ],
                            default="current",
                            max_length=12,
                        ),
                    ),
                    ("superseded_by", models.CharField(blank=True, max_length=24)),
                    ("settled_seq", models.PositiveIntegerField(blank=True, null=True)),
                    ("subject", models.CharField(blank=True, max_length=300)),
                    ("rationale", models.TextField(blank=True)),
                    ("rejected", models.TextField(blank=True)),
                    ("pinned", models.BooleanField(default=False)),
                    ("edited_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "edited_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="anchors",
                            to="continuity.conversation",
                        ),
                    ),
                    (
                        "origin_conversation",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="continuity.conversation",
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
                    "indexes": [
                        models.Index(
                            condition=models.Q(("state", "current")),
                            fields=["conversation", "-critical", "-importance", "-source_seq"],
                            name="anchor_current_by_value",
                        ),
                        models.Index(
                            condition=models.Q(("state", "superseded")), fields=["conversation", "-settled_seq"], name="anchor_superseded"
                        ),
                        models.Index(
                            condition=models.Q(("state", "current")), fields=["conversation", "-found_seq"], name="anchor_current_latest"
                        ),
                        models.Index(fields=["team", "-created_at", "-found_seq"], name="anchor_latest"),
                        models.Index(
                            condition=models.Q(models.Q(("critical", True), ("pinned", True), _connector="OR"), ("state", "current")),
                            fields=["conversation", "-importance", "-source_seq"],
                            name="anchor_binding_by_value",
                        ),
                        models.Index(
                            condition=models.Q(("critical", False), ("pinned", False), ("state", "current")),
                            fields=["conversation", "-importance", "-source_seq"],
                            name="anchor_others_by_value",
                        ),
                        models.Index(
                            condition=models.Q(("origin_conversation", None)),
                            fields=["conversation", "source_seq"],
                            name="anchor_in_its_messages",
                        ),
                    ],
                    "constraints": [
                        models.UniqueConstraint(fields=("conversation", "key"), name="anchor_once"),
                        models.CheckConstraint(
                            condition=models.Q(("importance__gte", 0), ("importance__lte", 2)), name="anchor_importance_range"
                        ),
                    ],
                },
            ),
            CreateModel(
                name="ModelPass",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("first_seq", models.PositiveIntegerField()),
                    ("last_seq", models.PositiveIntegerField()),
                    ("model", models.CharField(blank=True, max_length=120)),
                    ("unusable", models.CharField(blank=True, max_length=60)),
                    ("summary", models.TextField(blank=True)),
                    ("anchors", models.PositiveIntegerField(default=0)),
                    ("tasks", models.PositiveIntegerField(default=0)),
                    ("rejected", models.JSONField(default=dict)),
                    ("input_tokens", models.PositiveIntegerField(default=0)),
                    ("output_tokens", models.PositiveIntegerField(default=0)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="model_passes",
                            to="continuity.conversation",
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
                    "verbose_name_plural": "model passes",
                    "constraints": [
                        models.UniqueConstraint(fields=("conversation", "first_seq"), name="model_pass_once"),
                        models.CheckConstraint(condition=models.Q(("last_seq__gte", models.F("first_seq"))), name="model_pass_in_order"),
                    ],
                },
            ),
            CreateModel(
                name="Cleanup",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("due_at", models.DateTimeField()),
                    ("attempts", models.PositiveIntegerField(default=0)),
                    ("error", models.CharField(blank=True, max_length=200)),
                    ("alerted_at", models.DateTimeField(blank=True, null=True)),
                    ("done_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "conversation",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="cleanup", to="continuity.conversation"
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                ],
                options={
                    "indexes": [models.Index(condition=models.Q(("done_at", None)), fields=["due_at"], name="cleanup_due")],
                },
            ),
            CreateModel(
                name="Erasure",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("conversation", models.UUIDField()),
                    (
                        "scope",
                        models.CharField(
                            choices=[
                                ("conversation", "A whole conversation"),
                                ("place", "One span of a message"),
                                ("words", "Words, wherever they stand"),
                            ],
                            max_length=12,
                        ),
                    ),
                    ("seq", models.PositiveIntegerField(blank=True, null=True)),
                    ("part", models.PositiveIntegerField(blank=True, null=True)),
                    ("start", models.PositiveIntegerField(blank=True, null=True)),
                    ("end", models.PositiveIntegerField(blank=True, null=True)),
                    ("source", models.CharField(blank=True, max_length=64)),
                    ("erased_as", models.CharField(max_length=200)),
                    ("removed", models.JSONField(default=dict)),
                    ("completed_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "erased_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "job",
                        models.OneToOneField(on_delete=django.db.models.deletion.RESTRICT, related_name="erasure", to="continuity.job"),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="erasures", to="continuity.team")),
                ],
                options={
                    "indexes": [
                        models.Index(condition=models.Q(("completed_at", None)), fields=["created_at"], name="erasure_incomplete"),
                        models.Index(condition=models.Q(("source", ""), _negated=True), fields=["team", "source"], name="erasure_source"),
                    ],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("scope", "conversation")), fields=("conversation",), name="erasure_of_conversation_once"
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("scope__in", ["conversation", "place", "words"])), name="erasure_scope_known"
                        ),
                    ],
                },
            ),
            CreateModel(
                name="Notice",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    (
                        "kind",
                        models.CharField(
                            choices=[("conversation.expiring", "Conversation Expiring"), ("handoff.expiring", "Handoff Expiring")],
                            max_length=24,
                        ),
                    ),
                    ("subject_id", models.UUIDField()),
                    ("due_at", models.DateTimeField()),
                    (
                        "conversation",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="continuity.conversation"
                        ),
                    ),
                    (
                        "owner",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                ],
                options={
                    "indexes": [models.Index(fields=["team", "due_at"], name="notice_team_due")],
                    "constraints": [models.UniqueConstraint(fields=("subject_id", "due_at"), name="notice_once")],
                },
            ),
            CreateModel(
                name="AuditEntry",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("action", models.CharField(max_length=80)),
                    ("actor", models.CharField(blank=True, max_length=255)),
                    ("user_id", models.UUIDField(null=True)),
                    ("key_id", models.UUIDField(null=True)),
                    ("address", models.GenericIPAddressField(null=True)),
                    ("subject_id", models.UUIDField(null=True)),
                    ("subject", models.CharField(blank=True, max_length=255)),
                    ("details", models.JSONField(default=dict)),
                    ("correlation_id", models.CharField(blank=True, max_length=128)),
                    (
                        "team",
                        models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="continuity.team"),
                    ),
                ],
                options={
                    "verbose_name_plural": "audit entries",
                    "indexes": [
                        models.Index(fields=["team", "-created_at", "-id"], name="audit_newest"),
                        models.Index(fields=["team", "action", "-created_at"], name="audit_action"),
                        models.Index(fields=["team", "actor", "-created_at"], name="audit_actor"),
                    ],
                },
            ),
            CreateModel(
                name="Invitation",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    (
                        "role",
                        models.PositiveSmallIntegerField(choices=[(0, "Viewer"), (1, "Member"), (2, "Operator"), (3, "Owner")], default=1),
                    ),
                    ("email", models.EmailField(blank=True, max_length=254)),
                    ("digest", models.CharField(max_length=64, unique=True)),
                    ("expires_at", models.DateTimeField()),
                    ("revoked_at", models.DateTimeField(blank=True, null=True)),
                    ("accepted_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "accepted_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "invited_by",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
                    ),
                    (
                        "team",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="continuity.team"),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["team", "-created_at"], name="invitation_team_newest")],
                    "constraints": [models.CheckConstraint(condition=models.Q(("role__in", [0, 1, 2, 3])), name="invitation_role_known")],
                },
            ),
            CreateModel(
                name="SkippedMessage",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("seq", models.PositiveIntegerField()),
                    ("reader", models.CharField(max_length=16)),
                    ("error", models.CharField(max_length=80)),
                    ("place", models.CharField(blank=True, max_length=80)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="skipped",
                            to="continuity.conversation",
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("conversation", "seq", "reader"), name="skipped_message_once")],
                },
            ),
            CreateModel(
                name="DeadLetter",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("subscriber", models.CharField(max_length=200)),
                    ("status", models.CharField(choices=[("retrying", "Retrying"), ("dead", "Dead")], default="retrying", max_length=10)),
                    ("attempts", models.PositiveIntegerField(default=1)),
                    ("reason", models.CharField(max_length=200)),
                    ("failed_at", models.DateTimeField()),
                    ("retry_at", models.DateTimeField(null=True)),
                    (
                        "event",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="letters", to="continuity.event"
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"),
                    ),
                ],
                options={
                    "indexes": [
                        models.Index(condition=models.Q(("status", "retrying")), fields=["retry_at"], name="dead_letter_due"),
                        models.Index(fields=["-created_at", "-id"], name="dead_letter_latest"),
                    ],
                    "constraints": [
                        models.UniqueConstraint(fields=("event", "subscriber"), name="dead_letter_once"),
                        models.CheckConstraint(condition=models.Q(("status__in", ["retrying", "dead"])), name="dead_letter_status_known"),
                    ],
                },
            ),
            CreateModel(
                name="Deferral",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("kind", models.CharField(max_length=40)),
                    ("subject_id", models.UUIDField()),
                    ("attempts", models.PositiveIntegerField(default=1)),
                    ("not_before", models.DateTimeField()),
                    ("error", models.CharField(blank=True, max_length=200)),
                    ("failed_at", models.DateTimeField(null=True)),
                    ("alerted_at", models.DateTimeField(null=True)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="continuity.conversation",
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_constraint=False,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="+",
                            to="continuity.team",
                        ),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["not_before"], name="deferral_age")],
                    "constraints": [models.UniqueConstraint(fields=("kind", "subject_id"), name="deferral_once")],
                },
            ),
        ),
        from_file(__file__, "0001_same_team"),
        from_file(__file__, "0001_event_order"),
        from_file(__file__, "0001_words"),
        from_file(__file__, "0001_append_only"),
        migrations.AddField("message", "placeholder", models.BooleanField(db_default=False, default=False)),
    ]
