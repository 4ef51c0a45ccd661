-- Extensions with a waiting job although a remote worker has a free slot for it: a notification was lost.
SELECT DISTINCT offer.extension_id FROM worker
JOIN offer ON offer.worker_id = worker.id
JOIN extension ON extension.id = offer.extension_id AND NOT extension.paused
WHERE worker.kind = 'remote' AND
      --< fragments/worker_available
  AND 0 <
      --< fragments/extension_slots
  AND worker.capacity > (SELECT count(*) FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running'))
  AND EXISTS (SELECT FROM job WHERE job.extension_id = offer.extension_id AND job.state = 'pending' AND job.run_at IS NULL)
