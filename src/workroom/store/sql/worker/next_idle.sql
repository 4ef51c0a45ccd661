-- The worker for an extension's next job: of those with a free slot and a closed breaker, the one served longest ago. Its row
-- is locked; workers that somebody else is serving right now are passed over.
SELECT worker.id FROM offer
JOIN extension ON extension.id = offer.extension_id AND NOT extension.paused
JOIN worker ON worker.id = offer.worker_id
WHERE offer.extension_id = %(extension_id)s AND worker.attached AND worker.gone_at IS NULL AND NOT worker.draining
  AND worker.kind = 'remote'
  AND (offer.opened_at IS NULL OR offer.opened_at + extension.breaker_seconds * interval '1 second' <= now())
  AND worker.capacity > (SELECT count(*) FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running'))
ORDER BY worker.served_at NULLS FIRST, worker.id
LIMIT 1
FOR NO KEY UPDATE OF worker SKIP LOCKED
