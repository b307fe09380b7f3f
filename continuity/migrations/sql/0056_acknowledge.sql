-- Acknowledgements of what was handed over; no row where somebody else is to tell of it, or another instance began.
CREATE FUNCTION continuity_acknowledge_events(subscriber uuid, owner uuid, instance int, sent boolean, handled uuid[], asked_at timestamptz)
RETURNS TABLE (
    event_id uuid, event_position bigint, event_topic text, event_name text, attempts int, replay boolean, latency_ms float8,
    event_created_at timestamptz
)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true);
    PERFORM FROM continuity_subscription s WHERE s.id = subscriber AND s.team_id = owner
        AND s.epoch = coalesce(instance, s.epoch) AND (sent OR s.kind <> 'webhook') FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH gone AS (
        DELETE FROM continuity_delivery d WHERE d.subscription_id = subscriber AND d.event_id = ANY (handled)
        RETURNING d.event_id, d.position, d.attempts, d.replay, d.latency_ms
    ), done AS (
        INSERT INTO continuity_acknowledgement (subscription_id, event_id, position, attempts, acknowledged_at)
        SELECT subscriber, gone.event_id, gone.position, gone.attempts, asked_at FROM gone ON CONFLICT DO NOTHING
    ), heard AS (
        UPDATE continuity_subscription s SET acknowledged_at = asked_at, seen_at = asked_at WHERE s.id = subscriber AND EXISTS (SELECT FROM gone)
    )
    SELECT e.id, e.position, e.topic::text, e.name::text, gone.attempts, gone.replay, gone.latency_ms, e.created_at
    FROM gone JOIN continuity_event e ON e.id = gone.event_id ORDER BY gone.position;
END $$;
