-- What became of a posting's jobs, in their order, from one id on.
SELECT id, state::text, result, error FROM job
WHERE id BETWEEN %(first)s AND %(last)s AND posting_id = %(posting_id)s
ORDER BY id LIMIT %(limit)s
