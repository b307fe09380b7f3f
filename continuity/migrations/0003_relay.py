"""Numbering events in one round trip: the lock and the numbering each see what was committed before them."""

from django.db import migrations

CREATE = """
CREATE FUNCTION continuity_number_events(delivered uuid)
RETURNS TABLE (event_id uuid, event_position bigint, event_name text, event_team uuid, event_subject uuid)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1668247156);
    RETURN QUERY
    UPDATE continuity_event AS event
    SET position = numbered.position,
        dispatched_at = CASE WHEN event.id = delivered THEN now() ELSE event.dispatched_at END
    FROM (
        SELECT id, nextval('continuity_event_position') AS position
        FROM (SELECT id FROM continuity_event WHERE position IS NULL ORDER BY created_at, id LIMIT 1000) AS waiting
    ) AS numbered
    WHERE event.id = numbered.id
    RETURNING event.id, event.position, event.name::text, event.team_id, event.subject_id;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("continuity", "0002_integrity")]

    operations = [
        migrations.RunSQL(CREATE, "DROP FUNCTION continuity_number_events(uuid)"),
        migrations.RunSQL(
            "CREATE INDEX event_unnumbered ON continuity_event (created_at, id) WHERE position IS NULL", "DROP INDEX event_unnumbered"
        ),
    ]
