-- A posting with all its jobs, which wait for nothing, in one go: what create, reserve_turns, submit_many, grow and hint do one
-- after the other. A single short call goes to a process of a pool that has nothing to do, if there is one and nobody waits, and
-- is sent with the hint. Answers whether it was, and whether a remote worker may want some of the jobs; no row when the extension
-- has just been removed, or has another schema by now than the arguments were checked against.
WITH line AS (
    SELECT id, scope, paused FROM extension
    WHERE id = %(extension_id)s AND removed_at IS NULL AND schema_hash = %(schema_hash)s
    FOR KEY SHARE
), turns AS (
    INSERT INTO fair_turn AS f (extension_id, priority, submitter, last_turn)
    SELECT %(extension_id)s, %(priority)s, %(submitter)s, %(count)s::bigint - 1 + coalesce(
        (SELECT turn FROM job
         WHERE extension_id = %(extension_id)s AND priority = %(priority)s
           AND state = 'pending' AND run_at IS NULL AND attempt = 0
         ORDER BY turn, id LIMIT 1),
        (SELECT max(last_turn) FROM fair_turn WHERE extension_id = %(extension_id)s AND priority = %(priority)s),
        0)
    FROM line
    ON CONFLICT (extension_id, priority, submitter)
        DO UPDATE SET last_turn = greatest(f.last_turn + %(count)s::bigint, excluded.last_turn)
    RETURNING last_turn - %(count)s::bigint + 1 AS first
), idle AS MATERIALIZED (
    SELECT worker.id FROM line
    JOIN offer ON offer.extension_id = line.id AND offer.opened_at IS NULL
    JOIN worker ON worker.id = offer.worker_id
    -- A hint takes 8,000 bytes.
    WHERE CASE WHEN %(count)s = 1 THEN octet_length(%(arguments)s::jsonb::text) < 6000 ELSE false END
      AND coalesce(%(run_at)s::timestamptz <= now(), true) AND NOT line.paused AND line.scope = 'function'
      -- A process that leaves at this moment gives back what it was sent; these would fail instead.
      AND %(on_worker_lost)s::on_worker_lost <> 'fail'
      AND worker.kind = 'pool' AND worker.attached AND worker.gone_at IS NULL AND NOT worker.draining AND worker.lease_until > now()
      AND NOT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running'))
      -- Who has just been served by somebody else may hold something after all.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = worker.id)
      AND NOT EXISTS (
          SELECT FROM job WHERE job.extension_id = %(extension_id)s AND job.state = 'pending' AND job.run_at IS NULL)
    LIMIT 1
    FOR NO KEY UPDATE OF worker SKIP LOCKED
), posted AS (
    INSERT INTO posting (id, extension_id, submitter, room, label, priority, tries, timeout_seconds, backoff_base, backoff_cap,
                         on_worker_lost, unique_key, by_job, total, sealed)
    SELECT %(id)s, %(extension_id)s, %(submitter)s, %(room)s, %(label)s, %(priority)s, %(tries)s, %(timeout_seconds)s,
           %(backoff_base)s, %(backoff_cap)s, %(on_worker_lost)s::on_worker_lost, %(unique_key)s, %(by_job)s, %(count)s, true
    FROM turns
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, submitter, posting_id, worker_id,
                     run_at, assigned_at, room, arguments)
    SELECT encode(%(id_prefix)s::bytea || int4send((a.n - 1)::integer), 'hex')::uuid,
           %(extension_id)s, %(priority)s, %(tries)s, turns.first + a.n - 1,
           CASE WHEN idle.id IS NULL THEN 'pending' ELSE 'assigned' END::job_state, %(on_worker_lost)s::on_worker_lost,
           (idle.id IS NOT NULL)::integer, %(submitter)s, %(id)s, idle.id,
           CASE WHEN %(run_at)s::timestamptz > now() THEN %(run_at)s::timestamptz END,
           CASE WHEN idle.id IS NOT NULL THEN clock_timestamp() END, %(room)s, a.arguments
    FROM turns LEFT JOIN idle ON true CROSS JOIN jsonb_array_elements(%(arguments)s::jsonb) WITH ORDINALITY AS a (arguments, n)
), tallied AS (
    INSERT INTO tally AS t (extension_id, shard, pending, active)
    SELECT %(extension_id)s, pg_backend_pid(), CASE WHEN idle.id IS NULL THEN %(count)s ELSE 0 END, (idle.id IS NOT NULL)::integer
    FROM turns LEFT JOIN idle ON true
    ON CONFLICT (extension_id, shard) DO UPDATE SET pending = t.pending + excluded.pending, active = t.active + excluded.active
), noted AS (
    UPDATE worker SET served_at = clock_timestamp() FROM idle WHERE worker.id = idle.id
)
SELECT idle.id IS NOT NULL, idle.id IS NULL AND EXISTS (
    SELECT FROM offer JOIN worker ON worker.id = offer.worker_id
    WHERE offer.extension_id = %(extension_id)s AND worker.kind = 'remote' AND worker.attached
), CASE WHEN line.scope = 'function' THEN pg_notify('workroom_work', concat_ws(' ', %(extension_id)s::text, CASE WHEN idle.id IS NOT NULL
    THEN json_build_array(idle.id, %(id)s, %(tries)s, %(on_worker_lost)s::on_worker_lost = 'requeue_unstarted', %(room)s::text,
                          %(arguments)s::jsonb -> 0) END)) END
FROM turns CROSS JOIN line LEFT JOIN idle ON true
