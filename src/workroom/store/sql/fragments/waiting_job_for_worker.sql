-- A job that waits and that a worker could take; the id of the worker follows.
SELECT FROM offer CROSS JOIN LATERAL (
    SELECT FROM job WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL LIMIT 1
) AS waiting
WHERE offer.worker_id =
