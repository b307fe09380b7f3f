DROP FUNCTION continuity_take_events(
    uuid, uuid, int, text, text[], timestamptz, timestamptz, timestamptz, text, int, int, int, int, int, interval, interval
);
