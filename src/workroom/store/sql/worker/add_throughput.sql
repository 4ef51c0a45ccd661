-- Add ended attempts to the current ten seconds of each worker.
WITH commit_mode AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
), present AS (
    SELECT number, to_timestamp(number * %(slice_seconds)s) AS began_at
    FROM (SELECT floor(extract(epoch FROM clock_timestamp()) / %(slice_seconds)s)::bigint AS number FROM commit_mode) AS one
)
INSERT INTO worker_throughput (worker_id, place, began_at, ended, failed)
SELECT worker.id, present.number %% %(slices)s, present.began_at, counted.ended, counted.failed
FROM unnest(%(ids)s::uuid[], %(ended)s::integer[], %(failed)s::integer[]) AS counted (id, ended, failed)
JOIN worker ON worker.id = counted.id
CROSS JOIN present
-- In a fixed order, so that two servers cannot deadlock.
ORDER BY worker.id
ON CONFLICT (worker_id, place) DO UPDATE SET
    began_at = excluded.began_at,
    ended = excluded.ended + CASE WHEN worker_throughput.began_at = excluded.began_at THEN worker_throughput.ended ELSE 0 END,
    failed = excluded.failed + CASE WHEN worker_throughput.began_at = excluded.began_at THEN worker_throughput.failed ELSE 0 END
