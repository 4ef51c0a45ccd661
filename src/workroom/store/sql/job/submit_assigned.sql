-- Insert one job as assigned to the next idle remote worker, if no job waits for it. It takes no turn, because it is never in the queue. No row
-- when there is no such worker, and whenever `submit` would refuse the job or find it by its key; then nothing was written.
WITH here AS (
    --< fragments/access_unchanged
    FOR KEY SHARE
), idle AS MATERIALIZED (
    SELECT worker.id FROM extension
    JOIN offer ON offer.extension_id = extension.id
    JOIN worker ON worker.id = offer.worker_id
    CROSS JOIN LATERAL (
        SELECT count(*) AS jobs, count(*) FILTER (WHERE job.extension_id = extension.id) AS jobs_of_extension FROM job
        WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')
    ) AS held
    WHERE extension.id = %(extension_id)s AND extension.removed_at IS NULL AND extension.schema_hash = %(schema_hash)s
      AND (%(room)s::text IS NULL OR EXISTS (SELECT FROM here))
      AND NOT extension.paused AND extension.scope <> 'function'
      AND worker.kind = 'remote' AND
          --< fragments/worker_available
      AND held.jobs < worker.capacity AND held.jobs_of_extension <
          --< fragments/extension_slots
      -- Another transaction may have assigned a job to the worker since the count above; then `served_at` differs.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = worker.id)
    ORDER BY worker.served_at NULLS FIRST, worker.id
    LIMIT 1
    FOR KEY SHARE OF extension
    FOR NO KEY UPDATE OF worker SKIP LOCKED
), free AS (
    -- If a job of any extension of this worker waits, the worker has to choose among them, in `claim`.
    SELECT idle.id FROM idle
    WHERE NOT EXISTS (
        --< fragments/waiting_job_for_worker
        idle.id)
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, submitter, worker_id, assigned_at, room,
                     idempotency_key,
                     retry_of, arguments)
    SELECT %(id)s, %(extension_id)s, %(priority)s, %(tries)s, 0, 'assigned', %(on_worker_lost)s::on_worker_lost, 1, %(submitter)s,
           free.id, clock_timestamp(), %(room)s,
           %(idempotency_key)s,
           %(retry_of)s, %(arguments)s::jsonb
    FROM free
    ON CONFLICT (submitter, extension_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING extension_id, worker_id, created_at, assigned_at
), count_change AS (
    SELECT extension_id, 0 AS blocked, 0 AS pending, 1 AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM submitted
), counted AS (
    --< fragments/add_job_counts
), offer_served AS (
    UPDATE offer SET served_at = clock_timestamp() FROM submitted
    WHERE offer.worker_id = submitted.worker_id AND offer.extension_id = submitted.extension_id
), worker_served AS (
    UPDATE worker SET served_at = clock_timestamp() FROM submitted WHERE worker.id = submitted.worker_id
)
SELECT worker_id, created_at, assigned_at FROM submitted
