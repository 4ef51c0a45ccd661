-- Adds `count_change` to the job counts of this session's shard. Each session writes its own shard, so sessions never wait for
-- each other here. run_ms is a moving average.
INSERT INTO job_count AS t (extension_id, shard, blocked, pending, active, completed, failed, cancelled, run_ms)
SELECT extension_id, pg_backend_pid(), blocked, pending, active, completed, failed, cancelled, run_ms FROM count_change
ON CONFLICT (extension_id, shard) DO UPDATE SET
    blocked = t.blocked + excluded.blocked, pending = t.pending + excluded.pending, active = t.active + excluded.active,
    completed = t.completed + excluded.completed, failed = t.failed + excluded.failed, cancelled = t.cancelled + excluded.cancelled,
    run_ms = coalesce(0.8 * t.run_ms + 0.2 * excluded.run_ms, excluded.run_ms, t.run_ms)
