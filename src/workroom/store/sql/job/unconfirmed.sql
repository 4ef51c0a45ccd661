-- The jobs that are assigned to a worker with a socket, and that it has not confirmed. (Other processes run jobs before they report
-- their start.)
SELECT job.id, job.attempt, job.extension_id, job.posting_id IS NOT NULL, job.room, job.tries - job.failures, job.arguments, job.assigned_at,
       false, job.on_worker_lost = 'requeue_unstarted'
FROM worker JOIN job ON job.worker_id = worker.id AND job.state IN ('assigned', 'running')
WHERE worker.id = %(worker_id)s AND (worker.kind = 'remote' OR worker.socket IS NOT NULL) AND job.state = 'assigned' AND job.cancel_requested_at IS NULL
ORDER BY job.priority DESC, job.turn, job.id
