-- Hand one job straight to a remote worker that is idle, when nobody waits: it takes no turn, because it stands in no line. No row
-- comes back when there is no such worker, and in all cases in which `submit` would refuse the job or know it already; then nothing
-- has happened.
WITH here AS (
    --< part/still_who_they_were
    FOR KEY SHARE
), idle AS MATERIALIZED (
    SELECT worker.id FROM extension AS line
    JOIN offer ON offer.extension_id = line.id
    JOIN worker ON worker.id = offer.worker_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs, count(*) FILTER (WHERE job.extension_id = line.id) AS jobs_of_it FROM job
        WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')
    ) AS held
    WHERE line.id = %(extension_id)s AND line.removed_at IS NULL AND line.schema_hash = %(schema_hash)s
      AND (%(room)s::text IS NULL OR EXISTS (SELECT FROM here))
      AND NOT line.paused AND line.scope <> 'function'
      AND worker.kind = 'remote' AND worker.attached AND worker.ended_at IS NULL AND NOT worker.draining
      -- An open breaker lets nothing through, then one probe at a time.
      AND held.jobs < worker.capacity AND held.jobs_of_it < CASE
          WHEN offer.opened_at + line.breaker_seconds * interval '1 second' > now() THEN 0
          WHEN offer.opened_at IS NOT NULL THEN 1
          ELSE coalesce(line.concurrency, worker.capacity) END
      -- Who has just been served by somebody else may hold more than was counted here.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = worker.id)
      AND NOT EXISTS (
          SELECT FROM job WHERE job.extension_id = %(extension_id)s AND job.state = 'pending' AND job.run_at IS NULL)
    ORDER BY worker.served_at NULLS FIRST, worker.id
    LIMIT 1
    FOR KEY SHARE OF line
    FOR NO KEY UPDATE OF worker SKIP LOCKED
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, submitter, worker_id, assigned_at, room,
                     idempotency_key, --? keyed
                     retry_of, arguments)
    SELECT %(id)s, %(extension_id)s, %(priority)s, %(tries)s, 0, 'assigned', %(on_worker_lost)s::on_worker_lost, 1, %(submitter)s,
           idle.id, clock_timestamp(), %(room)s,
           %(idempotency_key)s, --? keyed
           %(retry_of)s, %(arguments)s::jsonb
    FROM idle
    ON CONFLICT (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING --? keyed
    RETURNING extension_id, worker_id, created_at, assigned_at
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, active)
    SELECT extension_id, pg_backend_pid(), 1 FROM submitted
    ON CONFLICT (extension_id, shard) DO UPDATE SET active = t.active + 1
), served AS (
    UPDATE offer SET served_at = clock_timestamp() FROM submitted
    WHERE offer.worker_id = submitted.worker_id AND offer.extension_id = submitted.extension_id
), noted AS (
    UPDATE worker SET served_at = clock_timestamp() FROM submitted WHERE worker.id = submitted.worker_id
)
SELECT worker_id, created_at, assigned_at FROM submitted
