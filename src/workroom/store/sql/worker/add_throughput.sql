-- Add what workers have ended to the ten seconds that it is now. A place of the ring that is from earlier is taken anew.
WITH unhurried AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
), present AS (
    SELECT number, to_timestamp(number * %(slice_seconds)s) AS began_at
    FROM (SELECT floor(extract(epoch FROM clock_timestamp()) / %(slice_seconds)s)::bigint AS number FROM unhurried) AS one
)
INSERT INTO worker_throughput (worker_id, place, began_at, ended, failed)
SELECT worker.id, present.number %% %(slices)s, present.began_at, counted.ended, counted.failed
FROM unnest(%(ids)s::uuid[], %(ended)s::integer[], %(failed)s::integer[]) AS counted (id, ended, failed)
JOIN worker ON worker.id = counted.id
CROSS JOIN present
-- In one order for everybody, so that no two servers wait for each other.
ORDER BY worker.id
ON CONFLICT (worker_id, place) DO UPDATE SET
    began_at = excluded.began_at,
    ended = excluded.ended + CASE WHEN worker_throughput.began_at = excluded.began_at THEN worker_throughput.ended ELSE 0 END,
    failed = excluded.failed + CASE WHEN worker_throughput.began_at = excluded.began_at THEN worker_throughput.failed ELSE 0 END
