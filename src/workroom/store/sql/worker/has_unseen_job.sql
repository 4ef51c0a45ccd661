-- Whether a worker has held a job for so long that it must have received it.
SELECT EXISTS (
    SELECT FROM job
    WHERE worker_id = %(id)s AND state IN ('assigned', 'running')
      AND assigned_at < clock_timestamp() - %(seconds)s * interval '1 second')
