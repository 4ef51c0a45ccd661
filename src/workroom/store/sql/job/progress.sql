-- Store the progress of a running job. Only the current attempt may write.
INSERT INTO job_progress AS p (job_id, attempt, fraction, message)
SELECT job.id, job.attempt, %(fraction)s, %(message)s FROM job
WHERE job.id = %(id)s AND job.worker_id = %(worker_id)s AND job.attempt = %(attempt)s AND job.state IN ('assigned', 'running')
ON CONFLICT (job_id) DO UPDATE SET attempt = excluded.attempt, fraction = excluded.fraction, message = excluded.message,
                                   updated_at = now()
RETURNING job_id
