-- Workers by id, or those that a room sees: they offer it an extension, or one that all rooms see.
SELECT worker.id, worker.kind, worker.account_id, account.name, worker.room, worker.incarnation, worker.capacity, worker.info,
       worker.resources, worker.ends_at,
       worker.registered_at, worker.lease_until, worker.attached, worker.draining, worker.served_at, worker.ended_at, worker.end_reason,
       (SELECT count(*) FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) AS active,
       coalesce((SELECT jsonb_agg(jsonb_build_object(
           'scope', extension.scope, 'category', extension.category, 'name', extension.name, 'room', extension.room,
           'failures', offer.failures,
           'breaker', breaker_state(offer.opened_at, extension.breaker_seconds, offer.failed_for, extension.id)) ORDER BY extension.category, extension.name)
           FROM offer JOIN extension ON extension.id = offer.extension_id WHERE offer.worker_id = worker.id), '[]') AS offers,
       ARRAY(SELECT ARRAY[present.number - extract(epoch FROM worker_throughput.began_at)::bigint / %(slice_seconds)s, worker_throughput.ended, worker_throughput.failed]
           FROM worker_throughput WHERE worker_throughput.worker_id = worker.id
             AND worker_throughput.began_at > to_timestamp((present.number - %(slices)s) * %(slice_seconds)s)) AS throughput,
       present.seconds - present.number * %(slice_seconds)s AS into_slice,
       present.seconds - extract(epoch FROM worker.registered_at)::float8 AS age
FROM worker
CROSS JOIN (SELECT seconds, floor(seconds / %(slice_seconds)s)::bigint AS number
            FROM (SELECT extract(epoch FROM clock_timestamp())::float8 AS seconds) AS clock) AS present
LEFT JOIN account ON account.id = worker.account_id
WHERE (%(id)s::uuid IS NULL OR worker.id = %(id)s)
  AND (%(id)s::uuid IS NOT NULL OR worker.ended_at IS NULL)
  AND (%(room)s::text IS NULL OR EXISTS (
      SELECT FROM offer JOIN extension ON extension.id = offer.extension_id
      WHERE offer.worker_id = worker.id AND (extension.room IS NULL OR extension.room = %(room)s)))
ORDER BY worker.registered_at
LIMIT 1000
