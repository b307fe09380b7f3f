DROP FUNCTION continuity_number_events(uuid);
DROP SEQUENCE continuity_event_position;
DROP INDEX event_unnumbered;
ALTER TABLE continuity_event DROP COLUMN inserted;
