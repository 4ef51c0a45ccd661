-- The postings, paused themselves or with a paused queue, of which a worker holds jobs that it has not started.
SELECT DISTINCT job.posting_id FROM job
JOIN posting ON posting.id = job.posting_id
JOIN extension ON extension.id = job.extension_id
WHERE job.worker_id = %(worker_id)s AND job.state = 'assigned' AND (posting.status = 'paused' OR extension.paused)
