-- Queue many jobs, each with a key or none; those whose key an unfinished job of the function has are left out. Answers the
-- positions of those that are queued.
WITH submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, unmet_dependencies, submitter, posting_id,
                     run_at, room, arguments, unique_key)
    SELECT encode(%(id_prefix)s::bytea || int4send((%(first_position)s::bigint + a.n - 1)::integer), 'hex')::uuid,
           %(extension_id)s, %(priority)s, %(tries)s, %(first_turn)s::bigint + a.n - 1,
           CASE WHEN %(unmet_dependencies)s::integer > 0 THEN 'blocked' ELSE 'pending' END::job_state,
           %(on_worker_lost)s::on_worker_lost, %(unmet_dependencies)s::integer, %(submitter)s, %(posting_id)s,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           %(room)s, a.arguments, a.key
    FROM ROWS FROM (jsonb_array_elements(%(arguments)s::jsonb), unnest(%(keys)s::text[])) WITH ORDINALITY AS a (arguments, key, n)
    ON CONFLICT (extension_id, unique_key) WHERE unique_key IS NOT NULL AND state IN ('blocked', 'pending', 'assigned', 'running')
        DO NOTHING
    RETURNING id, state
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, blocked, pending)
    SELECT %(extension_id)s, pg_backend_pid(), count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'pending')
    FROM submitted
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending
)
SELECT id FROM submitted
