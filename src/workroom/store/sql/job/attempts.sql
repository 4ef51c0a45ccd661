-- The attempts of a job that did not complete and were followed by another, oldest first.
SELECT attempt, worker_id, reason, error, assigned_at, started_at, ended_at FROM failed_attempt
WHERE job_id = %(id)s ORDER BY attempt
