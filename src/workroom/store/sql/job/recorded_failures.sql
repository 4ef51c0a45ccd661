-- Failed attempts that were followed by another: tells a repeated report from a stale one.
SELECT failed_attempt.job_id, failed_attempt.attempt, failed_attempt.error
FROM unnest(%(ids)s::uuid[], %(attempts)s::integer[]) AS report (id, attempt)
JOIN failed_attempt ON failed_attempt.job_id = report.id AND failed_attempt.attempt = report.attempt
WHERE failed_attempt.worker_id = %(worker_id)s AND failed_attempt.reason = 'failed'
