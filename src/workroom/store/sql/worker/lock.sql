-- Lock a worker's row, so that who hands it jobs and who takes its reports take turns: can it take jobs, who is it now, and how
-- many of its slots are each extension's part?
SELECT
       --< fragments/worker_available
       , incarnation,
       greatest(1, capacity / greatest(1, (SELECT count(*) FROM offer WHERE offer.worker_id = worker.id)))::integer
FROM worker WHERE id = %(id)s FOR NO KEY UPDATE
