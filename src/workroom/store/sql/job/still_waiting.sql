-- Those of these jobs that wait, each with the number of its next attempt.
SELECT job.id, job.attempt + 1 FROM job
WHERE job.id = ANY (%(ids)s::uuid[]) AND job.state = 'pending' AND job.run_at IS NULL
