-- A worker confirms jobs that are assigned to it.
UPDATE job SET state = 'running', started_at = clock_timestamp()
FROM unnest(%(ids)s::uuid[], %(attempts)s::integer[]) AS report (id, attempt)
WHERE job.id = report.id AND job.worker_id = %(worker_id)s AND job.attempt = report.attempt AND job.state = 'assigned'
RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state::text, job.has_dependents, 1, job.started_at, NULL, job.cancel_requested_at IS NOT NULL
