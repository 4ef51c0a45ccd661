-- Assign a Celery worker the job that a message names, if it still waits for exactly this attempt. No row otherwise: another worker has
-- it, it has ended or waits for its start time, this attempt was made before, or the worker does not offer its extension. The row lock
-- on the worker makes the end of a worker see the job. Celery itself bounds how many jobs a worker runs, so its slots are not counted.
WITH me AS MATERIALIZED (
    SELECT worker.id, worker.kind, worker.capacity, worker.resources, worker.ends_at FROM worker
    WHERE worker.id = %(worker_id)s AND worker.kind = 'celery' AND
          --< fragments/worker_available
    FOR NO KEY UPDATE
), picked AS MATERIALIZED (
    SELECT job.ctid, job.extension_id FROM me AS worker
    CROSS JOIN job
    JOIN extension ON extension.id = job.extension_id AND NOT extension.paused
    JOIN offer ON offer.worker_id = worker.id AND offer.extension_id = job.extension_id
    WHERE job.id = %(id)s AND job.attempt = %(attempt)s - 1 AND job.state = 'pending' AND job.run_at IS NULL
      -- As in `claim`: an open breaker lets one probe through, and an extension may limit its jobs for each worker or need resources.
      AND (offer.opened_at IS NULL AND extension.concurrency IS NULL AND extension.resources IS NULL AND worker.ends_at IS NULL OR
           --< fragments/extension_slots
           > (SELECT count(*) FROM job AS held
              WHERE held.worker_id = worker.id AND held.extension_id = offer.extension_id AND held.state IN ('assigned', 'running')))
    FOR UPDATE OF job SKIP LOCKED
), claimed AS (
    UPDATE job SET state = 'assigned', worker_id = %(worker_id)s, attempt = job.attempt + 1, assigned_at = clock_timestamp()
    WHERE job.ctid = (SELECT ctid FROM picked)
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id IS NOT NULL AS posted, job.room, job.tries - job.failures AS tries_left,
              job.arguments, job.assigned_at, job.on_worker_lost
), count_change AS (
    SELECT extension_id, 0 AS blocked, -count(*) AS pending, count(*) AS active, 0 AS completed, 0 AS failed, 0 AS cancelled,
           NULL::float8 AS run_ms
    FROM claimed GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
), offer_served AS (
    UPDATE offer SET served_at = clock_timestamp() FROM claimed
    WHERE offer.worker_id = %(worker_id)s AND offer.extension_id = claimed.extension_id
), worker_served AS (
    UPDATE worker SET served_at = clock_timestamp() WHERE worker.id = %(worker_id)s AND EXISTS (SELECT FROM claimed)
)
SELECT id, attempt, extension_id, posted, room, tries_left, arguments, assigned_at, false, on_worker_lost = 'requeue_unstarted'
FROM claimed
