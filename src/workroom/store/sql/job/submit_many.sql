-- Queue many jobs with consecutive ids and turns; their arguments come as one JSON array.
WITH submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, unmet_dependencies, submitter, posting_id,
                     run_at, room, arguments, retry_of)
    SELECT encode(%(id_prefix)s::bytea || int4send((%(first_position)s::bigint + a.n - 1)::integer), 'hex')::uuid,
           %(extension_id)s, %(priority)s, %(tries)s, %(first_turn)s::bigint + a.n - 1,
           CASE WHEN %(unmet_dependencies)s::integer > 0 THEN 'blocked' ELSE 'pending' END::job_state,
           %(on_worker_lost)s::on_worker_lost, %(unmet_dependencies)s::integer, %(submitter)s, %(posting_id)s,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           %(room)s, a.arguments, (%(retry_of)s::uuid[])[a.n]
    FROM jsonb_array_elements(%(arguments)s::jsonb) WITH ORDINALITY AS a (arguments, n)
    RETURNING state
)
INSERT INTO job_count AS t (extension_id, shard, blocked, pending)
SELECT %(extension_id)s, pg_backend_pid(), count(*) FILTER (WHERE state = 'blocked'), count(*) FILTER (WHERE state = 'pending')
FROM submitted
ON CONFLICT (extension_id, shard)
    DO UPDATE SET blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending
