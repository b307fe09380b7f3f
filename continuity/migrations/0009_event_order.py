from django.db import migrations

# The order in which events were written is a number that the database draws: two clocks, or one that was set back, cannot turn it round.
ORDERED = """
CREATE SEQUENCE continuity_event_inserted;
ALTER TABLE continuity_event ADD COLUMN inserted bigint NOT NULL DEFAULT nextval('continuity_event_inserted');
ALTER SEQUENCE continuity_event_inserted OWNED BY continuity_event.inserted;
DROP INDEX event_unnumbered;
CREATE INDEX event_unnumbered ON continuity_event (inserted) WHERE position IS NULL;
"""
UNORDERED = """
DROP INDEX event_unnumbered;
CREATE INDEX event_unnumbered ON continuity_event (created_at, id) WHERE position IS NULL;
ALTER TABLE continuity_event DROP COLUMN inserted;
"""
NUMBER = """
CREATE OR REPLACE FUNCTION continuity_number_events(delivered uuid)
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
        FROM (SELECT id FROM continuity_event WHERE position IS NULL ORDER BY %s LIMIT 1000) AS waiting
    ) AS numbered
    WHERE event.id = numbered.id
    RETURNING event.id, event.position, event.name::text, event.team_id, event.subject_id;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("continuity", "0008_life_and_erasing")]

    operations = [
        migrations.RunSQL(ORDERED, UNORDERED),
        migrations.RunSQL(NUMBER % "inserted", NUMBER % "created_at, id"),
    ]
