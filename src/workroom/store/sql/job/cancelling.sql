-- The jobs at a worker that somebody wants stopped.
SELECT id FROM job WHERE worker_id = %(worker_id)s AND state IN ('assigned', 'running') AND cancel_requested_at IS NOT NULL
