-- Add counts of waits and runs to a shard. Sessions with different shards never wait for each other here.
WITH commit_mode AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
)
INSERT INTO job_latency AS t (kind, bound, shard, jobs, seconds)
SELECT counted.kind, counted.bound, pg_backend_pid() %% 16, counted.jobs, counted.seconds
FROM unnest(%(kinds)s::text[], %(bounds)s::float8[], %(jobs)s::bigint[], %(seconds)s::float8[])
    AS counted (kind, bound, jobs, seconds), commit_mode
-- In a fixed order, so that two sessions cannot deadlock.
ORDER BY counted.kind, counted.bound
ON CONFLICT (kind, bound, shard) DO UPDATE SET jobs = t.jobs + excluded.jobs, seconds = t.seconds + excluded.seconds
