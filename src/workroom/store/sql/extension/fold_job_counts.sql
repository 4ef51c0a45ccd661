-- Move the counts of ended sessions to shard 0, so that few rows have to be summed.
WITH ended AS (
    DELETE FROM job_count WHERE shard <> 0 AND shard NOT IN (SELECT pid FROM pg_stat_activity)
    RETURNING *
)
INSERT INTO job_count AS t (extension_id, shard, blocked, pending, active, completed, failed, cancelled, run_ms)
SELECT extension_id, 0, sum(blocked), sum(pending), sum(active), sum(completed), sum(failed), sum(cancelled), avg(run_ms)
FROM ended GROUP BY extension_id
ON CONFLICT (extension_id, shard) DO UPDATE SET
    blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending, active = t.active + excluded.active,
    completed = t.completed + excluded.completed, failed = t.failed + excluded.failed, cancelled = t.cancelled + excluded.cancelled,
    run_ms = coalesce((t.run_ms + excluded.run_ms) / 2, t.run_ms, excluded.run_ms)
