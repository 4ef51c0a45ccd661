-- Those of these attempts that still have their job.
SELECT job.id, job.worker_id, job.attempt
FROM unnest(%(ids)s::uuid[], %(worker_ids)s::uuid[], %(attempts)s::integer[]) AS claimed (id, worker_id, attempt)
JOIN job ON job.id = claimed.id AND job.worker_id = claimed.worker_id AND job.attempt = claimed.attempt
JOIN worker ON worker.id = job.worker_id AND worker.ended_at IS NULL
WHERE job.state IN ('assigned', 'running')
