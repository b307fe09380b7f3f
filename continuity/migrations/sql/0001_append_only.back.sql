DROP TRIGGER audit_append_only ON continuity_auditentry;
DROP FUNCTION continuity_append_only();
