-- The machine of the job that writes. The row of the job is locked, so this attempt keeps the job until the transaction
-- ends. No row when another attempt has the job, or its worker has ended.
SELECT worker.info ->> 'host'
FROM job
JOIN worker ON worker.id = job.worker_id AND worker.ended_at IS NULL
WHERE job.id = %(job_id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s
  AND job.state IN ('assigned', 'running')
FOR SHARE OF job
