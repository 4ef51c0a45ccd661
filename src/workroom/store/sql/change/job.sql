-- The job on whose behalf something is written. It stays this attempt's until the transaction ends.
SELECT extension.category || '/' || extension.name, job.arguments, worker.info ->> 'host'
FROM job
JOIN extension ON extension.id = job.extension_id
JOIN worker ON worker.id = job.worker_id
WHERE job.id = %(job_id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s
  AND job.state IN ('assigned', 'running')
FOR SHARE OF job
