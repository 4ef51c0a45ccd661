-- The paused postings of which a worker holds jobs that it has not started.
SELECT DISTINCT job.posting_id FROM job JOIN posting ON posting.id = job.posting_id
WHERE job.worker_id = %(worker_id)s AND job.state = 'assigned' AND posting.status = 'paused'
