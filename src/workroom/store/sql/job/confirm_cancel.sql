-- A worker confirms that it has called off jobs.
WITH moved AS (
    UPDATE job SET state = 'cancelled', finished_at = clock_timestamp(),
                   cancel_requested_at = coalesce(job.cancel_requested_at, clock_timestamp())
    FROM unnest(%(ids)s::uuid[], %(attempts)s::integer[]) AS report (id, attempt)
    WHERE job.id = report.id AND job.worker_id = %(worker_id)s AND job.attempt = report.attempt
      AND job.state IN ('assigned', 'running')
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, active, cancelled)
    SELECT extension_id, pg_backend_pid(), -count(*), count(*) FROM moved GROUP BY extension_id
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET active = t.active + excluded.active, cancelled = t.cancelled + excluded.cancelled
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved
