-- Delete workers that ended long ago and hold no job.
DELETE FROM worker WHERE ended_at < clock_timestamp() - %(seconds)s * interval '1 second'
  AND NOT EXISTS (SELECT FROM job WHERE job.worker_id = worker.id AND job.state IN ('assigned', 'running'))
