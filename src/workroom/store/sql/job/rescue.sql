-- Cancel, release or fail the jobs of ended workers, according to each job's policy.
WITH stranded AS MATERIALIZED (
    SELECT job.id, job.worker_id, job.assigned_at, job.started_at, worker.end_reason, job.posting_id,
           job.state = 'running' AND job.on_worker_lost = 'requeue' AND job.cancel_requested_at IS NULL AS costs_a_worker,
           CASE
               WHEN job.cancel_requested_at IS NOT NULL THEN 'cancelled'
               WHEN job.on_worker_lost = 'fail' THEN 'failed'
               WHEN job.state = 'assigned' THEN 'pending'
               WHEN job.on_worker_lost = 'requeue' AND job.losses + 1 < %(max_losses)s THEN 'pending'
               ELSE 'failed' END::job_state AS becomes
    FROM worker JOIN job ON job.worker_id = worker.id AND job.state IN ('assigned', 'running')
    WHERE worker.ended_at IS NOT NULL
    FOR UPDATE OF job SKIP LOCKED
), held AS MATERIALIZED (
    -- The lock serialises this with a pause: no job of a paused posting is queued.
    SELECT id, status FROM posting WHERE id IN (SELECT posting_id FROM stranded) ORDER BY id FOR NO KEY UPDATE
), moved AS (
    UPDATE job SET
        state = stranded.becomes,
        losses = job.losses + stranded.costs_a_worker::integer,
        worker_id = CASE WHEN stranded.becomes <> 'pending' THEN job.worker_id END,
        assigned_at = CASE WHEN stranded.becomes <> 'pending' THEN job.assigned_at END,
        started_at = CASE WHEN stranded.becomes <> 'pending' THEN job.started_at END,
        run_at = CASE WHEN stranded.becomes = 'pending' AND held.status = 'paused' THEN 'infinity'::timestamptz END,
        finished_at = CASE WHEN stranded.becomes <> 'pending' THEN clock_timestamp() END,
        error = CASE WHEN stranded.becomes = 'failed' THEN jsonb_build_object(
            'type', 'WorkerLost', 'reason', 'worker_lost',
            'message', CASE stranded.end_reason
                WHEN 'lost' THEN 'The worker was lost: it disconnected, or its heartbeats stopped.'
                WHEN 'shutdown' THEN 'The worker shut down before the job had ended.'
                ELSE 'The worker was removed before the job had ended.' END) END
    FROM stranded LEFT JOIN held ON held.id = stranded.posting_id WHERE job.id = stranded.id
    RETURNING job.id, job.attempt, job.extension_id, job.posting_id, job.room, job.state, job.has_dependents
), recorded AS (
    INSERT INTO failed_attempt (job_id, attempt, worker_id, reason, assigned_at, started_at, ended_at)
    SELECT stranded.id, moved.attempt, stranded.worker_id, 'worker_lost', stranded.assigned_at, stranded.started_at, clock_timestamp()
    FROM stranded JOIN moved ON moved.id = stranded.id WHERE stranded.becomes = 'pending'
), count_change AS (
    SELECT extension_id, 0 AS blocked, count(*) FILTER (WHERE state = 'pending') AS pending, -count(*) AS active, 0 AS completed, count(*) FILTER (WHERE state = 'failed') AS failed, count(*) FILTER (WHERE state = 'cancelled') AS cancelled,
           NULL::float8 AS run_ms
    FROM moved GROUP BY extension_id
), counted AS (
    --< fragments/add_job_counts
)
SELECT id, attempt, extension_id, posting_id, room, state::text, has_dependents FROM moved
