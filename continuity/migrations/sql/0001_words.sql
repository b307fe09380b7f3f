-- Words of messages and anchors for full-text search.
--
-- The columns are filled by the indexer, not by the models: an append must not wait for it, and no read of a message carries them.
-- Whatever changes the text empties them in the same statement, so that what was erased can't be found from that moment.
CREATE FUNCTION continuity_forget_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.words := NULL;
    RETURN NEW;
END $$;

ALTER TABLE continuity_message ADD COLUMN words tsvector;

-- Without the rows that have none yet, so that an append does not touch it.
CREATE INDEX message_words ON continuity_message USING gin (team_id, words) WHERE words IS NOT NULL;
CREATE INDEX message_without_words ON continuity_message (created_at) WHERE words IS NULL;
CREATE TRIGGER message_forget_words
    BEFORE UPDATE OF parts, secrets ON continuity_message
    FOR EACH ROW
    WHEN (OLD.parts IS DISTINCT FROM NEW.parts OR OLD.secrets IS DISTINCT FROM NEW.secrets)
    EXECUTE FUNCTION continuity_forget_words();

ALTER TABLE continuity_anchor ADD COLUMN words tsvector;
CREATE INDEX anchor_words ON continuity_anchor USING gin (team_id, words) WHERE words IS NOT NULL;
CREATE INDEX anchor_without_words ON continuity_anchor (created_at) WHERE words IS NULL;
CREATE TRIGGER anchor_forget_words
    BEFORE UPDATE OF text, subject, rationale, rejected ON continuity_anchor
    FOR EACH ROW
    WHEN (
        OLD.text IS DISTINCT FROM NEW.text OR OLD.subject IS DISTINCT FROM NEW.subject
        OR OLD.rationale IS DISTINCT FROM NEW.rationale OR OLD.rejected IS DISTINCT FROM NEW.rejected
    )
    EXECUTE FUNCTION continuity_forget_words();

-- The latest ones that hold a word which very many hold.
CREATE INDEX message_latest ON continuity_message (team_id, created_at DESC, seq DESC);
