-- The workers of Celery that can take jobs. Several belong to one node: its slots are those of all of them together. An extension
-- whose resources a worker has not is left out: no message about its jobs could be claimed.
SELECT worker.info ->> 'node', (worker.info ->> 'slots')::integer, ARRAY(SELECT jsonb_array_elements_text(worker.info -> 'queues')),
       (SELECT count(*) FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running'))::integer,
       ARRAY(SELECT offer.extension_id FROM offer JOIN extension ON extension.id = offer.extension_id
             WHERE offer.worker_id = worker.id
               AND (extension.resources IS NULL OR resources_cover(worker.resources, extension.resources)))
FROM worker
WHERE worker.kind = 'celery' AND worker.lease_until > now() AND jsonb_typeof(worker.info -> 'queues') = 'array'
  AND jsonb_typeof(worker.info -> 'slots') = 'number' AND
      --< fragments/worker_available
