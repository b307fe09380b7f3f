-- The order in which events were written is a number that the database draws: two clocks, or one that was set back, cannot turn it round.
CREATE SEQUENCE continuity_event_inserted;
ALTER TABLE continuity_event ADD COLUMN inserted bigint NOT NULL DEFAULT nextval('continuity_event_inserted');
ALTER SEQUENCE continuity_event_inserted OWNED BY continuity_event.inserted;
CREATE INDEX event_unnumbered ON continuity_event (inserted) WHERE position IS NULL;

CREATE SEQUENCE continuity_event_position;

-- Numbering events in one round trip: the lock and the numbering each see what was committed before them.
--
-- Each event draws one number, in its order: as a subquery, what draws them may be read anew for each row that it is joined to,
-- and the numbers then follow the rows' places on disk. A common table expression that draws numbers is read once.
CREATE FUNCTION continuity_number_events(delivered uuid)
RETURNS TABLE (event_id uuid, event_position bigint, event_name text, event_team uuid, event_subject uuid)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1668247156);
    RETURN QUERY
    WITH waiting AS MATERIALIZED (
        SELECT id FROM continuity_event WHERE position IS NULL ORDER BY inserted LIMIT 1000
    ), numbered AS MATERIALIZED (
        SELECT id, nextval('continuity_event_position') AS position FROM waiting
    )
    UPDATE continuity_event AS event
    SET position = numbered.position,
        dispatched_at = CASE WHEN event.id = delivered THEN now() ELSE event.dispatched_at END
    FROM numbered
    WHERE event.id = numbered.id
    RETURNING event.id, event.position, event.name::text, event.team_id, event.subject_id;
END $$;
