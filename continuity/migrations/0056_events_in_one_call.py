"""Publishing, handing out and acknowledging events in one round trip each: a connection plans the statements of a function once."""

from django.db import migrations

# Whether all that was looked at when a key was checked with all care is as it was.
KEY_HOLDS = """
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
END $$
"""

# Stores all or none: none where an id is another event's, where the topics' declarations are not those that the events were checked
# against, or where the team is gone. The team and the conversations are locked before the numbers are drawn, or whoever numbers events
# would wait for who holds them. Numbers are drawn under the lock of `continuity_number_events`, in the order given, and become visible
# when the transaction ends; what others stored before is seen then. Foreign keys are checked by index.
PUBLISH = """
CREATE FUNCTION continuity_publish_events(
    given jsonb, declared timestamptz[], owner uuid, topics text[], called text, asked_at timestamptz, correlation text, trace text, said_by text,
    delivered boolean
)
RETURNS TABLE (event_id uuid, event_position bigint, event_same boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    seen uuid[] := '{}';
    others boolean := false;
    last_place bigint;
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true);
    PERFORM FROM continuity_team WHERE id = owner FOR KEY SHARE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF jsonb_path_exists(given, '$[*].conversation ? (@ != null)') THEN
        PERFORM FROM continuity_conversation WHERE team_id = owner AND id IN (
            SELECT (each ->> 'conversation')::uuid FROM jsonb_array_elements(given) AS each
        ) ORDER BY id FOR KEY SHARE;
    END IF;
    PERFORM pg_advisory_xact_lock(1668247156);
    IF declared <> ARRAY(SELECT updated_at FROM continuity_topic WHERE team_id = owner AND name = ANY (topics) ORDER BY id) THEN
        RETURN;
    END IF;
    SELECT coalesce(array_agg(known.id), '{}'),
        coalesce(bool_or(known.team_id IS DISTINCT FROM owner OR known.name <> called OR known.topic <> each.topic), false)
    INTO seen, others
    FROM jsonb_to_recordset(given) AS each (id uuid, topic text) JOIN continuity_event known ON known.id = each.id;
    IF cardinality(seen) > 0 THEN
        RETURN QUERY
        SELECT known.id, NULL::bigint, coalesce(known.team_id = owner AND known.name = called AND known.topic = each.topic, false)
        FROM jsonb_to_recordset(given) AS each (id uuid, topic text) JOIN continuity_event known ON known.id = each.id;
        IF others OR cardinality(seen) = jsonb_array_length(given) THEN
            RETURN;
        END IF;
    END IF;
    SELECT max(place) INTO last_place FROM jsonb_array_elements(given) WITH ORDINALITY AS each (event, place)
    WHERE (event ->> 'id')::uuid <> ALL (seen);
    RETURN QUERY
    WITH numbered AS MATERIALIZED (
        SELECT fresh.*, nextval('continuity_event_position') AS position FROM (
            SELECT each.* FROM ROWS FROM (
                jsonb_to_recordset(given) AS (id uuid, topic text, conversation uuid, bytes int, critical boolean, body jsonb)
            ) WITH ORDINALITY AS each (id, topic, conversation, bytes, critical, body, place)
            WHERE each.id <> ALL (seen) ORDER BY each.place
        ) AS fresh
    ), stored AS (
        INSERT INTO continuity_event
            (id, created_at, team_id, name, subject_id, payload, critical, correlation_id, traceparent, attempts, topic, publisher, position,
            dispatched_at, relayed_at)
        SELECT id, asked_at, owner, called, conversation, jsonb_build_object('bytes', bytes), critical, correlation, trace, 0, topic, said_by,
            position, CASE WHEN delivered THEN now() END, CASE WHEN place < last_place THEN now() END
        FROM numbered ORDER BY place
    ), said AS (
        INSERT INTO continuity_publishedpayload (event_id, team_id, conversation_id, body)
        SELECT id, owner, conversation, coalesce(body, 'null') FROM numbered
    )
    SELECT numbered.id, numbered.position, true FROM numbered;
END $$
"""

# What a subscriber gets where all is as usual: it is there, nothing comes again, nothing was missed, and there are few new events. No row
# otherwise; else one for each event, or one without, with the greatest position of all events and when the first event comes again that
# it holds. A crash of the database may take it back, and it is handed over once more. `wanted` are its patterns as regular expressions;
# up to `seen_through` this reader has looked at all events by the same pattern.
TAKE = """
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
END $$
"""

# Acknowledgements of what was handed over; no row where somebody else is to tell of it, or another instance began.
ACKNOWLEDGE = """
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
END $$
"""

GONE = (
    "continuity_key_holds(uuid, timestamptz, text, text[], int)",
    "continuity_publish_events(jsonb, timestamptz[], uuid, text[], text, timestamptz, text, text, text, boolean)",
    "continuity_take_events(uuid, uuid, int, text, text[], timestamptz, timestamptz, timestamptz, text, int, int, int, int, int, "
    "interval, interval)",
    "continuity_acknowledge_events(uuid, uuid, int, boolean, uuid[], timestamptz)",
)


class Migration(migrations.Migration):
    dependencies = [("continuity", "0055_groups_held_up")]

    operations = [
        migrations.RunSQL(create, f"DROP FUNCTION {gone}")
        for create, gone in zip((KEY_HOLDS, PUBLISH, TAKE, ACKNOWLEDGE), GONE, strict=True)
    ]
