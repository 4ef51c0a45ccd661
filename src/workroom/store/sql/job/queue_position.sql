-- The position of a job in its queue (counted up to a bound, estimated beyond), and what it waits for.
SELECT job.state::text,
       extension.paused OR coalesce(posting.status = 'paused', false) AS paused,
       job.run_at IS NOT NULL AS start_is_later,
       workers_of.workers, workers_of.closed, workers_of.equipped, workers_of.lasting,
       extension.name, extension.resources, extension.timeout_seconds::float8, extension.scope, extension.offline_since, account.name, workers_of.slots, job_count.run_ms,
       CASE WHEN counted.n < %(bound)s THEN counted.n
            ELSE least(job_count.pending - 1, greatest(counted.n, job.turn - head.turn)) END AS ahead,
       -- Another extension has a job at one of the workers, or one that waits for it.
       EXISTS (
           SELECT FROM offer
           JOIN worker ON worker.id = offer.worker_id AND
               --< fragments/worker_available
           JOIN offer AS other ON other.worker_id = worker.id AND other.extension_id <> job.extension_id
           WHERE offer.extension_id = job.extension_id AND (
               EXISTS (SELECT FROM job AS waiting WHERE waiting.extension_id = other.extension_id
                       AND waiting.state = 'pending' AND waiting.run_at IS NULL)
               OR EXISTS (SELECT FROM job AS active WHERE active.worker_id = worker.id
                          AND active.extension_id = other.extension_id AND active.state IN ('assigned', 'running')))
       ) AS shares_workers,
       -- All jobs that run at the workers have taken longer than the mean: none says when a slot becomes free. A hundred are enough
       -- to find one that has not.
       coalesce((
           SELECT bool_and(running.started_at < now() - job_count.run_ms * interval '1 millisecond')
           FROM (SELECT active.started_at
                 FROM offer JOIN job AS active ON active.worker_id = offer.worker_id
                     AND active.extension_id = job.extension_id AND active.state IN ('assigned', 'running')
                 WHERE offer.extension_id = job.extension_id
                 LIMIT 100) AS running
       ), false) AS overrun
FROM job
JOIN extension ON extension.id = job.extension_id
LEFT JOIN account ON account.id = extension.offered_by
LEFT JOIN posting ON posting.id = job.posting_id
CROSS JOIN LATERAL (
    -- Two ranges of the index, each read from its head: one condition with OR would filter the whole of it.
    SELECT count(*) AS n FROM (
        SELECT FROM job AS other
        WHERE other.extension_id = job.extension_id AND other.state = 'pending' AND other.run_at IS NULL
          AND other.priority > job.priority
        UNION ALL
        SELECT FROM job AS other
        WHERE other.extension_id = job.extension_id AND other.state = 'pending' AND other.run_at IS NULL
          AND other.priority = job.priority AND (other.turn, other.id) < (job.turn, job.id)
        LIMIT %(bound)s
    ) AS before
) AS counted
CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.pending), 0)::bigint AS pending, avg(t.run_ms) AS run_ms FROM job_count AS t
    WHERE t.extension_id = job.extension_id
) AS job_count
CROSS JOIN LATERAL (
    SELECT coalesce((
        SELECT other.turn FROM job AS other
        WHERE other.extension_id = job.extension_id AND other.priority = job.priority AND other.state = 'pending' AND other.run_at IS NULL
        ORDER BY other.turn, other.id LIMIT 1), job.turn) AS turn
) AS head
CROSS JOIN LATERAL (
    SELECT coalesce(sum(least(worker.capacity, extension.concurrency)), 0)::bigint AS slots,
    --< fragments/worker_counts
    FROM offer JOIN worker ON worker.id = offer.worker_id AND
        --< fragments/worker_available
    WHERE offer.extension_id = job.extension_id
) AS workers_of
WHERE job.id = %(id)s
