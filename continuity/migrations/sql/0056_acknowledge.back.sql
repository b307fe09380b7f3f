DROP FUNCTION continuity_acknowledge_events(uuid, uuid, int, boolean, uuid[], timestamptz);
