-- Insert a posting and all its jobs, which have no dependencies, in one statement. Returns whether a remote worker offers the
-- extension; no row when the extension was removed, or has another schema than the arguments were checked against.
WITH line AS (
    SELECT scope FROM extension
    WHERE id = %(extension_id)s AND removed_at IS NULL AND schema_hash = %(schema_hash)s
    FOR KEY SHARE
), turns AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT %(extension_id)s, %(priority)s, %(submitter)s, %(count)s::bigint - 1 +
        --< fragments/current_turn
    FROM line
    ON CONFLICT (extension_id, priority, submitter)
        DO UPDATE SET last_turn = greatest(f.last_turn + %(count)s::bigint, excluded.last_turn), used_at = now()
    RETURNING last_turn - %(count)s::bigint + 1 AS first
), posted AS (
    INSERT INTO posting (id, extension_id, submitter, room, label, priority, tries, timeout_seconds, backoff_base, backoff_cap,
                         on_worker_lost, unique_key, by_job, posted_by, total, sealed)
    SELECT %(id)s, %(extension_id)s, %(submitter)s, %(room)s, %(label)s, %(priority)s, %(tries)s, %(timeout_seconds)s,
           %(backoff_base)s, %(backoff_cap)s, %(on_worker_lost)s::on_worker_lost, %(unique_key)s, %(by_job)s, %(posted_by)s, %(count)s, true
    FROM turns
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, submitter, posting_id, run_at, room, arguments)
    SELECT encode(%(id_prefix)s::bytea || int4send((a.n - 1)::integer), 'hex')::uuid,
           %(extension_id)s, %(priority)s, %(tries)s, turns.first + a.n - 1, 'pending', %(on_worker_lost)s::on_worker_lost,
           %(submitter)s, %(id)s, CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END, %(room)s, a.arguments
    FROM turns CROSS JOIN jsonb_array_elements(%(arguments)s::jsonb) WITH ORDINALITY AS a (arguments, n)
), count_change AS (
    SELECT %(extension_id)s AS extension_id, 0 AS blocked, %(count)s AS pending, 0 AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM turns
), counted AS (
    --< fragments/add_job_counts
), notified AS MATERIALIZED (
    SELECT pg_notify('workroom_work', %(extension_id)s::text) FROM turns CROSS JOIN line WHERE line.scope = 'function'
)
-- Reads `notified`, because PostgreSQL skips a query that nothing reads.
SELECT EXISTS (
    SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
    WHERE offer.extension_id = %(extension_id)s AND worker.kind = 'remote' AND worker.attached)
FROM turns CROSS JOIN (SELECT count(*) FROM notified) AS sent
