DROP FUNCTION continuity_key_holds(uuid, timestamptz, text, text[], int);
