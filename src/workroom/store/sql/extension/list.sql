-- The extensions that a room sees, each with its workers and its queue.
SELECT extension.id, extension.scope, extension.room, extension.category, extension.name, extension.schema, extension.schema_hash,
       extension.timeout_seconds, extension.tries, extension.on_worker_lost::text, extension.priority, extension.concurrency, extension.resources, extension.paused,
       extension.owner_id, extension.offline_since, account.name,
       workers_of.idle, workers_of.busy, workers_of.closed, coalesce(queue.pending, 0)::bigint AS pending, coalesce(queue.active, 0)::bigint AS active
FROM extension
LEFT JOIN account ON account.id = extension.offered_by
LEFT JOIN LATERAL (
    SELECT sum(pending) AS pending, sum(active) AS active FROM job_count WHERE job_count.extension_id = extension.id
) AS queue ON true
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE NOT held.any) AS idle, count(*) FILTER (WHERE held.any) AS busy,
           count(*) FILTER (WHERE offer.opened_at IS NOT NULL
               AND breaker_state(offer.opened_at, extension.breaker_seconds, offer.failed_for, extension.id) = 'open') AS closed
    FROM offer JOIN worker ON worker.id = offer.worker_id AND worker.attached AND worker.ended_at IS NULL
    CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) AS any
    ) AS held
    WHERE offer.extension_id = extension.id
) AS workers_of
WHERE extension.removed_at IS NULL AND extension.scope <> 'function' AND (extension.room IS NULL OR extension.room = %(room)s)
  AND (%(category)s::text IS NULL OR extension.category = %(category)s)
ORDER BY extension.category, extension.name, array_position(ARRAY['room', 'global', 'builtin'], extension.scope)
