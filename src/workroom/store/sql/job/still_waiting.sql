-- Those of these jobs that wait and may start, each with the number of its next attempt. A worker drops the message of a job whose
-- extension is paused, so the job needs another one later.
SELECT job.id, job.attempt + 1 FROM job JOIN extension ON extension.id = job.extension_id AND NOT extension.paused
WHERE job.id = ANY (%(ids)s::uuid[]) AND job.state = 'pending' AND job.run_at IS NULL
