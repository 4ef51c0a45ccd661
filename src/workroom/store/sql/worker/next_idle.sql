-- The worker for the next waiting job of an extension: of those that can take one now, the one served longest ago. Its row is locked.
-- Workers that another transaction has locked, or that were already tried, are left out.
SELECT worker.id FROM offer
JOIN extension ON extension.id = offer.extension_id AND NOT extension.paused
JOIN worker ON worker.id = offer.worker_id
CROSS JOIN LATERAL (
    SELECT count(*) AS jobs, count(*) FILTER (WHERE job.extension_id = offer.extension_id) AS jobs_of_extension FROM job
    WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')
) AS held
WHERE offer.extension_id = %(extension_id)s AND
      --< fragments/worker_available
  AND worker.kind = 'remote' AND NOT worker.id = ANY (%(tried)s::uuid[])
  AND held.jobs < worker.capacity AND held.jobs_of_extension <
      --< fragments/extension_slots
  AND EXISTS (SELECT FROM job WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL)
ORDER BY worker.served_at NULLS FIRST, worker.id
LIMIT 1
FOR NO KEY UPDATE OF worker SKIP LOCKED
