-- The jobs of an extension at workers with a socket that were cancelled in the last seconds.
SELECT job.worker_id, job.id, job.attempt, job.room FROM worker
JOIN job ON job.worker_id = worker.id AND job.extension_id = %(extension_id)s AND job.state IN ('assigned', 'running')
WHERE worker.kind <> 'pool' AND worker.ended_at IS NULL AND job.cancel_requested_at > clock_timestamp() - interval '10 seconds'
