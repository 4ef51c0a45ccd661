-- What postings wait for: the state of one of their last unfinished jobs, and the workers that offer the function.
SELECT asked.id, extension.paused OR posting.status = 'paused' AS paused,
       coalesce(sample.state, 'pending') AS state, coalesce(sample.start_is_later, false) AS start_is_later,
       workers_of.workers, workers_of.closed, workers_of.equipped, workers_of.lasting,
       extension.name, extension.resources, extension.timeout_seconds::float8, extension.scope, extension.offline_since, account.name
FROM unnest(%(ids)s::uuid[], %(firsts)s::uuid[], %(lasts)s::uuid[]) AS asked (id, first, last)
JOIN posting ON posting.id = asked.id
JOIN extension ON extension.id = posting.extension_id
LEFT JOIN account ON account.id = extension.offered_by
LEFT JOIN LATERAL (
    -- Jobs run in their order, so the last ones are unfinished for longest.
    SELECT recent.state::text, recent.run_at IS NOT NULL AS start_is_later FROM (
        SELECT job.state, job.run_at FROM job
        WHERE job.id BETWEEN asked.first AND asked.last ORDER BY job.id DESC LIMIT 1000
    ) AS recent
    WHERE recent.state IN ('pending', 'blocked') LIMIT 1
) AS sample ON true
CROSS JOIN LATERAL (
    SELECT
    --< fragments/worker_counts
    FROM offer JOIN worker ON worker.id = offer.worker_id AND
        --< fragments/worker_available
    WHERE offer.extension_id = posting.extension_id
) AS workers_of
