-- Insert many jobs with consecutive ids and turns; their arguments are one JSON array. A job whose unique key belongs to an
-- unfinished job of the same function is left out. Returns how many were inserted and, on request, their ids.
WITH inserted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, unmet_dependencies, submitter, posting_id,
                     run_at, room, arguments, unique_key, retry_of)
    SELECT encode(%(id_prefix)s::bytea || int4send((%(first_position)s::bigint + call.n - 1)::integer), 'hex')::uuid,
           %(extension_id)s, %(priority)s, %(tries)s, %(first_turn)s::bigint + call.n - 1,
           CASE WHEN %(unmet_dependencies)s::integer > 0 THEN 'blocked' ELSE 'pending' END::job_state,
           %(on_worker_lost)s::on_worker_lost, %(unmet_dependencies)s::integer, %(submitter)s, %(posting_id)s,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           %(room)s, call.arguments, call.unique_key, call.retry_of
    FROM ROWS FROM (
        jsonb_array_elements(%(arguments)s::jsonb), unnest(%(unique_keys)s::text[]), unnest(%(retry_of)s::uuid[])
    ) WITH ORDINALITY AS call (arguments, unique_key, retry_of, n)
    ON CONFLICT (extension_id, unique_key) WHERE unique_key IS NOT NULL AND state IN ('blocked', 'pending', 'assigned', 'running')
        DO NOTHING
    RETURNING id, extension_id, state
), count_change AS (
    SELECT extension_id, count(*) FILTER (WHERE state = 'blocked') AS blocked, count(*) FILTER (WHERE state = 'pending') AS pending,
           0 AS active, 0 AS completed, 0 AS failed, 0 AS cancelled, NULL::float8 AS run_ms
    FROM inserted GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
SELECT count(*), coalesce(array_agg(id) FILTER (WHERE %(return_ids)s), '{}') FROM inserted
