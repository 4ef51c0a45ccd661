-- The jobs of `before`: cancelled at once while they wait; jobs at a worker are marked.
moved AS (
    UPDATE job SET
        -- Computed from the row itself, because it may have changed while this statement waited for its lock.
        state = CASE WHEN job.state IN ('blocked', 'pending') THEN 'cancelled' ELSE job.state END,
        unmet_dependencies = CASE WHEN job.state = 'blocked' THEN 0 ELSE job.unmet_dependencies END,
        run_at = NULL,
        finished_at = CASE WHEN job.state IN ('blocked', 'pending') THEN clock_timestamp() END,
        cancel_requested_at = coalesce(job.cancel_requested_at, clock_timestamp())
    FROM before WHERE job.id = before.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents, job.worker_id,
              before.state AS was
), no_longer_needed AS (
    UPDATE dependency SET ended_at = clock_timestamp() FROM moved
    WHERE dependency.job_id = moved.id AND moved.was = 'blocked' AND dependency.ended_at IS NULL
), count_change AS (
    SELECT extension_id, -count(*) FILTER (WHERE was = 'blocked') AS blocked, -count(*) FILTER (WHERE was = 'pending') AS pending, 0 AS active, 0 AS completed, 0 AS failed, count(*) AS cancelled,
           NULL::float8 AS run_ms
    FROM moved WHERE state = 'cancelled' GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
