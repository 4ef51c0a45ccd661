-- The jobs at a worker that are to be cancelled.
SELECT id, attempt, room FROM job WHERE worker_id = %(worker_id)s AND state IN ('assigned', 'running') AND cancel_requested_at IS NOT NULL
