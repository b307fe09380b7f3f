-- As in 0056, but for the conversations that events are about: where they are locked no name of a parameter is that of a column (`given`
-- is one of a conversation), and nothing is stored where one of them is gone.
CREATE OR REPLACE FUNCTION continuity_publish_events(
    given jsonb, declared timestamptz[], owner uuid, topics text[], called text, asked_at timestamptz, correlation text, trace text,
    said_by text, delivered boolean
)
RETURNS TABLE (event_id uuid, event_position bigint, event_same boolean)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    seen uuid[] := '{}';
    others boolean := false;
    last_place bigint;
    about uuid[];
    there bigint;
BEGIN
    PERFORM set_config('enable_seqscan', 'off', true);
    PERFORM FROM continuity_team WHERE id = owner FOR KEY SHARE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    about := ARRAY(
        SELECT DISTINCT (each ->> 'conversation')::uuid FROM jsonb_array_elements(given) AS each WHERE each ->> 'conversation' IS NOT NULL
    );
    IF cardinality(about) > 0 THEN
        PERFORM FROM continuity_conversation WHERE team_id = owner AND id = ANY (about) ORDER BY id FOR KEY SHARE;
        GET DIAGNOSTICS there = ROW_COUNT;
        IF there < cardinality(about) THEN
            RETURN;
        END IF;
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
END $$;
