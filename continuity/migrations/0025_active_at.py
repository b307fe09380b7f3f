"""When something was last said in a conversation, by its own messages: lists, and what is idle, follow from it.

The indexes are built beside those who write. One that was interrupted leaves an index that is not valid, which goes first.
"""

import django.db.models.functions.datetime
import django.utils.timezone
from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models

# What was recorded without times of its own keeps the time of the row.
FILL = """
UPDATE continuity_conversation AS its SET active_at = coalesce(
    (SELECT least(coalesce(last.at, last.created_at), its.updated_at) FROM continuity_message AS last
     WHERE last.conversation_id = its.id AND last.seq = its.last_seq), its.updated_at)
"""
INDEXES = (
    models.Index(fields=["team", "-active_at", "-id"], name="conversation_latest"),
    models.Index(fields=["active_at"], condition=models.Q(status="active"), name="conversation_quiet"),
    models.Index(
        fields=["team", "-active_at"],
        condition=models.Q(context_tokens__gte=models.F("max_context_tokens") / 10 * 7),
        name="conversation_fullest",
    ),
)
OLD = ("conversation_recent", "conversation_activity", "conversation_filling")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("continuity", "0024_placeholder")]

    operations = [
        migrations.AddField(
            "conversation",
            "active_at",
            models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        *(
            step
            for index in INDEXES
            for step in (
                migrations.RunSQL(f"DROP INDEX CONCURRENTLY IF EXISTS {index.name}", migrations.RunSQL.noop),
                AddIndexConcurrently("conversation", index),
            )
        ),
        *(RemoveIndexConcurrently("conversation", name) for name in OLD),
    ]
