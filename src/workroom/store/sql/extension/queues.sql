-- Every queue with workers or jobs, the fullest first: its workers, and its jobs by state from counters.
SELECT extension.scope, extension.room, extension.category, extension.name, extension.paused, extension.concurrency, extension.priority,
       extension.adjusted, workers_of.closed, workers_of.idle, workers_of.busy,
       queue.blocked, queue.pending, queue.active, queue.completed, queue.failed, queue.cancelled, queue.run_ms
FROM extension
CROSS JOIN LATERAL (
    SELECT
    --< fragments/job_count_sums
    FROM job_count WHERE job_count.extension_id = extension.id
) AS queue
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE NOT held.any) AS idle, count(*) FILTER (WHERE held.any) AS busy,
           count(*) FILTER (WHERE offer.opened_at IS NOT NULL
               AND breaker_state(offer.opened_at, extension.breaker_seconds, offer.failed_for, extension.id) <> 'closed') AS closed
    FROM offer JOIN worker ON worker.id = offer.worker_id AND worker.attached AND worker.ended_at IS NULL
    CROSS JOIN LATERAL (
        SELECT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')) AS any
    ) AS held
    WHERE offer.extension_id = extension.id
) AS workers_of
WHERE extension.removed_at IS NULL
ORDER BY queue.pending + queue.active DESC, queue.completed DESC, extension.category, extension.name
LIMIT %(limit)s
