-- A posting's failed jobs with their arguments, in their order, from one id on.
SELECT id, attempt, arguments, error FROM job
WHERE id BETWEEN %(first)s AND %(last)s AND posting_id = %(posting_id)s AND state = 'failed'
ORDER BY id LIMIT %(limit)s
