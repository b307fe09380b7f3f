"""All that version 0.2.0 had made of this app's tables, in one step.

A new installation begins with it; one that has all that it replaces takes it as done; one that has a part of that goes on with the rest.
What only older rows needed is not in it: what the whole form of a package held twice (0011, on the way back), numbers of packages and who
prepared them (0016), lengths of chains (0017).
"""

import datetime
import uuid

import django.contrib.postgres.functions
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.migrations import CreateModel

from continuity.upgrades.creating import CreateModels
from continuity.upgrades.sql_files import from_file


class Migration(migrations.Migration):
    initial = True
    replaces = [
        ("handoffs", "0001_initial"),
        ("handoffs", "0002_integrity"),
        ("handoffs", "0003_package_life"),
        ("handoffs", "0004_policies"),
        ("handoffs", "0005_receipts"),
        ("handoffs", "0006_package_exchange"),
        ("handoffs", "0007_probes"),
        ("handoffs", "0008_needs_review"),
        ("handoffs", "0009_figures"),
        ("handoffs", "0010_recent"),
        ("handoffs", "0011_each_document_once"),
        ("handoffs", "0012_sorted"),
        ("handoffs", "0013_known_by_directive"),
        ("handoffs", "0014_offer_answers"),
        ("handoffs", "0015_rules_in_order"),
        ("handoffs", "0016_numbers"),
        ("handoffs", "0017_as_specified"),
    ]
    dependencies = [("continuity", "0001_squashed_0_2_0")]

    operations = [
        CreateModels(
            CreateModel(
                name="HandoffChain",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            db_default=django.contrib.postgres.functions.RandomUUID(),
                            default=uuid.uuid4,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("total_handoffs", models.PositiveIntegerField(db_default=1, default=0)),
                    ("total_tokens_processed", models.PositiveBigIntegerField(default=0)),
                    ("started_at", models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow())),
                    ("last_activity_at", models.DateTimeField(db_default=django.contrib.postgres.functions.TransactionNow())),
                    (
                        "current_handoff",
                        models.ForeignKey(
                            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="handoffs.handoff"
                        ),
                    ),
                    (
                        "root_conversation",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="chains", to="continuity.conversation"
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                    ("numbered", models.PositiveIntegerField(db_default=0, default=0)),
                ],
                options={
                    "db_table": "handoff_chains",
                    "indexes": [models.Index(fields=["team", "-last_activity_at"], name="chain_team_recent")],
                    "constraints": [
                        models.UniqueConstraint(fields=("id", "team"), name="chain_id_team"),
                        models.UniqueConstraint(fields=("root_conversation",), name="idx_chains_root"),
                    ],
                },
            ),
            CreateModel(
                name="Handoff",
                fields=[
                    (
                        "id",
                        models.UUIDField(
                            db_default=django.contrib.postgres.functions.RandomUUID(),
                            default=uuid.uuid4,
                            editable=False,
                            primary_key=True,
                            serialize=False,
                        ),
                    ),
                    (
                        "created_at",
                        models.DateTimeField(
                            db_default=django.contrib.postgres.functions.TransactionNow(), default=django.utils.timezone.now, editable=False
                        ),
                    ),
                    ("position", models.PositiveIntegerField()),
                    (
                        "status",
                        models.CharField(
                            choices=[
                                ("draft", "Draft"),
                                ("ready", "Ready"),
                                ("resumed", "Resumed"),
                                ("expired", "Expired"),
                                ("withdrawn", "Withdrawn"),
                                ("failed", "Failed"),
                            ],
                            default="ready",
                            max_length=10,
                        ),
                    ),
                    ("through_seq", models.PositiveIntegerField()),
                    ("compacted_summary", models.TextField()),
                    ("anchors", models.JSONField()),
                    ("pending_tasks", models.JSONField()),
                    ("session_state", models.JSONField(null=True)),
                    ("metadata", models.JSONField()),
                    ("continuation_directive", models.JSONField(null=True)),
                    ("rest", models.JSONField()),
                    ("text", models.TextField()),
                    ("secrets", models.JSONField(default=list)),
                    (
                        "style",
                        models.CharField(
                            choices=[("structured", "structured"), ("concise", "concise"), ("narrative", "narrative")], max_length=12
                        ),
                    ),
                    ("token_budget", models.PositiveIntegerField()),
                    ("token_count", models.PositiveIntegerField()),
                    ("fidelity", models.JSONField()),
                    ("fidelity_score", models.FloatField()),
                    ("failure", models.TextField(blank=True)),
                    ("messages_after", models.PositiveIntegerField(default=0)),
                    ("resumed_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "expires_at",
                        models.DateTimeField(
                            db_default=django.db.models.expressions.CombinedExpression(
                                django.contrib.postgres.functions.TransactionNow(), "+", models.Value(datetime.timedelta(days=30))
                            )
                        ),
                    ),
                    (
                        "conversation",
                        models.ForeignKey(
                            on_delete=django.db.models.deletion.CASCADE, related_name="handoffs", to="continuity.conversation"
                        ),
                    ),
                    (
                        "owner",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="handoffs",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "previous_handoff",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="next_handoffs",
                            to="handoffs.handoff",
                        ),
                    ),
                    (
                        "resumed_conversation",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to="continuity.conversation",
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                    (
                        "chain",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="handoffs", to="handoffs.handoffchain"),
                    ),
                    ("offered_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "offered_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "offered_to",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="offers",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("references", models.JSONField(default=dict)),
                    ("version", models.PositiveIntegerField(default=1)),
                    ("automatic", models.BooleanField(default=False)),
                    ("context_tokens", models.PositiveBigIntegerField(default=0)),
                    ("workspace", models.JSONField(default=dict)),
                    ("origin", models.JSONField(default=dict)),
                    ("number", models.PositiveIntegerField(db_default=1, default=1)),
                    (
                        "made_by",
                        models.ForeignKey(
                            blank=True,
                            db_index=False,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                ],
                options={
                    "db_table": "session_handoffs",
                    "indexes": [
                        models.Index(fields=["conversation", "-created_at"], name="idx_handoffs_conversation"),
                        models.Index(condition=models.Q(("resumed_at", None)), fields=["expires_at"], name="idx_handoffs_expires"),
                        models.Index(fields=["chain", "position"], name="handoff_chain_position"),
                        models.Index(
                            condition=models.Q(("status__in", ["draft", "failed"])),
                            fields=["team", "-created_at"],
                            name="handoff_needs_review",
                        ),
                        models.Index(
                            fields=["team", "-created_at"],
                            include=("status", "fidelity_score", "token_count", "context_tokens"),
                            name="handoff_team_figures",
                        ),
                        models.Index(fields=["team", "fidelity_score", "-created_at"], name="handoff_team_fidelity"),
                        models.Index(fields=["-created_at", "-id"], name="handoff_recent"),
                        models.Index(
                            models.F("team"),
                            models.OrderBy(
                                django.db.models.functions.comparison.Cast(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.expressions.CombinedExpression(models.Value(1.0), "-", models.F("fidelity_score")),
                                        "*",
                                        models.Value(1000000),
                                    ),
                                    models.BigIntegerField(),
                                ),
                                descending=True,
                            ),
                            models.OrderBy(models.F("id"), descending=True),
                            name="handoff_team_loss",
                        ),
                        models.Index(fields=["team", "-token_count", "-id"], name="handoff_team_size"),
                    ],
                    "constraints": [
                        models.CheckConstraint(
                            condition=models.Q(("status__in", ["draft", "ready", "resumed", "expired", "withdrawn", "failed"])),
                            name="handoff_status_known",
                        ),
                        models.CheckConstraint(
                            condition=models.Q(("fidelity_score__gte", 0), ("fidelity_score__lte", 1)), name="handoff_fidelity_range"
                        ),
                        models.UniqueConstraint(fields=("id", "team"), name="handoff_id_team"),
                    ],
                },
            ),
            CreateModel(
                name="HandoffTombstone",
                fields=[
                    ("id", models.UUIDField(primary_key=True, serialize=False)),
                    ("conversation", models.UUIDField()),
                    ("reason", models.CharField(max_length=40)),
                    ("deleted_at", models.DateTimeField()),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                ],
            ),
            CreateModel(
                name="Resumption",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("fork", models.BooleanField(default=False)),
                    ("report", models.JSONField(default=dict)),
                    (
                        "conversation",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="resumption", to="continuity.conversation"
                        ),
                    ),
                    (
                        "handoff",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="resumptions", to="handoffs.handoff"),
                    ),
                    (
                        "resumed_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                    ("directive_digest", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ],
                options={
                    "indexes": [
                        models.Index(fields=["team", "-created_at"], name="resumption_team_recent"),
                        models.Index(
                            condition=models.Q(("directive_digest", ""), _negated=True),
                            fields=["team", "directive_digest"],
                            name="resumption_directive",
                        ),
                    ],
                    "constraints": [
                        models.UniqueConstraint(condition=models.Q(("fork", False)), fields=("handoff",), name="resumption_once_but_forks")
                    ],
                },
            ),
            CreateModel(
                name="HandoffEdit",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    (
                        "action",
                        models.CharField(
                            choices=[
                                ("pin", "Pin"),
                                ("unpin", "Unpin"),
                                ("edit", "Edit"),
                                ("dismiss", "Dismiss"),
                                ("add", "Add"),
                                ("regenerate", "Regenerate"),
                                ("ready", "Ready"),
                                ("withdraw", "Withdraw"),
                            ],
                            max_length=10,
                        ),
                    ),
                    (
                        "target",
                        models.CharField(
                            choices=[("anchor", "Anchor"), ("task", "Task"), ("line", "Line"), ("package", "Package")], max_length=8
                        ),
                    ),
                    ("key", models.TextField(blank=True)),
                    ("reference", models.CharField(blank=True, max_length=12)),
                    ("before", models.JSONField(default=dict)),
                    ("after", models.JSONField(default=dict)),
                    ("undone_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "handoff",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="edits", to="handoffs.handoff"
                        ),
                    ),
                    (
                        "made_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "made_with",
                        models.ForeignKey(
                            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="continuity.apikey"
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    (
                        "undone_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "undone_with",
                        models.ForeignKey(
                            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="continuity.apikey"
                        ),
                    ),
                ],
                options={
                    "indexes": [models.Index(fields=["handoff", "created_at"], name="handoff_edit_order")],
                },
            ),
            CreateModel(
                name="HandoffPolicy",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("handoff_at", models.FloatField(blank=True, null=True)),
                    ("long_task_at", models.FloatField(blank=True, null=True)),
                    ("long_task_steps", models.PositiveIntegerField(blank=True, null=True)),
                    ("approaching_at", models.FloatField(blank=True, null=True)),
                    ("approaching_turns", models.PositiveIntegerField(blank=True, null=True)),
                    ("fold_at", models.FloatField(blank=True, null=True)),
                    ("boundary_at", models.FloatField(blank=True, null=True)),
                    ("cooldown_seconds", models.PositiveIntegerField(blank=True, null=True)),
                    ("min_freed", models.FloatField(blank=True, null=True)),
                    ("automatic", models.BooleanField(blank=True, null=True)),
                    ("review", models.BooleanField(blank=True, null=True)),
                    ("budget", models.PositiveIntegerField(blank=True, null=True)),
                    (
                        "style",
                        models.CharField(
                            blank=True,
                            choices=[("structured", "structured"), ("concise", "concise"), ("narrative", "narrative")],
                            max_length=12,
                        ),
                    ),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "conversation",
                        models.OneToOneField(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.CASCADE,
                            related_name="policy",
                            to="continuity.conversation",
                        ),
                    ),
                    ("team", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team")),
                    (
                        "updated_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    ("max_chain_length", models.PositiveIntegerField(blank=True, null=True)),
                ],
                options={
                    "verbose_name_plural": "handoff policies",
                    "constraints": [
                        models.UniqueConstraint(condition=models.Q(("conversation", None)), fields=("team",), name="policy_of_team_once")
                    ],
                },
            ),
            CreateModel(
                name="Receipt",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("loaded_at", models.DateTimeField(blank=True, null=True)),
                    ("acknowledged", models.JSONField(default=list)),
                    ("workspace", models.JSONField(default=dict)),
                    ("head_commit", models.CharField(blank=True, max_length=64)),
                    ("moved", models.JSONField(default=list)),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "handoff",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="receipts", to="handoffs.handoff"),
                    ),
                    (
                        "made_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "made_with",
                        models.ForeignKey(
                            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="continuity.apikey"
                        ),
                    ),
                    (
                        "resumption",
                        models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name="receipt", to="handoffs.resumption"),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                ],
            ),
            CreateModel(
                name="ProbeBank",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("through_seq", models.PositiveIntegerField(default=0)),
                    ("rewinds", models.PositiveIntegerField(default=0)),
                    ("state", models.JSONField(default=dict)),
                    ("updated_at", models.DateTimeField(auto_now=True)),
                    (
                        "conversation",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="probe_bank", to="continuity.conversation"
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    ("rules_version", models.PositiveIntegerField()),
                ],
            ),
            CreateModel(
                name="FidelityCheck",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("version", models.PositiveIntegerField()),
                    (
                        "cause",
                        models.CharField(
                            choices=[("prepared", "Prepared"), ("changed", "Changed"), ("topped_up", "Topped Up")], max_length=10
                        ),
                    ),
                    ("model", models.CharField(blank=True, max_length=120)),
                    ("passed", models.BooleanField()),
                    ("overall", models.FloatField()),
                    ("anchors", models.FloatField()),
                    ("tasks", models.FloatField()),
                    ("state", models.FloatField()),
                    ("coverage", models.FloatField()),
                    ("repairs", models.PositiveSmallIntegerField(default=0)),
                    ("issues", models.PositiveIntegerField(default=0)),
                    ("critical", models.PositiveIntegerField(default=0)),
                    ("probes_asked", models.PositiveIntegerField(default=0)),
                    ("probes_answered", models.PositiveIntegerField(default=0)),
                    ("probes", models.JSONField(default=dict)),
                    (
                        "handoff",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="checks",
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
                    "indexes": [
                        models.Index(fields=["team", "-created_at"], name="fidelity_check_team"),
                        models.Index(fields=["created_at"], name="fidelity_check_age"),
                    ],
                },
            ),
            CreateModel(
                name="HandoffOverride",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("version", models.PositiveIntegerField()),
                    ("reason", models.TextField()),
                    ("score", models.FloatField()),
                    ("missing", models.JSONField(default=list)),
                    ("keys", models.JSONField(default=list)),
                    ("made_as", models.CharField(max_length=200)),
                    ("ended_at", models.DateTimeField(blank=True, null=True)),
                    (
                        "handoff",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="overrides", to="handoffs.handoff"
                        ),
                    ),
                    (
                        "made_by",
                        models.ForeignKey(
                            blank=True,
                            null=True,
                            on_delete=django.db.models.deletion.SET_NULL,
                            related_name="+",
                            to=settings.AUTH_USER_MODEL,
                        ),
                    ),
                    (
                        "made_with",
                        models.ForeignKey(
                            blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="continuity.apikey"
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
                    "indexes": [models.Index(fields=["handoff", "created_at"], name="handoff_override_order")],
                    "constraints": [
                        models.UniqueConstraint(
                            condition=models.Q(("ended_at", None)), fields=("handoff",), name="handoff_override_standing"
                        )
                    ],
                },
            ),
            CreateModel(
                name="ProbeCheckpoint",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("seq", models.PositiveIntegerField()),
                    ("state", models.JSONField(default=dict)),
                    (
                        "conversation",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.conversation"
                        ),
                    ),
                    (
                        "fold",
                        models.OneToOneField(
                            on_delete=django.db.models.deletion.CASCADE, related_name="probes", to="continuity.foldcheckpoint"
                        ),
                    ),
                    (
                        "team",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="continuity.team"
                        ),
                    ),
                    ("rules_version", models.PositiveIntegerField()),
                ],
                options={
                    "constraints": [models.UniqueConstraint(fields=("conversation", "seq"), name="probe_checkpoint_once")],
                },
            ),
            CreateModel(
                name="OfferAnswer",
                fields=[
                    ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ("created_at", models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                    ("accepted", models.BooleanField()),
                    (
                        "answered_by",
                        models.ForeignKey(
                            null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
                        ),
                    ),
                    (
                        "giver",
                        models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL),
                    ),
                    (
                        "handoff",
                        models.ForeignKey(
                            db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="handoffs.handoff"
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
                    "constraints": [models.UniqueConstraint(fields=("handoff", "giver"), name="offer_answer_once")],
                },
            ),
        ),
        from_file(__file__, "0001_same_team"),
    ]
