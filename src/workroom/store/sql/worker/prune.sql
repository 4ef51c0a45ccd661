-- Delete workers that ended long ago and hold no job, a bounded number at a time.
DELETE FROM worker WHERE id = ANY (ARRAY(
    SELECT worker.id FROM worker
    WHERE worker.ended_at < clock_timestamp() - %(seconds)s * interval '1 second'
      AND NOT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running'))
    ORDER BY worker.id LIMIT %(limit)s
    FOR UPDATE SKIP LOCKED))
