-- A worker that is online and offers an extension: one without a job if there is one, else the one served longest ago.
SELECT worker.id FROM offer
JOIN worker ON worker.id = offer.worker_id AND
    --< fragments/worker_available
WHERE offer.extension_id = %(extension_id)s
ORDER BY EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running')),
         worker.served_at NULLS FIRST
LIMIT 1
