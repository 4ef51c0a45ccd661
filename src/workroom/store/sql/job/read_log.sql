-- Log lines of a job after a given line, oldest first.
SELECT line, attempt, at, text FROM job_log WHERE job_id = %(id)s AND line > %(after)s ORDER BY line LIMIT %(limit)s
