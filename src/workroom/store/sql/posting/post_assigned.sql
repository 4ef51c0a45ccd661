-- Insert a posting with a single short call, assigned to an idle pool process that gets the job with the notification, when no job
-- waits. It takes no turn, because it is never in the queue. No row when there is no such process, and whenever `post` would
-- refuse the call; then nothing was written.
WITH idle AS MATERIALIZED (
    SELECT worker.id FROM extension
    JOIN offer ON offer.extension_id = extension.id AND offer.opened_at IS NULL
    JOIN worker ON worker.id = offer.worker_id
    WHERE extension.id = %(extension_id)s AND extension.removed_at IS NULL AND extension.schema_hash = %(schema_hash)s
      AND NOT extension.paused AND extension.scope = 'function'
      -- The claim matches resources and walltimes.
      AND extension.resources IS NULL AND worker.ends_at IS NULL
      -- PostgreSQL limits a notification to 8,000 bytes.
      AND octet_length(%(argument)s::jsonb::text) < 6000
      AND worker.kind = 'pool' AND worker.lease_until > now() AND
          --< fragments/worker_available
      -- OFFSET 0 keeps this a lookup for each worker: as an anti-join, planned on an empty table, it would read all active jobs.
      AND NOT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running') OFFSET 0)
      -- Another transaction may have assigned a job to the worker since the check above; then `served_at` differs.
      AND worker.served_at IS NOT DISTINCT FROM (SELECT seen.served_at FROM worker AS seen WHERE seen.id = worker.id)
      AND NOT EXISTS (
          SELECT FROM job WHERE job.extension_id = %(extension_id)s AND job.state = 'pending' AND job.run_at IS NULL)
    LIMIT 1
    FOR KEY SHARE OF extension
    FOR NO KEY UPDATE OF worker SKIP LOCKED
), posted AS (
    INSERT INTO posting (id, extension_id, submitter, room, label, priority, tries, timeout_seconds, backoff_base, backoff_cap,
                         on_worker_lost, by_job, posted_by, total, sealed)
    SELECT %(id)s, %(extension_id)s, %(submitter)s, %(room)s, %(label)s, %(priority)s, %(tries)s, %(timeout_seconds)s,
           %(backoff_base)s, %(backoff_cap)s, %(on_worker_lost)s::on_worker_lost, %(by_job)s, %(posted_by)s, 1, true
    FROM idle
), submitted AS (
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, submitter, posting_id, worker_id,
                     assigned_at, room, arguments)
    SELECT %(id)s, %(extension_id)s, %(priority)s, %(tries)s, 0, 'assigned', %(on_worker_lost)s::on_worker_lost, 1, %(submitter)s,
           %(id)s, idle.id, clock_timestamp(), %(room)s, %(argument)s::jsonb
    FROM idle
), count_change AS (
    SELECT %(extension_id)s AS extension_id, 0 AS blocked, 0 AS pending, 1 AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM idle
), counted AS (
    --< fragments/add_job_counts
), worker_served AS (
    UPDATE worker SET served_at = clock_timestamp() FROM idle WHERE worker.id = idle.id
), notified AS MATERIALIZED (
    SELECT pg_notify('workroom_work', concat_ws(' ', %(extension_id)s::text, json_build_array(
        idle.id, %(id)s, %(tries)s, %(on_worker_lost)s::on_worker_lost = 'requeue_unstarted', %(room)s::text, %(argument)s::jsonb)))
    FROM idle
)
SELECT true FROM notified
