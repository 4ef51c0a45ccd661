-- The jobs of `before`: called off at once while they wait; at a worker they are marked.
moved AS (
    UPDATE job SET
        -- Everything follows from the row itself: one that changed while this waited is first tried as it was.
        state = CASE WHEN job.state IN ('blocked', 'pending') THEN 'cancelled' ELSE job.state END,
        unmet_dependencies = CASE WHEN job.state = 'blocked' THEN 0 ELSE job.unmet_dependencies END,
        run_at = NULL,
        finished_at = CASE WHEN job.state IN ('blocked', 'pending') THEN clock_timestamp() END,
        cancel_requested_at = coalesce(job.cancel_requested_at, clock_timestamp())
    FROM before WHERE job.id = before.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents, job.worker_id,
              before.state AS was
), forgotten AS (
    DELETE FROM dependency USING moved WHERE dependency.job_id = moved.id AND moved.was = 'blocked'
), tallied AS (
    INSERT INTO job_count AS t (extension_id, shard, blocked, pending, cancelled)
    SELECT extension_id, pg_backend_pid(), -count(*) FILTER (WHERE was = 'blocked'), -count(*) FILTER (WHERE was = 'pending'),
           count(*)
    FROM moved WHERE state = 'cancelled' GROUP BY extension_id
    ON CONFLICT (extension_id, shard)
        DO UPDATE SET blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending,
                      cancelled = t.cancelled + excluded.cancelled
)
