-- The account that submitted a job, and the owner of the worker that runs it. No row when another attempt has the job, its worker
-- has ended, or the submitter is disabled.
SELECT account.id, account.name, account.role, worker.account_id
FROM job
JOIN account ON account.id = job.submitter AND account.disabled_at IS NULL
JOIN worker ON worker.id = job.worker_id AND worker.ended_at IS NULL
WHERE job.id = %(job_id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s AND job.state IN ('assigned', 'running')
