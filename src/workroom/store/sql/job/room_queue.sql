-- The queue of a room, without the jobs of postings: how many work and wait, and the ids of the jobs at its head. Of a viewer
-- the first waiting jobs are among them, wherever they are in the queue.
WITH unfinished AS (
    SELECT job.id, job.submitter, job.state IN ('assigned', 'running') AS working,
           row_number() OVER (PARTITION BY job.state IN ('assigned', 'running') ORDER BY job.state = 'blocked', job.run_at NULLS FIRST, job.priority DESC, job.turn, job.id) AS place,
           row_number() OVER (PARTITION BY job.state IN ('assigned', 'running'), job.submitter ORDER BY job.state = 'blocked', job.run_at NULLS FIRST, job.priority DESC, job.turn, job.id) AS own_place
    FROM job
    WHERE job.room = %(room)s AND job.posting_id IS NULL AND job.state IN ('blocked', 'pending', 'assigned', 'running')
)
SELECT unfinished.id,
       (SELECT count(*) FROM unfinished AS other WHERE other.working) AS working,
       (SELECT count(*) FROM unfinished AS other WHERE NOT other.working) AS waiting
FROM unfinished
WHERE unfinished.working AND unfinished.place <= %(most_working)s
   OR NOT unfinished.working AND unfinished.place <= %(most_waiting)s
   OR unfinished.submitter = %(viewer)s AND unfinished.own_place <= %(most_own)s
ORDER BY unfinished.working DESC, unfinished.place
