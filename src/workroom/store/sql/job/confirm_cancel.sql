-- A worker confirms that it has stopped cancelled jobs.
WITH moved AS (
    UPDATE job SET state = 'cancelled', finished_at = clock_timestamp(),
                   cancel_requested_at = coalesce(job.cancel_requested_at, clock_timestamp())
    FROM unnest(%(ids)s::uuid[], %(attempts)s::integer[]) AS report (id, attempt)
    WHERE job.id = report.id AND job.worker_id = %(worker_id)s AND job.attempt = report.attempt
      AND job.state IN ('assigned', 'running')
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents
), count_change AS (
    SELECT extension_id, 0 AS blocked, 0 AS pending, -count(*) AS active, 0 AS completed, 0 AS failed, count(*) AS cancelled,
           NULL::float8 AS run_ms
    FROM moved GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved
