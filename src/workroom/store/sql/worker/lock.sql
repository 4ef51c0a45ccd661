-- Lock a worker's row, which serialises assigning jobs to it and reports from it. Returns whether the server may
-- assign it jobs, its incarnation, and how many of its slots each extension gets at a time. A Celery worker claims its jobs itself.
SELECT worker.kind <> 'celery' AND
       --< fragments/worker_available
       , incarnation,
       greatest(1, capacity / greatest(1, (SELECT count(*) FROM offer WHERE offer.worker_id = worker.id)))::integer
FROM worker WHERE id = %(id)s FOR NO KEY UPDATE
