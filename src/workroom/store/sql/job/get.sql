-- One job with everything recorded about it.
SELECT job.id, job.extension_id, extension.scope, extension.category, extension.name, job.room, job.posting_id,
       job.state::text, job.priority, job.turn, job.attempt, job.tries, job.failures, job.losses, job.on_worker_lost::text,
       job.submitter, account.name, job.worker_id, job.retry_of, job.created_at, nullif(job.run_at, 'infinity'), job.assigned_at, job.started_at, job.finished_at,
       job.cancel_requested_at, coalesce(posting.timeout_seconds, extension.timeout_seconds) AS timeout_seconds,
       job.arguments, job.result, job.error, job_progress.fraction, job_progress.message
FROM job
JOIN extension ON extension.id = job.extension_id
LEFT JOIN account ON account.id = job.submitter
LEFT JOIN posting ON posting.id = job.posting_id
LEFT JOIN job_progress ON job_progress.job_id = job.id AND job_progress.attempt = job.attempt
WHERE job.id = %(id)s
