DROP FUNCTION continuity_publish_events(jsonb, timestamptz[], uuid, text[], text, timestamptz, text, text, text, boolean);
