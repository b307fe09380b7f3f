-- What a subscriber gets where all is as usual: it is there, nothing comes again, nothing was missed, and there are few new events. No row
-- otherwise; else one for each event, or one without, with the greatest position of all events and when the first event comes again that
-- it holds. A crash of the database may take it back, and it is handed over once more. `wanted` are its patterns as regular expressions;
-- up to `seen_through` this reader has looked at all events by the same pattern.
CREATE FUNCTION continuity_take_events(
    subscriber uuid, owner uuid, instance int, known_pattern text, wanted text[], asked_at timestamptz,
    again_at timestamptz, waits_since timestamptz, patience text, most int, in_flight int, behind int, near int, passed int,
    quiet interval, away interval
)
RETURNS TABLE (
    event_id uuid, event_name text, event_topic text, event_position bigint, event_created_at timestamptz, event_subject uuid,
    event_critical boolean, event_publisher text, event_correlation text, event_trace text, event_payload jsonb, fresh boolean,
    latest bigint, first_due timestamptz
)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    own record;
    held bigint;
    due timestamptz;
    newest bigint;
    handed_over bigint := 0;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
        set_config('lock_timeout', coalesce(patience, current_setting('lock_timeout')), true);
    SELECT s.id, s.pattern, s.kind, s.epoch, s.paused, s.position, s.replay_through, s.gap_through, s.seen_at, s.degraded_at, s.replayed,
        s.replay_failed INTO own
    FROM continuity_subscription s WHERE s.id = subscriber AND s.team_id = owner FOR UPDATE;
    IF NOT FOUND OR own.paused OR own.gap_through <> 0 OR own.position < own.replay_through OR own.pattern <> known_pattern
        OR own.epoch <> coalesce(instance, own.epoch) OR (own.kind = 'pull' AND asked_at - own.seen_at > away)
        OR (own.degraded_at IS NULL AND own.replayed > 0 AND own.replay_failed * 2 >= own.replayed)
    THEN
        RETURN;
    END IF;
    SELECT count(*), min(d.due_at) INTO held, due FROM continuity_delivery d WHERE d.subscription_id = own.id;
    newest := greatest(
        (SELECT max(position) FROM continuity_event), (SELECT c.position FROM continuity_cursor c WHERE c.consumer = 'purged'), 0
    );
    IF due <= asked_at OR newest - own.position > near OR in_flight - held < most THEN
        RETURN;
    END IF;
    IF newest > own.position THEN
        RETURN QUERY
        WITH fits AS MATERIALIZED (
            SELECT e.id, e.name::text, e.topic::text, e.position, e.created_at, e.subject_id, e.critical, e.publisher::text,
                e.correlation_id::text, e.traceparent::text, CASE WHEN e.topic = '' THEN e.payload ELSE p.body END,
                coalesce(held <= behind AND e.created_at >= waits_since, false) AS fresh
            FROM continuity_event e LEFT JOIN continuity_publishedpayload p ON p.event_id = e.id
            WHERE e.team_id = owner AND e.position > own.position AND e.position <= newest
                AND coalesce(nullif(e.topic, ''), replace(e.name, '.', ':')) ~ ANY (wanted)
            ORDER BY e.position LIMIT most
        ), handed AS (
            INSERT INTO continuity_delivery (id, created_at, subscription_id, event_id, position, attempts, due_at, latency_ms, replay, reason)
            SELECT gen_random_uuid(), now(), own.id, fits.id, fits.position, 1, again_at,
                CASE WHEN fits.fresh THEN greatest(0, extract(epoch FROM asked_at - fits.created_at) * 1000)::float8 END, false, ''
            FROM fits
        )
        SELECT fits.*, newest, due FROM fits ORDER BY fits.position;
        GET DIAGNOSTICS handed_over = ROW_COUNT;
    END IF;
    IF handed_over > 0 OR newest - own.position >= passed OR own.seen_at IS NULL OR own.seen_at NOT BETWEEN asked_at - quiet AND asked_at + quiet
    THEN
        UPDATE continuity_subscription s SET
            position = CASE WHEN handed_over < most THEN greatest(own.position, newest) ELSE (
                SELECT max(d.position) FROM continuity_delivery d WHERE d.subscription_id = own.id AND d.position > own.position
            ) END,
            seen_at = CASE WHEN own.seen_at BETWEEN asked_at - quiet AND asked_at + quiet THEN own.seen_at ELSE asked_at END
        WHERE s.id = own.id;
    END IF;
    IF handed_over = 0 THEN
        RETURN QUERY SELECT NULL::uuid, NULL::text, NULL::text, NULL::bigint, NULL::timestamptz, NULL::uuid, NULL::boolean, NULL::text,
            NULL::text, NULL::text, NULL::jsonb, false, greatest(own.position, newest), due;
    END IF;
END $$;
