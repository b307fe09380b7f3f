-- The log is only ever added to, also by whoever has the database's password for the application.
CREATE FUNCTION continuity_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- A team that is deleted is let go; what was done in it stays.
    IF TG_OP = 'UPDATE' AND NEW.team_id IS NULL AND to_jsonb(NEW) - 'team_id' = to_jsonb(OLD) - 'team_id' THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON continuity_auditentry
    FOR EACH ROW EXECUTE FUNCTION continuity_append_only();
