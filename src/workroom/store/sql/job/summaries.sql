-- Jobs by id, without their large columns.
SELECT job.id, job.extension_id, extension.scope, extension.category, extension.name, job.room, job.posting_id,
       job.state::text, job.priority, job.attempt, job.tries - job.failures AS tries_left, job.submitter, account.name, job.worker_id,
       job.retry_of, job.created_at, nullif(job.run_at, 'infinity'), job.assigned_at, job.started_at, job.finished_at, job.cancel_requested_at,
       job_progress.fraction, job_progress.message
FROM job
JOIN extension ON extension.id = job.extension_id
LEFT JOIN account ON account.id = job.submitter
LEFT JOIN job_progress ON job_progress.job_id = job.id AND job_progress.attempt = job.attempt
WHERE job.id = ANY (%(ids)s::uuid[])
