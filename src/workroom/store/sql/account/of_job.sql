-- The account that submitted a job. No row when another attempt has the job.
SELECT account.id, account.name, account.role FROM job JOIN account ON account.id = job.submitter
WHERE job.id = %(job_id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s AND job.state IN ('assigned', 'running')
