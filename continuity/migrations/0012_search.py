"""Words of messages and anchors for full-text search.

The columns are filled by the indexer, not by the models: an append must not wait for it, and no read of a message carries them.
Whatever changes the text empties them in the same statement, so that what was erased can't be found from that moment.
"""

from django.contrib.postgres.operations import BtreeGinExtension
from django.db import migrations

FORGET = """
CREATE FUNCTION continuity_forget_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.words := NULL;
    RETURN NEW;
END $$
"""


def words(table: str, short: str, *columns: str) -> list[migrations.RunSQL]:
    differs = " OR ".join(f"OLD.{column} IS DISTINCT FROM NEW.{column}" for column in columns)
    return [
        migrations.RunSQL(f"ALTER TABLE {table} ADD COLUMN words tsvector", f"ALTER TABLE {table} DROP COLUMN words"),
        # Without the rows that have none yet, so that an append does not touch it.
        migrations.RunSQL(f"CREATE INDEX {short}_words ON {table} USING gin (team_id, words) WHERE words IS NOT NULL", f"DROP INDEX {short}_words"),
        migrations.RunSQL(f"CREATE INDEX {short}_without_words ON {table} (created_at) WHERE words IS NULL", f"DROP INDEX {short}_without_words"),
        migrations.RunSQL(
            f"CREATE TRIGGER {short}_forget_words BEFORE UPDATE OF {', '.join(columns)} ON {table} FOR EACH ROW "
            f"WHEN ({differs}) EXECUTE FUNCTION continuity_forget_words()",
            f"DROP TRIGGER {short}_forget_words ON {table}",
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("continuity", "0011_usage_curve")]

    operations = [
        BtreeGinExtension(),
        migrations.RunSQL(FORGET, "DROP FUNCTION continuity_forget_words()"),
        *words("continuity_message", "message", "parts", "secrets"),
        *words("continuity_anchor", "anchor", "text", "subject", "rationale", "rejected"),
        # The latest ones that hold a word which very many hold.
        migrations.RunSQL("CREATE INDEX message_latest ON continuity_message (team_id, created_at DESC, seq DESC)", "DROP INDEX message_latest"),
    ]
