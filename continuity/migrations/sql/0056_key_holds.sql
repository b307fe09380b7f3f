-- Whether all that was looked at when a key was checked with all care is as it was.
CREATE FUNCTION continuity_key_holds(asked uuid, asked_at timestamptz, was_digest text, were_scopes text[], was_role int)
RETURNS boolean LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM continuity_apikey key
        LEFT JOIN continuity_membership member ON member.team_id = key.team_id AND member.user_id = key.created_by_id
        LEFT JOIN continuity_user maker ON maker.id = key.created_by_id
        WHERE key.id = asked AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > asked_at)
            AND key.last_used_at > asked_at - interval '1 minute' AND key.digest = was_digest AND key.scopes = were_scopes::varchar[]
            AND (key.created_by_id IS NULL OR maker.is_active AND member.role = was_role)
    );
END $$;
